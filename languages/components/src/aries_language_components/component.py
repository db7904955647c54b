"""From a component to its facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
from attrs import define, field

from aries_kernel.contracts import Export, FileFacts, Import, References, Symbol
from aries_language_javascript.reader import read as read_program

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aries_kernel.contracts import Reference
    from aries_language_components.weaving import Woven
    from aries_language_javascript.dialect import Dialect

__all__ = ["component_facts"]

_TYPES = frozenset({"interface", "type"})


def component_facts(
    language: str,
    path: str,
    woven: Woven,
    dialect: Dialect,
    *,
    has_stores: bool = False,
    hands_out: bool = False,
    sees_others: bool = False,
) -> FileFacts:
    """What the program says, told of the component, which is the file's own symbol.

    `hands_out`: what the script exports can be imported; else only types can, and what belongs to the module.
    `sees_others`: frameworks give it names without an import.
    Raises: UserError, TooIntricate.
    """
    said = read_program(
        woven.program, dialect, tags=frozenset(woven.tags), has_stores=has_stores, sees_others=sees_others
    )
    made = _Component(_name(path), woven, said, hands_out)
    lines = [woven.line(said.error_line)] if said.error_line else []
    lines += [woven.error_line] if woven.error_line else []
    return attrs.evolve(
        said,
        language=language,
        symbols=made.symbols(),
        imports=_imports(said, woven),
        exports=made.exports(),
        references=made.references(),
        error_line=min(lines, default=0),
    )


def _name(path: str) -> str:
    """What the file is called, without what its tools write behind a point: `Card.client.vue`."""
    return path.rpartition("/")[2].partition(".")[0] or "component"


def _imports(said: FileFacts, woven: Woven) -> tuple[Import, ...]:
    found = [one._replace(line=woven.line(one.line)) for one in said.imports]
    return (*found, *(Import(line, "import", module) for line, module in woven.files))


@define(eq=False)
class _Component:
    """The rows of a program as rows of the component: it is the first symbol, and what its script defines is in it."""

    name: str
    woven: Woven
    said: FileFacts
    hands_out: bool
    _own: set[int] = field(init=False)
    """Places of symbols that are the component itself: what a script exports as `default`."""
    _places: list[int] = field(init=False)
    """The new places of symbols."""

    def __attrs_post_init__(self) -> None:
        symbols = self.said.symbols
        self._own = {
            one.symbol
            for one in self.said.exports
            if one.name == "default" and one.symbol >= 0 and symbols[one.symbol].name == "default"
        }
        self._places, count = [], 1
        for place in range(len(symbols)):
            self._places.append(0 if place in self._own else count)
            count += place not in self._own

    def symbols(self) -> tuple[Symbol, ...]:
        text, name = self.woven.text, self.name
        last = text.source.count(b"\n") + (not text.source.endswith(b"\n"))
        found = [Symbol(name, name, "class", 1, last, 0, len(text.source), -1, f"<{name}>", self.said.doc)]
        shared = {one.symbol for one in self.exports(as_before=True)}
        outside: set[int] = set()
        names: dict[int, str] = {}
        for place, one in enumerate(self.said.symbols):
            names[place] = one.qualified
            is_inner = one.parent >= 0 and one.parent not in outside
            if not is_inner and (one.parent >= 0 or place in shared or self._is_of_file(one)):
                outside.add(place)
            if place in self._own:
                continue
            parent = self._places[one.parent] if one.parent >= 0 else -1 if place in outside else 0
            start, end = self.woven.span(one.start, one.end)
            found.append(
                one._replace(
                    qualified=self._qualified(one.qualified, is_inside=place not in outside),
                    line=text.line(start),
                    end_line=text.line(max(start, end - 1)),
                    start=start,
                    end=end,
                    parent=parent,
                    exported=one.exported and (place in shared or one.parent >= 0),
                )
            )
        return tuple(found)

    def _qualified(self, name: str, *, is_inside: bool) -> str:
        if not is_inside:
            return name
        return f"{self.name}.{name.removeprefix('default.')}"

    def _is_of_file(self, one: Symbol) -> bool:
        return any(start <= one.start < end for start, end in self.woven.module) and one.name != "default"

    def exports(self, *, as_before: bool = False) -> tuple[Export, ...]:
        """`default` is the component. `as_before`: by the places in the program, without that."""
        found = [] if as_before else [Export("default", 0, -1, False)]
        for one in self.said.exports:
            if one.name == "default" or (one.symbol >= 0 and not self._is_handed_out(self.said.symbols[one.symbol])):
                continue
            symbol = one.symbol if as_before or one.symbol < 0 else self._places[one.symbol]
            found.append(one._replace(symbol=symbol))
        return tuple(found)

    def _is_handed_out(self, one: Symbol) -> bool:
        return self.hands_out or one.kind in _TYPES or self._is_of_file(one)

    def references(self) -> Sequence[Reference]:
        """In the order of the lines."""
        said = References.of(self.said.references)
        lines = [self.woven.line(one) for one in said.lines]
        order = sorted(range(len(lines)), key=lines.__getitem__)
        asked = [
            (self._places[one.symbol] if one.symbol >= 0 else -1, one.binding, one.root, one.path, one.kind)
            for one in said.asked
        ]
        insides = [self._places[one - 1] + 1 if one else 1 for one in said.insides]
        if not order:
            return ()
        return References.made(
            asked, [lines[one] for one in order], [said.asks[one] for one in order], [insides[one] for one in order]
        )
