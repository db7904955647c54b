"""What one file offers to others, from its facts and from where its imports lead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from attrs import field, frozen

from aries_kernel.contracts import Export, Import, Missing, Reference, Target

__all__ = ["Base", "Interface", "Resolved", "Speaker", "Way", "changed_keys", "interface_of", "resolved", "way_of"]


class Resolved(NamedTuple):
    """Where one import leads."""

    files: tuple[str, ...] = ()
    is_whole: bool = False
    """The bound name stands for the files themselves."""
    reason: str = ""
    """Why it leads to no file; empty where it does."""


class Way(NamedTuple):
    """What a bound name means: a name in files, or the files themselves where it is empty."""

    files: tuple[str, ...]
    name: str


class Base(NamedTuple):
    """A base class as it is written: a symbol of the file, something imported, or a name that has to be looked for."""

    symbol: str
    way: Way | None
    root: str
    path: str


Step = str | Way | None
"""One meaning of an exported name: a symbol of the file by its qualified name, a way on, or a way out of the tree."""


class Speaker(Protocol):
    """Facts of a file, as far as its interface needs them."""

    @property
    def qualified(self) -> Sequence[str]: ...
    @property
    def imports(self) -> Sequence[Import]: ...
    @property
    def exports(self) -> Sequence[Export]: ...
    @property
    def bases(self) -> Sequence[Reference]: ...


@frozen
class Interface:
    """Plain data; two that are equal cannot be told apart by any other file."""

    exports: dict[str, tuple[Step, ...]] = field(factory=dict)
    public: frozenset[str] = frozenset()
    """Names that an import of everything brings, without those of `stars`."""
    stars: tuple[str, ...] = ()
    """Files whose public names are all handed on."""
    wide: tuple[str, ...] = ()
    """Files whose public names are seen in this one without being named."""
    opened: tuple[str, ...] = ()
    """Those of them of which also what stands in their types is seen: `import static a.B.*`."""
    symbols: frozenset[str] = frozenset()
    """Qualified names."""
    bases: dict[str, tuple[Base, ...]] = field(factory=dict)
    """By the qualified name of the class."""


def resolved(answer: Target | Missing) -> Resolved:
    """A resolver's answer as a row."""
    if isinstance(answer, Target):
        return Resolved(tuple(answer.files), bool(answer.is_whole)) if answer.files else Resolved(reason="not found")
    return Resolved(reason=answer.reason)


def way_of(item: Import, where: Resolved) -> Way | None:
    """What the name bound by `item` means; None where it leads out of the tree, or binds everything."""
    if not where.files or item.name == "*":
        return None
    return Way(where.files, "" if where.is_whole else item.name)


def interface_of(facts: Speaker, where: Sequence[Resolved]) -> Interface:
    """`where`: for each import of the file, where it leads."""
    names, imports = facts.qualified, facts.imports
    exports: dict[str, list[Step]] = {}
    public: set[str] = set()
    stars: list[str] = []
    for export in facts.exports:
        if export.name == "*":
            stars += where[export.binding].files if export.binding >= 0 else ()
            continue
        step: Step = None
        if export.symbol >= 0:
            step = names[export.symbol]
        elif export.binding >= 0:
            step = way_of(imports[export.binding], where[export.binding])
        steps = exports.setdefault(export.name, [])
        if step not in steps:
            steps.append(step)
        if export.is_public:
            public.add(export.name)
    wide = [place.files for item, place in zip(imports, where, strict=True) if item.name == "*" and not item.local]
    return Interface(
        {name: tuple(steps) for name, steps in exports.items()},
        frozenset(public),
        _each_once(stars),
        # What was imported last hides what came before.
        _each_once(path for files in reversed(wide) for path in files),
        _each_once(
            place.files[0]
            for item, place in zip(imports, where, strict=True)
            if item.name == "*" and not item.local and place.is_whole and len(place.files) == 1
        ),
        frozenset(names),
        _bases(facts, where),
    )


def _bases(facts: Speaker, where: Sequence[Resolved]) -> dict[str, tuple[Base, ...]]:
    bases: dict[str, list[Base]] = {}
    for one in facts.bases:
        if one.inside < 0:
            continue
        way = way_of(facts.imports[one.binding], where[one.binding]) if one.binding >= 0 else None
        if one.binding >= 0 and way is None:
            continue
        symbol = facts.qualified[one.symbol] if one.symbol >= 0 else ""
        bases.setdefault(facts.qualified[one.inside], []).append(Base(symbol, way, one.root, one.path))
    return {name: tuple(found) for name, found in bases.items()}


def _each_once(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paths))


def changed_keys(old: Interface, new: Interface) -> set[str]:
    """What another file could have asked of `old` and would be told something else by `new`.

    A key is a letter and a name, as `Names` notes them: `e` an export, `p` a public name, `s` a symbol, `b` the bases
    of a class, `w` and `x` the files of `wide` and of `stars`.
    """
    names = {name for name in old.exports.keys() | new.exports.keys() if old.exports.get(name) != new.exports.get(name)}
    classes = {name for name in old.bases.keys() | new.bases.keys() if old.bases.get(name) != new.bases.get(name)}
    keys = {f"e{name}" for name in names}
    keys |= {f"p{name}" for name in old.public ^ new.public}
    keys |= {f"s{name}" for name in old.symbols ^ new.symbols}
    keys |= {f"b{name}" for name in classes}
    if (old.wide, old.opened) != (new.wide, new.opened):
        keys.add("w")
    if old.stars != new.stars:
        keys.add("x")
    return keys
