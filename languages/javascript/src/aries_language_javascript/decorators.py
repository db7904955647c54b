"""Decorators and words in front of a definition."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from attrs import define, field

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

__all__ = ["Decorators", "modifiers"]

_MODIFIER = re.compile(
    rb"(?<![\w$#])(?:async|static|get|set|abstract|readonly|public|private|protected|declare|override|accessor|const)"
    rb"(?![\w$])"
)
_NAME = re.compile(rb"@\s*[\w$.]+")


def modifiers(text: bytes) -> str:
    """The words that stand in front of a name, where there are no decorators."""
    return b" ".join(_MODIFIER.findall(text)).decode("ascii")


@define(eq=False)
class Decorators:
    """The decorators of one file: some stand inside the node that they decorate, some before it."""

    source: bytes
    nodes: Sequence[Node]
    _ends: dict[int, int] = field(init=False, factory=dict)
    _starts: dict[int, int] = field(init=False, factory=dict)
    _order: list[int] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        for node in self.nodes:
            self._ends[node.end_byte] = node.start_byte
            self._starts[node.start_byte] = node.end_byte
        self._order = sorted(self._starts)

    @property
    def are_any(self) -> bool:
        return bool(self._order)

    def modifiers(self, start: int, end: int) -> str:
        """The words between two places, decorators first and without their arguments."""
        if start >= end:
            return ""
        text = self.source[start:end]
        found: list[bytes] = []
        if self._order and b"@" in text:
            rest = b""
            for begin in self._order[bisect_left(self._order, start) :]:
                if begin >= end:
                    break
                if begin >= start:
                    rest += self.source[start:begin] + b" "
                    found += [b"".join(name.split()) for name in _NAME.findall(self.source[begin : begin + 200])[:1]]
                    start = self._starts[begin]
            text = rest + self.source[start:end]
        return b" ".join(found + _MODIFIER.findall(text)).decode("utf-8", "replace")

    def before(self, start: int) -> int:
        """Where the decorators begin that stand right in front of a place; the place itself where none do."""
        while self._ends:
            place = start
            while place and self.source[place - 1] in b" \t\n":
                place -= 1
            if place not in self._ends:
                break
            start = self._ends[place]
        return start

    def behind(self, start: int) -> int:
        """The first place behind the decorators that begin at a place."""
        while start in self._starts:
            start = self._starts[start]
            while self.source[start : start + 1].isspace():
                start += 1
        return start
