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
_BEFORE_KEYWORD = (b"(", b",")
_GAP = 400
"""Blanks that are looked behind for what stands before a name."""
_NESTED = re.compile(rb"[(\[{]|\blambda\b")
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

    def bindings(self) -> set[int]:
        """Places of the scan that are no uses; what they bind is noted in the scopes."""
        found, scan, scopes = self.found, self.scan, self.found.scopes
        parameters = self._parameters()
        bound = {place for name in ("bound", "assigned", "alias") for place in scan.inside(self.marks.spans(name))}
        headers = set(map(scan.at, found.headers))
        walrus = {scan.at(start) for start, _ in self.marks.spans("walrus")}
        special = bound | headers | walrus | parameters.keys()
        special.update(scan.followed_by(_MAY_BIND))
        special.discard(-1)
        bindings: set[int] = set()
        for place in sorted(special):
            use = scan.found[place]
            root, path, follows = use.groups()
            if path:
                if follows == b"=":
                    self._note_field(use.start(), root, path)
                continue
            if place in headers:
                bindings.add(place)
                continue
            around = parameters.get(place)
            if around is not None and self._is_parameter(use.start(), *around):
                names = scopes.all[around[0]].names
                if root not in names or not any(kind == "self" for kind, _ in names[root]):
                    scopes.bind(root, around[0], HIDDEN)
                bindings.add(place)
            elif place in bound:
                if follows not in (b"[", b"("):
                    scope, _ = found.places.at(use.start())
                    if scope != MODULE:
                        scopes.bind(root, scope, HIDDEN)
                    bindings.add(place)
            elif place in walrus:
                scopes.bind_walrus(root, found.places.at(use.start())[0])
                bindings.add(place)
            elif follows == b"=":
                # The name of a parameter of something that is called.
                if self.code[max(0, use.start() - _GAP) : use.start()].rstrip()[-1:] in _BEFORE_KEYWORD:
                    bindings.add(place)
            elif follows in _QUOTES and _PREFIXES.match(root) is not None and place not in self.types:
                bindings.add(place)
        return bindings

    def _parameters(self) -> dict[int, tuple[int, bool]]:
        """Places in lists of parameters: the scope of the function, and whether nothing in the list has brackets."""
        places: dict[int, tuple[int, bool]] = {}
        code, spans = self.code, self.found.parameter_spans
        for (start, end, scope), inside in zip(spans, self.scan.ranges(spans), strict=True):
            if inside:
                opening = start + code.startswith(b"(", start)
                value = scope, _NESTED.search(code, opening, end - (opening > start)) is None
                for place in inside:
                    places[place] = value
        return places

    def _is_parameter(self, start: int, scope: int, is_flat: bool) -> bool:
        """Whether a name within a list of parameters is one, and not a part of a default or an annotation."""
        code = self.code
        place = start - 1
        while place >= 0 and code[place] in b" \t\n*":
            place -= 1
        if code[place] not in b"(," and code[max(0, place - 5) : place + 1] != b"lambda":
            return False
        if is_flat:
            return True
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
