"""Uses of names that lead to a definition of the file or to an import."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from itertools import accumulate, compress
from typing import TYPE_CHECKING

from attrs import define, field

from aries_kernel.contracts import References
from aries_language_python.hiding import Hiding
from aries_language_python.scanning import Scan, scan, super_uses
from aries_language_python.scoping import MODULE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from aries_kernel.contracts import Reference
    from aries_language_python.defining import Definitions
    from aries_language_python.grammar import Marks
    from aries_language_python.importing import Imports
    from aries_language_python.scoping import Binding

__all__ = ["line_finder", "references"]


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
    types = set(uses.inside(marks.spans("type")))
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


class _Texts(dict[bytes, str]):
    """Names as text; the same one for the same bytes."""

    def __missing__(self, name: bytes) -> str:
        self[name] = text = name.decode("utf-8", "replace")
        return text


@define
class _Referrer:
    """Says what uses mean. There may be half a million of them: each costs a look into a table or two, the rest is for
    what means something new."""

    found: Definitions
    imports: Imports
    own_fields: dict[int, set[bytes]]
    _texts: _Texts = field(factory=_Texts, init=False)
    _asked: dict[tuple[int, int, str, str, str], int] = field(factory=dict, init=False)
    _known: dict[tuple[Binding, bytes], int] = field(factory=dict, init=False)
    """Numbers among `_asked` by what the first name means and what is written; -1 for what asks for nothing."""

    def references(
        self,
        uses: Scan,
        bindings: set[int],
        kinds: dict[int, str],
        of_super: list[tuple[int, bytes]],
        line_at: Callable[[int], int],
    ) -> Sequence[Reference]:
        """`bindings`: places of uses that are none; `kinds`: of those where the place says it."""
        starts = uses.starts
        around = self.found.places.of(starts)
        asks = self._asks(uses, around)
        asked = list(self._asked)
        for place, kind in kinds.items():
            if asks[place] >= 0:
                asks[place] = self._number((*asked[asks[place]][:4], kind))
        for place in bindings:
            asks[place] = -1
        if of_super:
            places = [start for start, _ in of_super]
            rooms = self.found.places.of(places)
            further = [self._ask_super(*one, room) for one, (room, _) in zip(of_super, rooms, strict=True)]
            order = sorted(zip([*starts, *places], [*asks, *further], [*around, *rooms], strict=True))
            starts, asks, around = (list(column) for column in zip(*order, strict=True))
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
            [inside + 1 for _, inside in compress(around, meant)],
        )

    def _asks(self, uses: Scan, around: Sequence[tuple[int, int]]) -> list[int]:
        """By use: the number of what it asks for; -1 for nothing."""
        written, parts = uses.written, {one[0]: one for one in uses.found}
        nested = self.found.scopes.nested_names()
        # Most names mean the same all over the file: nobody has to look where they stand.
        same = {
            use: self._meaning(self.found.scopes.find(one[1], MODULE), one[1], one[2], one[3])
            for use, one in parts.items()
            if one[1] not in nested
        }
        asks: list[int] = []
        add, find, known = asks.append, self.found.scopes.find, self._known
        for use, ask, (scope, _) in zip(written, map(same.get, written), around, strict=True):
            if ask is None:
                one = parts[use]
                bindings = find(one[1], scope)
                if len(bindings) == 1:
                    ask = known.get((bindings[0], use))
                    if ask is None:
                        ask = known[bindings[0], use] = self._meaning(bindings, one[1], one[2], one[3])
                else:
                    ask = self._meaning(bindings, one[1], one[2], one[3]) if bindings else -1
            add(ask)
        return asks

    def _ask_super(self, start: int, name: bytes, scope: int) -> int:
        bindings = self.found.scopes.find(b"super", scope)
        return self._meaning(bindings, b"super", b"." + name, b"(", symbol=self._class_around(start))

    def _number(self, asking: tuple[int, int, str, str, str]) -> int:
        return self._asked.setdefault(asking, len(self._asked))

    def _meaning(
        self, bindings: Sequence[Binding], root: bytes, behind: bytes, follows: bytes, symbol: int = -1
    ) -> int:
        """The number of what a use asks for. `symbol`: what it means where nothing else is found."""
        binding, path, is_call = -1, behind[1:], follows == b"("
        for kind, place in bindings:
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
        return self._number((symbol, binding, self._texts[root], self._texts[path], kind))

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
