"""Contract of a check (entry-point group `aries.checks`): what a plugin adds to `aries doctor`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, Protocol

from attrs import frozen

__all__ = ["Check", "Checked"]


@frozen
class Checked:
    """One thing that was looked at."""

    grade: Literal["ok", "note", "wrong"]
    """`note`: works, but not as well as it could; `wrong`: does not work, and `aries doctor` fails."""
    text: str


class Check(Protocol):
    """Looks at this machine; the entry point's name is shown before each line."""

    def __call__(self, environ: Mapping[str, str]) -> Iterable[Checked]:
        """What was found, within a few seconds and without changing anything."""
        ...
