"""What the host holds of a body's variables, for the next process; text that nobody here looks into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field

__all__ = ["KeptBindings"]

_MOST = 16 * 1024 * 1024
"""Characters held in all."""


@define
class KeptBindings:
    """Every name is in one of the three."""

    values: dict[str, str] = field(factory=dict)
    sources: dict[str, str] = field(factory=dict)
    lost: dict[str, str] = field(factory=dict)
    """Names that no other process could get, with their type."""

    @property
    def names(self) -> list[str]:
        """Those that another process can get."""
        return [*self.sources, *self.values]

    def update(self, news: Any) -> None:
        """Take what a process said after an execution; what is no such thing is left out."""
        if not isinstance(news, Mapping):
            return
        for name in news.get("gone", ()):
            self._forget(name)
        for key, kept in (("values", self.values), ("sources", self.sources), ("lost", self.lost)):
            for name, text in dict(news.get(key, {})).items():
                self._forget(name)
                kept[str(name)] = str(text)
        size = sum(map(len, self.values.values()))
        while size > _MOST:
            name, text = self.values.popitem()
            size -= len(text)
            self.lost[name] = "too large to be kept"

    def _forget(self, name: str) -> None:
        for kept in (self.values, self.sources, self.lost):
            kept.pop(name, None)
