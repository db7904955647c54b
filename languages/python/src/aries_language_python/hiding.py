"""Names that parameters and variables take: known in their scopes as hidden, and no uses where they are bound."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from attrs import define, field

from aries_language_python.scoping import HIDDEN, MODULE

if TYPE_CHECKING:
    from aries_language_python.defining import Definitions
    from aries_language_python.grammar import Marks
    from aries_language_python.scanning import Scan

__all__ = ["Hiding"]

_PREFIXES = re.compile(rb"(?i:[rbfut]{1,2})\Z")
_BEFORE_KEYWORD = re.compile(rb"[(,]\s*\Z")
_QUOTES = (b'"', b"'")
_MAY_BIND = frozenset({b"=", *_QUOTES})


@define
class Hiding:
    """Looks at the few places of a scan that may bind a name."""

    marks: Marks
    found: Definitions
    code: bytes
    scan: Scan
    types: set[int]
    """Places of the scan that stand in a type."""
    own_fields: dict[int, set[bytes]] = field(factory=dict)
    """Names of instance variables that a class sets on itself, by class."""
    _bound: set[int] = field(factory=set, init=False)
    _walrus: set[int] = field(factory=set, init=False)
    _headers: set[int] = field(factory=set, init=False)
    _parameters: dict[int, int] = field(factory=dict, init=False)
    """Scopes of functions, by the places in their parameters."""

    def bindings(self) -> set[int]:
        """Places of the scan that are no uses; what they bind is noted in the scopes."""
        within, at, marks, found = self.scan.within, self.scan.at, self.marks, self.found
        for name in ("bound", "assigned", "alias"):
            for start, end in marks.spans(name):
                self._bound.update(within(start, end))
        for start, end, scope in found.parameter_spans:
            self._parameters.update(dict.fromkeys(within(start, end), scope))
        self._headers = {at(start) for start in found.headers}
        self._walrus = {at(start) for start, _ in marks.spans("walrus")}
        special = self._bound | self._headers | self._walrus | self._parameters.keys()
        special.update(self.scan.followed_by(_MAY_BIND))
        special.discard(-1)
        return {place for place in sorted(special) if self._binds(place, self.scan.found[place])}

    def _binds(self, place: int, use: re.Match[bytes]) -> bool:
        """Whether the name is bound here, or names a parameter of something that is called."""
        start, root, path, follows = use.start(), use[1], use[2], use[3]
        if path:
            if follows == b"=":
                self._note_field(start, root, path)
            return False
        if place in self._headers:
            return True
        found = self.found
        scope = self._parameters.get(place, -1)
        if scope >= 0 and self._is_parameter(start):
            if not any(kind == "self" for kind, _ in found.scopes.all[scope].names.get(root, ())):
                found.scopes.bind(root, scope, HIDDEN)
            return True
        if place in self._bound:
            if follows in (b"[", b"("):
                return False
            scope, _ = found.places.at(start)
            if scope != MODULE:
                found.scopes.bind(root, scope, HIDDEN)
            return True
        if place in self._walrus:
            found.scopes.bind_walrus(root, found.places.at(start)[0])
            return True
        if follows == b"=":
            return _BEFORE_KEYWORD.search(self.code, max(0, start - 400), start) is not None
        return follows in _QUOTES and _PREFIXES.match(root) is not None and place not in self.types

    def _is_parameter(self, start: int) -> bool:
        """Whether a name within a list of parameters is one, and not a part of a default or an annotation."""
        code = self.code
        place = start - 1
        while place >= 0 and code[place] in b" \t\n*":
            place -= 1
        before = code[place : place + 1]
        if before not in (b"(", b",") and code[max(0, place - 5) : place + 1] != b"lambda":
            return False
        inner = code[self._opening(start) : start]
        depth = sum(inner.count(one) for one in (b"(", b"[", b"{")) - sum(
            inner.count(one) for one in (b")", b"]", b"}")
        )
        return depth == (1 if inner[:1] == b"(" else 0)

    def _opening(self, start: int) -> int:
        """Where the parameters begin, or go on behind those of a lambda among them."""
        starts, values = self.found.parameters.starts, self.found.parameters.values
        place = bisect_right(starts, start) - 1
        scope = values[place]
        while starts[place] > 0:
            before = bisect_right(starts, starts[place] - 1) - 1
            if values[before] != scope:
                break
            place = before
        return starts[place]

    def _note_field(self, start: int, root: bytes, path: bytes) -> None:
        for kind, place in self.found.scopes.find(root, self.found.places.at(start)[0]):
            if kind == "self":
                self.own_fields.setdefault(place, set()).add(path[1:].split(b".", 1)[0])
