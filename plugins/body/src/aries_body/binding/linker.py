"""All files with their references bound, kept right while files change.

What was bound rests on answers to questions that were noted with it. After a change the questions whose answers differ
are known, and only files that asked one of them are bound again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple, Protocol

from attrs import define, field

from aries_body.binding.binder import Answer, Bound, Edge, Use, bind, uses_of
from aries_body.binding.interface import Interface, Resolved, changed_keys, interface_of
from aries_body.binding.names import Names
from aries_body.binding.resolving import Resolving
from aries_body.index.facts import Damaged, Facts, checksum, pack_value, unpack_value
from aries_body.index.store import Store

__all__ = ["UNRESOLVED", "Change", "Library", "Link", "Linker"]

UNRESOLVED = ("not found", "dynamic")
"""Reasons that are worth looking at; what is external is as it should be."""

ANYTHING = "!"
"""The key that stands for every question to a file."""


class Library(Protocol):
    """Facts of the files as they are now."""

    @property
    def sources(self) -> Iterable[str]: ...
    def facts(self, path: str) -> Facts: ...


class Link(NamedTuple):
    """What is always at hand of a file that was bound."""

    edges: tuple[Edge, ...]
    asked: tuple[str, ...]
    """Files that were asked a question."""
    stars: tuple[str, ...]
    """Files whose names it hands on."""
    unresolved: int
    """Imports that should lead to a file of the project, or are computed, and lead to none."""
    id: int
    """Where the rest is kept."""


@define
class Change:
    """What happened to the sources since the last time."""

    added: set[str] = field(factory=set)
    removed: set[str] = field(factory=set)
    changed: dict[str, Facts | None] = field(factory=dict)
    """With the facts of before; None where those are not known any more."""
    families: set[str] = field(factory=set)
    """Families whose resolvers may answer differently."""

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed or self.families)


@define
class _Kept:
    """What is unpacked of a bound file when it is needed."""

    where: tuple[Resolved, ...]
    leads: tuple[tuple[str, ...], ...]
    trace: dict[str, tuple[str, ...]]


class _World:
    """What names depend on: interfaces of files, and what resolvers say."""

    def __init__(self, linker: Linker, fresh: dict[str, tuple[Resolved, ...]]) -> None:
        self._linker, self._fresh = linker, fresh
        self._interfaces: dict[str, Interface] = {}
        resolving = linker.resolving
        self.member, self.ambient, self.definitions = resolving.member, resolving.ambient, resolving.definitions
        self.given = resolving.given

    def interface(self, path: str) -> Interface:
        found = self._interfaces.get(path)
        if found is None:
            found = self._interfaces[path] = interface_of(self._linker.library.facts(path), self.where(path))
        return found

    def where(self, path: str) -> tuple[Resolved, ...]:
        """Where the imports of a file lead now."""
        fresh = self._fresh.get(path)
        return self._linker.where(path) if fresh is None else fresh


@define
class Linker:
    """See the module."""

    library: Library
    resolving: Resolving
    store: Store
    links: dict[str, Link] = field(factory=dict)
    _askers: dict[str, set[str]] | None = field(default=None, init=False)
    """Who asked a file something, by the file; built when it is first needed."""

    def where(self, path: str) -> tuple[Resolved, ...]:
        """Where each import of a file leads."""
        items, before = self.library.facts(path).imports, self._where_before(path)
        # What the cache lost, or does not fit a file that changed unseen, is asked anew.
        fits = before is not None and len(before) == len(items)
        return before if before is not None and fits else self.resolving.imports(path, items)

    def leads(self, path: str) -> tuple[tuple[str, ...], ...]:
        """The files that each import of a file means: of a package, the submodule where that is what it wants."""
        kept = self._kept_before(path)
        return self._bind_again(path).leads if kept is None else kept.leads

    def uses(self, path: str) -> tuple[Use, ...]:
        """The references of a file that mean something in the project."""
        facts = self.library.facts(path)
        row = self.store.bound_answers(self.links[path].id)
        answers: tuple[Answer, ...] | None = None
        if row is not None:
            try:
                of_what, answers = unpack_value(row)
            except (Damaged, ValueError, TypeError):
                answers = None
            # The cache may have lost what the file said then, and the disk have another text by now.
            if answers is not None and of_what != checksum(facts.parts.uses):
                answers = None
        if answers is None:
            answers = self._bind_again(path).answers
        return tuple(uses_of(path, facts, answers))

    def update(self, change: Change) -> set[str]:
        """Make everything right again; gives the files that were bound anew."""
        if not change:
            return set()
        resolving = self.resolving
        for family in change.families:
            resolving.renew(family)
        fresh: dict[str, tuple[Resolved, ...]] = {}
        differing: dict[str, set[str]] = {path: {ANYTHING} for path in change.removed}
        world = _World(self, fresh)
        for path in sorted(change.added):
            fresh[path] = resolving.imports(path, self.library.facts(path).imports)
            # Facts are at hand now; later they would have to be unpacked again.
            world.interface(path)
        again = set(change.added)
        for path, before in change.changed.items():
            fresh[path] = resolving.imports(path, self.library.facts(path).imports)
            again.add(path)
            differing[path] = self._difference(path, before, fresh[path])
        if change.families:
            again |= self._resolve_again(change, fresh, differing)
            self._ask_again(change, differing)
        if self.links:
            self._spread(differing, fresh, world)
            again |= self._affected(differing) & self.links.keys()
        again -= change.removed
        for path in change.removed:
            self._forget(path)
        self._bind(sorted(again), world)
        return again

    def _resolve_again(
        self, change: Change, fresh: dict[str, tuple[Resolved, ...]], differing: dict[str, set[str]]
    ) -> set[str]:
        """Imports of whole families; gives the files of which one leads elsewhere now."""
        moved: set[str] = set()
        for path in self.links:
            if path in fresh or path in change.removed or self.resolving.family_of(path) not in change.families:
                continue
            facts = self.library.facts(path)
            now, before = self.resolving.imports(path, facts.imports), self._where_before(path)
            if now != before:
                fresh[path] = now
                moved.add(path)
                old = None if before is None else interface_of(facts, before)
                keys = {ANYTHING} if old is None else changed_keys(old, interface_of(facts, now))
                differing.setdefault(path, set()).update(keys)
        return moved

    def _ask_again(self, change: Change, differing: dict[str, set[str]]) -> None:
        """Members, neighbours and bodies, where the resolver may say something else now."""
        resolving = self.resolving
        for family in change.families:
            asked = resolving.asked.get(family)
            if asked is None:
                continue
            for path in [path for path in asked.ambient if path in change.removed]:
                del asked.ambient[path]
            for path in [path for path in asked.definitions if path in change.removed]:
                del asked.definitions[path]
            for question in [one for one in asked.members if one[0] in change.removed]:
                del asked.members[question]
            for question in [one for one in asked.given if one[0] in change.removed]:
                del asked.given[question]
            for (path, name), given in list(asked.given.items()):
                asked.given[path, name] = resolving.ask_given(path, name)
                if asked.given[path, name] != given:
                    differing.setdefault(path, set()).add(f"g{name}")
            for (path, name), inner in list(asked.members.items()):
                asked.members[path, name] = resolving.ask_member(path, name)
                if asked.members[path, name] != inner:
                    differing.setdefault(path, set()).add(f"m{name}")
            for path, files in list(asked.ambient.items()):
                asked.ambient[path] = resolving.ask_ambient(path)
                if asked.ambient[path] != files:
                    differing.setdefault(path, set()).add("a")
            for path, files in list(asked.definitions.items()):
                asked.definitions[path] = resolving.ask_definitions(path)
                if asked.definitions[path] != files:
                    differing.setdefault(path, set()).add("d")

    def _difference(self, path: str, before: Facts | None, now: tuple[Resolved, ...]) -> set[str]:
        """The questions to a changed file that are answered differently now."""
        where = self._where_before(path)
        if before is None or where is None:
            return {ANYTHING}
        try:
            old = interface_of(before, where)
        except (Damaged, ValueError):
            return {ANYTHING}
        return changed_keys(old, interface_of(self.library.facts(path), now))

    def _spread(self, differing: dict[str, set[str]], fresh: Collection[str], world: _World) -> None:
        """What differs in one file differs in those that hand its names on, and for its neighbours."""
        over = {path: keys for path, keys in differing.items() if keys}
        if not over:
            return
        holders: dict[str, set[str]] = {}
        for path, link in self.links.items():
            for file in link.stars:
                holders.setdefault(file, set()).add(path)
        for path in fresh:
            for file in world.interface(path).stars:
                holders.setdefault(file, set()).add(path)
        for path, keys in over.items():
            are_all = bool({ANYTHING, "x"} & keys)
            names = {"*"} if are_all else {f"*{key[1:]}" for key in keys if key[0] == "p"}
            for holder in _upwards(path, holders) if names else ():
                differing.setdefault(holder, set()).update(names)
        self._spread_to_neighbours(over, differing)

    def _spread_to_neighbours(self, over: dict[str, set[str]], differing: dict[str, set[str]]) -> None:
        for asked in self.resolving.asked.values():
            for path, files in asked.ambient.items():
                for file in files:
                    keys = over.get(file)
                    if keys:
                        names = {"a"} if ANYTHING in keys else {f"a{key[1:]}" for key in keys if key[0] in "es"}
                        differing.setdefault(path, set()).update(names)

    def _affected(self, differing: dict[str, set[str]]) -> set[str]:
        """The files that asked a question with another answer."""
        found: set[str] = set()
        for path, keys in differing.items():
            if not keys:
                continue
            for asker in self._all_askers().get(path, ()):
                if asker in found or asker not in self.links:
                    continue
                trace = self._trace_of(asker)
                if ANYTHING in keys or trace is None or _meets(trace.get(path, ()), keys):
                    found.add(asker)
        return found

    def _bind(self, paths: list[str], world: _World) -> None:
        names = Names(world)
        rows: list[tuple[bytes, bytes]] = []
        made: list[tuple[str, Bound]] = []
        for path in paths:
            where = world.where(path)
            facts = self.library.facts(path)
            bound = bind(path, facts, where, names)
            kept = (tuple(map(tuple, where)), bound.leads, bound.trace)
            rows.append((pack_value(kept), pack_value((checksum(facts.parts.uses), bound.answers))))
            # The answers are kept by now: a large tree has a hundred thousand.
            made.append((path, bound._replace(answers=(), leads=())))
        identifiers = self.store.keep_bound(rows)
        for (path, bound), identifier in zip(made, identifiers, strict=True):
            unresolved = sum(one.reason in UNRESOLVED for one in world.where(path))
            stars = world.interface(path).stars
            self._forget(path)
            self.links[path] = Link(bound.edges, tuple(bound.trace), stars, unresolved, identifier)
            if self._askers is not None:
                for file in bound.trace:
                    self._askers.setdefault(file, set()).add(path)

    def _forget(self, path: str) -> None:
        link = self.links.pop(path, None)
        if link is not None and self._askers is not None:
            for file in link.asked:
                self._askers.get(file, set()).discard(path)

    def _all_askers(self) -> dict[str, set[str]]:
        if self._askers is None:
            self._askers = {}
            for path, link in self.links.items():
                for file in link.asked:
                    self._askers.setdefault(file, set()).add(path)
        return self._askers

    def _kept_before(self, path: str) -> _Kept | None:
        link = self.links.get(path)
        row = None if link is None else self.store.bound_rest(link.id)
        if row is None:
            return None
        try:
            where, leads, trace = unpack_value(row)
            return _Kept(tuple(Resolved(*one) for one in where), leads, trace)
        except (Damaged, ValueError, TypeError):
            return None

    def _where_before(self, path: str) -> tuple[Resolved, ...] | None:
        kept = self._kept_before(path)
        return None if kept is None else kept.where

    def _trace_of(self, path: str) -> dict[str, tuple[str, ...]] | None:
        kept = self._kept_before(path)
        return None if kept is None else kept.trace

    def _bind_again(self, path: str) -> Bound:
        facts = self.library.facts(path)
        where = self.resolving.imports(path, facts.imports)
        return bind(path, facts, where, Names(_World(self, {path: where})))


def _upwards(path: str, holders: dict[str, set[str]]) -> set[str]:
    """The file, and all that hand its names on, near or far."""
    found: set[str] = set()
    waiting = [path]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += holders.get(here, ())
    return found


def _meets(asked: Iterable[str], keys: set[str]) -> bool:
    """Whether one of the questions is among those with another answer; `*` and `a` stand for all of their letter."""
    wide = tuple(one for one in ("*", "a") if one in keys)
    return any(one in keys or (bool(wide) and one.startswith(wide)) for one in asked)
