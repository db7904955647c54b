"""Parsing within bounds: some texts that no one writes would keep a parser, or a query over its tree, for minutes."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from attrs import define, field

from aries_kernel.contracts import TooIntricate

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Point

__all__ = ["parsed"]

_SMALL = 12_000
"""Bytes up to which even the worst text takes a second or two, and no bound is needed."""
_BLOCK = 1 << 16
_MOST_STEPS = 200_000
"""Reports of a parser about its progress. No file of 20,000 in real projects has more than 7,400; what grows with the
square of its size reaches this after about five seconds."""
_WINDOW = 64
_SLOWEST = 0.001
"""Processor seconds of a step, on average over a window: sixty times what it takes in code. A parser that is as slow
keeps so many readings of the text side by side that memory ends before time does."""
_MOST_SIGNS = 20_000
"""Signs in a row within one node: for each, a query looks through all that follow it for one that has a name."""


def parsed(parser: Parser, source: bytes) -> Node:
    """The root of the tree of a text. Names in it are read from the text: `Node.text` of a large one is slow.

    Raises: TooIntricate. Steps are counted rather than timed, so that texts are read alike on slow and fast machines.
    """
    if len(source) <= _SMALL:
        return parser.parse(source).root_node

    def read(start: int, _: Point) -> bytes:
        return source[start : start + _BLOCK]

    try:
        root = parser.parse(read, progress_callback=_Watch()).root_node
    except ValueError as error:
        # Otherwise the next text would be taken for the rest of this one.
        parser.reset()
        raise TooIntricate("its parser makes no headway: it goes back and forth in the text") from error
    _refuse_rows_of_signs(root)
    return root


@define(eq=False)
class _Watch:
    """Asked by a parser whether it is to stop."""

    _steps: int = 0
    _since: float = field(factory=time.thread_time)

    def __call__(self, _: int, has_error: bool) -> bool:
        self._steps += 1
        if self._steps % _WINDOW:
            return False
        before, self._since = self._since, time.thread_time()
        return self._since - before > _WINDOW * _SLOWEST or self._steps > _MOST_STEPS


def _refuse_rows_of_signs(root: Node) -> None:
    waiting = [root] if root.descendant_count >= _MOST_SIGNS else []
    while waiting:
        node = waiting.pop()
        children = node.children
        if node.child_count - node.named_child_count >= _MOST_SIGNS and _longest_row(children) >= _MOST_SIGNS:
            raise TooIntricate(f"more than {_MOST_SIGNS:,} signs in a row stand where code would have names")
        waiting += [child for child in children if child.descendant_count >= _MOST_SIGNS]


def _longest_row(nodes: Iterable[Node]) -> int:
    longest = row = 0
    for node in nodes:
        row = 0 if node.is_named else row + 1
        longest = max(longest, row)
    return longest
