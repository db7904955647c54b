"""Uses of names that lead to a definition of the file or to an import."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import partial
from itertools import accumulate, repeat
from operator import add
from typing import TYPE_CHECKING

from attrs import define, field

from aries_kernel.contracts import Reference
from aries_language_python.hiding import Hiding
from aries_language_python.scanning import Scan, scan, super_uses

if TYPE_CHECKING:
    from collections.abc import Callable

    from aries_language_python.defining import Definitions
    from aries_language_python.grammar import Marks
    from aries_language_python.importing import Imports

__all__ = ["line_finder", "references"]

_Meaning = tuple[int, int, str, str, str]
"""Symbol and import, root and path, and the kind of a use that is a call."""


def line_finder(source: bytes) -> Callable[[int], int]:
    """What gives the line of a place, from 1."""
    lengths = list(map(len, source.split(b"\n")))
    starts = [0, *map(add, accumulate(lengths), range(1, len(lengths)))]
    return partial(bisect_right, starts)


def references(
    marks: Marks, found: Definitions, imports: Imports, code: bytes, line_at: Callable[[int], int]
) -> tuple[Reference, ...]:
    """In the order of the text, once definitions and imports are known."""
    for start, end in marks.spans("outer"):
        scope = found.scopes.all[found.places.at(start)[0]]
        scope.outer = scope.outer.union(marks.source[start:end].replace(b",", b" ").split()[1:])
    all_uses = scan(code, found.scopes.known_names())
    types = {place for start, end in marks.spans("type") for place in all_uses.within(start, end)}
    hiding = Hiding(marks, found, code, all_uses, types)
    bindings = hiding.bindings()
    uses = [use for place, use in enumerate(all_uses.uses) if place not in bindings]
    if of_super := super_uses(code):
        uses = sorted([*uses, *of_super])
    return _Referrer(marks, found, imports, code, Scan(uses), hiding.own_fields).references(line_at)


@define
class _Referrer:
    """Says what uses mean, stretch by stretch of one scope."""

    marks: Marks
    found: Definitions
    imports: Imports
    code: bytes
    scan: Scan
    own_fields: dict[int, set[bytes]]
    _texts: dict[bytes, str] = field(factory=dict, init=False)
    _known: dict[int, dict[bytes, _Meaning | None]] = field(factory=dict, init=False)
    """By scope and by the name as it is written."""

    def references(self, line_at: Callable[[int], int]) -> tuple[Reference, ...]:
        uses, places, kinds = self.scan.uses, self.found.places, self._kinds()
        lines = list(map(line_at, self.scan.starts))
        cuts = [*map(partial(bisect_left, self.scan.starts), places.starts), len(uses)]
        rows: list[tuple[int, str, str, str, int, int, int]] = []
        append = rows.append
        for number, (scope, inside) in enumerate(places.values):
            first, last = cuts[number], cuts[number + 1]
            if first >= last:
                continue
            known = self._known.setdefault(scope, {})
            for place in range(first, last):
                start, root, path, follows = uses[place]
                written = root + path if path else root
                if root == b"super":
                    meaning = self._meaning(scope, root, path, self._class_around(start))
                elif written in known:
                    meaning = known[written]
                else:
                    meaning = known[written] = self._meaning(scope, root, path, -1)
                if meaning is not None:
                    symbol, binding, name, rest, of_call = meaning
                    kind = kinds.get(place) or (of_call if follows == b"(" else "use")
                    append((lines[place], kind, name, rest, symbol, binding, inside))
        return tuple(map(tuple.__new__, repeat(Reference), rows))

    def _kinds(self) -> dict[int, str]:
        """What uses are for where that shows from the place."""
        within, at, code = self.scan.within, self.scan.at, self.code
        kinds = {place: "type" for start, end in self.marks.spans("type") for place in within(start, end)}
        sign = code.find(b"@")
        while sign >= 0:
            if not code[code.rfind(b"\n", 0, sign) + 1 : sign].strip():
                kinds[at(sign + 1)] = "decorator"
            sign = code.find(b"@", sign + 1)
        kinds |= {at(start): "base" for start in self.found.bases}
        return kinds

    def _meaning(self, scope: int, root: bytes, path: bytes, symbol: int) -> _Meaning | None:
        """`symbol`: what it means where nothing else is found."""
        binding, path, is_call = -1, path[1:], True
        for kind, place in self.found.scopes.find(root, scope):
            if kind == "import":
                if (rest := self._behind_module(place, path)) is not None:
                    symbol, binding, path = -1, place, rest
                    break
            elif kind == "self":
                if short := self._own_path(place, path):
                    symbol, path, is_call = place, short, short == path
                break
            elif symbol < 0:
                symbol = place
        if symbol < 0 and binding < 0:
            return None
        is_class = symbol >= 0 and not path and self.found.symbols[symbol].kind == "class"
        return (
            symbol,
            binding,
            self._text(root),
            self._text(path),
            ("new" if is_class else "call") if is_call else "use",
        )

    def _text(self, name: bytes) -> str:
        return self._texts.get(name) or self._texts.setdefault(name, name.decode("utf-8", "replace"))

    def _class_around(self, start: int) -> int:
        _, place = self.found.places.at(start)
        while place >= 0 and self.found.symbols[place].kind != "class":
            place = self.found.symbols[place].parent
        return place if place in self.found.classes_with_bases else -1

    def _behind_module(self, place: int, path: bytes) -> bytes | None:
        """The path behind the module of an import; None where it leads beside it."""
        prefix = self.imports.prefixes.get(place)
        if prefix is None:
            return path
        if path == prefix:
            return b""
        return path[len(prefix) + 1 :] if path.startswith(prefix + b".") else None

    def _own_path(self, place: int, path: bytes) -> bytes:
        """The first name behind `self` where the class, or a base, may define it; empty for instance variables."""
        first = path.split(b".", 1)[0]
        if first in self.found.members.get(place, ()):
            return first
        is_own = first in self.own_fields.get(place, ())
        return first if place in self.found.classes_with_bases and not is_own else b""
