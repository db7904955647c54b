"""Definitions of a file in order: what stands in what, and their full names."""

from __future__ import annotations

from typing import NamedTuple

from aries_kernel.contracts import Symbol
from aries_language_syntax.text import Text

__all__ = ["Definition", "Outline"]


class Definition(NamedTuple):
    """A definition as a pack finds it, in any order."""

    start: int
    end: int
    name: bytes
    kind: str
    signature: str = ""
    exported: bool = True
    modifiers: str = ""
    owner: str = ""
    """Names between what it stands in and itself: the type of a method that is written outside of it."""
    doc: str = ""
    at: int = -1
    """Where its name stands, which is no use of it."""
    is_named: bool = True
    """Whether its name alone leads to it, from where it stands: not so for a constructor."""


class Outline:
    """The symbols of a file, and quick ways to them."""

    def __init__(
        self, text: Text, definitions: list[Definition], leaves: frozenset[str], spills: frozenset[str] = frozenset()
    ) -> None:
        """Nothing that stands in a symbol of a kind in `leaves` is a symbol.

        What stands in one of a kind in `spills` is seen around it too, unless it has the modifier `class`.
        """
        self.symbols: list[Symbol] = []
        self.members: dict[tuple[int, bytes], int] = {}
        """Place of the first symbol with a name inside another; -1 for the file."""
        self.by_name: dict[str, int] = {}
        """Place of the first symbol with a full name."""
        self._fill(text, definitions, leaves, spills)

    def _fill(self, text: Text, definitions: list[Definition], leaves: frozenset[str], spills: frozenset[str]) -> None:
        stack: list[tuple[int, int, int]] = []
        symbols, members, by_name = self.symbols, self.members, self.by_name
        for one in sorted(definitions, key=lambda one: (one.start, -one.end)):
            while stack and (stack[-1][1] < one.end or stack[-1][1] <= one.start or stack[-1][:2] == one[:2]):
                stack.pop()
            # The preprocessor knows no scopes.
            parent = stack[-1][2] if stack and one.kind != "macro" else -1
            if parent >= 0 and symbols[parent].kind in leaves:
                continue
            name = one.name.decode("utf-8", "replace")
            qualified = f"{one.owner}.{name}" if one.owner else name
            if parent >= 0:
                qualified = f"{symbols[parent].qualified}.{qualified}"
            place = len(symbols)
            stack.append((one.start, one.end, place))
            first, last = text.line(one.start), text.line(max(one.end - 1, one.start))
            # fmt: off
            symbols.append(Symbol(
                name, qualified, one.kind, first, last, one.start, one.end, parent,
                one.signature, one.doc, one.exported, one.modifiers,
            ))
            # fmt: on
            by_name.setdefault(qualified, place)
            if one.is_named and not one.owner:
                members.setdefault((parent, one.name), place)
                if parent >= 0 and symbols[parent].kind in spills and "class" not in symbols[parent].modifiers:
                    members.setdefault((symbols[parent].parent, one.name), place)
