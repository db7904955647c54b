"""Tables in a README, between marks, made from a file of results."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

__all__ = ["Place", "row"]

_END = "<!-- end -->"


def row(cells: Sequence[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


@frozen
class Place:
    """Where a table stands, and what it is made from."""

    readme: Path
    results: Path
    mark: str
    text: Callable[[Mapping[str, Any] | None], str]
    """The table; of None before anything was measured."""

    def with_table(self, readme: str) -> str:
        """The README's text with the table of now between its marks."""
        begin = f"<!-- {self.mark} -->\n"
        before, _, rest = readme.partition(begin)
        _, end, after = rest.partition(_END)
        if not end:
            raise SystemExit(f"{self.readme} has no {begin.strip()} ... {_END}")
        return before + begin + self._now() + end + after

    def write(self) -> None:
        """Put it there, and print it."""
        self.readme.write_text(self.with_table(self.readme.read_text(encoding="utf-8")), encoding="utf-8")
        print(self._now())

    def _now(self) -> str:
        known = json.loads(self.results.read_text(encoding="utf-8")) if self.results.exists() else None
        return self.text(known)
