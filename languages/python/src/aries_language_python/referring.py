"""Uses of names that lead to a definition of the file or to an import."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from functools import partial
from itertools import accumulate, compress, repeat
from typing import TYPE_CHECKING

from attrs import define, field

from aries_kernel.contracts import References
from aries_language_python.hiding import Hiding
from aries_language_python.scanning import Scan, parts_of, scan, super_uses

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from aries_kernel.contracts import Reference
    from aries_language_python.defining import Definitions
    from aries_language_python.grammar import Marks
    from aries_language_python.importing import Imports

__all__ = ["line_finder", "references"]

_Written = bytes | tuple[bytes, int]
"""A use with what follows it; or what is asked of `super()`, with the class around that."""


def line_finder(source: bytes) -> Callable[[int], int]:
    """What gives the line of a place, from 1."""
    starts = list(accumulate(map(len, source.splitlines(keepends=True)), initial=0))
    if len(starts) > 1 and not source.endswith(b"\n"):
        starts.pop()
    return partial(bisect_right, starts)


def references(
    marks: Marks, found: Definitions, imports: Imports, code: bytes, line_at: Callable[[int], int]
) -> Sequence[Reference]:
    """In the order of the text, once definitions and imports are known."""
    for start, end in marks.spans("outer"):
        scope = found.scopes.all[found.places.at(start)[0]]
        scope.outer = scope.outer.union(marks.source[start:end].replace(b",", b" ").split()[1:])
    uses = scan(code, found.scopes.known_names())
    types = {place for start, end in marks.spans("type") for place in uses.within(start, end)}
    hiding = Hiding(marks, found, code, uses, types)
    bindings = hiding.bindings()
    kinds = _kinds(found, code, uses, types)
    return _Referrer(found, imports, hiding.own_fields).references(uses, bindings, kinds, super_uses(code), line_at)


def _kinds(found: Definitions, code: bytes, uses: Scan, types: set[int]) -> dict[int, str]:
    """What uses are for where that shows from the place."""
    kinds = dict.fromkeys(types, "type")
    sign = code.find(b"@")
    while sign >= 0:
        if not code[code.rfind(b"\n", 0, sign) + 1 : sign].strip():
            kinds[uses.at(sign + 1)] = "decorator"
        sign = code.find(b"@", sign + 1)
    kinds |= dict.fromkeys(map(uses.at, found.bases), "base")
    kinds.pop(-1, None)
    return kinds


class _Asks(dict[_Written, int]):
    """What uses in one scope ask for, by their numbers among what the file asks for; -1 for nothing."""

    def __init__(self, ask: Callable[[int, _Written], int], scope: int) -> None:
        self._ask, self._scope = ask, scope

    def __missing__(self, written: _Written) -> int:
        self[written] = found = self._ask(self._scope, written)
        return found


@define
class _Referrer:
    """Says what uses mean. There may be half a million of them: each costs a look into a table, the rest is for what
    is written there for the first time."""

    found: Definitions
    imports: Imports
    own_fields: dict[int, set[bytes]]
    _texts: dict[bytes, str] = field(factory=dict, init=False)
    _asked: dict[tuple[int, int, str, str, str], int] = field(factory=dict, init=False)
    _known: dict[int, _Asks] = field(factory=dict, init=False)
    """By scope."""

    def references(
        self,
        uses: Scan,
        bindings: set[int],
        kinds: dict[int, str],
        of_super: list[tuple[int, bytes]],
        line_at: Callable[[int], int],
    ) -> Sequence[Reference]:
        """`bindings`: places of uses that are none; `kinds`: of those where the place says it."""
        asks, insides = self._asks(uses.starts, uses.written)
        asked = list(self._asked)
        for place, kind in kinds.items():
            if asks[place] >= 0:
                asks[place] = self._number((*asked[asks[place]][:4], kind))
        for place in bindings:
            asks[place] = -1
        starts = uses.starts
        if of_super:
            places = [start for start, _ in of_super]
            further = self._asks(places, [(name, self._class_around(start)) for start, name in of_super])
            order = sorted(zip([*starts, *places], [*asks, *further[0]], [*insides, *further[1]], strict=True))
            starts, asks, insides = (list(column) for column in zip(*order, strict=True))
        # The tables and this object hold each other, and the collector of garbage may be off for a whole build.
        self._known.clear()
        meant = [ask >= 0 for ask in asks]
        asks = list(compress(asks, meant))
        if not asks:
            return ()
        # What is asked only where a name is bound is not asked at all.
        numbers = {ask: number for number, ask in enumerate(dict.fromkeys(asks))}
        asked = list(self._asked)
        return References.made(
            [asked[ask] for ask in numbers],
            list(map(line_at, compress(starts, meant))),
            list(map(numbers.__getitem__, asks)),
            list(compress(insides, meant)),
        )

    def _asks(self, starts: Sequence[int], written: Sequence[_Written]) -> tuple[list[int], list[int]]:
        """By use: what it asks for, and the innermost symbol around it plus one."""
        asks: list[int] = []
        insides: list[int] = []
        places = self.found.places
        first = 0
        for (scope, inside), end in zip(places.values, [*places.starts[1:], sys.maxsize], strict=True):
            last = bisect_left(starts, end, first)
            if first == last:
                continue
            known = self._known.get(scope)
            if known is None:
                known = self._known[scope] = _Asks(self._ask, scope)
            asks += map(known.__getitem__, written[first:last])
            insides += repeat(inside + 1, last - first)
            first = last
        return asks, insides

    def _ask(self, scope: int, written: _Written) -> int:
        if isinstance(written, tuple):
            (path, symbol), root, follows = written, b"super", b"("
        else:
            root, path, follows = parts_of(written)
            path, symbol = path[1:], -1
        return self._meaning(scope, root, path, symbol, follows == b"(")

    def _number(self, asking: tuple[int, int, str, str, str]) -> int:
        return self._asked.setdefault(asking, len(self._asked))

    def _meaning(self, scope: int, root: bytes, path: bytes, symbol: int, is_call: bool) -> int:
        """`symbol`: what it means where nothing else is found."""
        binding = -1
        for kind, place in self.found.scopes.find(root, scope):
            if kind == "import":
                if (rest := self._behind_module(place, path)) is not None:
                    symbol, binding, path = -1, place, rest
                    break
            elif kind == "self":
                if short := self._own_path(place, path):
                    is_call = is_call and short == path
                    symbol, path = place, short
                break
            elif symbol < 0:
                symbol = place
        if symbol < 0 and binding < 0:
            return -1
        is_class = symbol >= 0 and not path and self.found.symbols[symbol].kind == "class"
        kind = ("new" if is_class else "call") if is_call else "use"
        return self._number((symbol, binding, self._text(root), self._text(path), kind))

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
