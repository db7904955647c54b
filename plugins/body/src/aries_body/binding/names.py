"""From a name in a file to the definition it means: exports, re-exports, stars, members, bases, neighbours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from attrs import define, field

from aries_body.binding.interface import Base, Interface, Step, Way

__all__ = ["Key", "Meaning", "Names", "Neighbours"]

Key = tuple[str, str]
"""A question to one file: its path, and a letter with a name (see `changed_keys`). Beside those letters: `*` a public
name of the file and all it hands on, `m` a submodule, `d` where bodies are, `a` a name among its neighbours,
`g` a name that is given to it."""


class Meaning(NamedTuple):
    """What a name means: a symbol of a file, or files themselves where `qualified` is empty."""

    files: tuple[str, ...]
    qualified: str


class Neighbours(Protocol):
    """What the names of a file depend on beside its own text."""

    def interface(self, path: str) -> Interface: ...
    def member(self, path: str, name: str) -> str | None: ...
    def ambient(self, path: str) -> tuple[str, ...]: ...
    def definitions(self, path: str) -> tuple[str, ...]: ...
    def given(self, path: str, name: str) -> tuple[str, str] | None: ...


_Question = tuple[str, str, str, bool]
Answer = tuple[Meaning | None, tuple[Key, ...]]
"""A meaning, and every question that it took: while their answers stay the same, so does the meaning."""


@define
class Names:
    """Answers for one state of the tree. Every answer depends on the question alone, not on what was asked before."""

    _world: Neighbours
    _exports: dict[tuple[str, str], Answer] = field(factory=dict, init=False)
    _targets: dict[tuple[str, str], tuple[str, tuple[Key, ...]]] = field(factory=dict, init=False)
    _members: dict[_Question, Answer] = field(factory=dict, init=False)
    _stars: dict[str, dict[str, str]] = field(factory=dict, init=False)
    _groups: dict[frozenset[str], dict[str, list[str]]] = field(factory=dict, init=False)
    _group_of: dict[str, dict[str, list[str]]] = field(factory=dict, init=False)
    _given: dict[tuple[str, str], str] = field(factory=dict, init=False)
    """The files that names turned out to be given by."""
    _asking: set[_Question] = field(factory=set, init=False)
    _cuts: int = field(default=0, init=False)

    def follow(self, way: Way, keys: list[Key]) -> Meaning | None:
        """What a binding means. `keys` gets the questions."""
        if not way.name:
            return Meaning(way.files, "")
        for path in way.files:
            found = self.export(path, way.name, keys)
            if found is not None:
                return found
        return None

    def beside(self, way: Way, keys: list[Key]) -> Meaning | None:
        """The module that a binding means as well, where its name is that of a function and of a module."""
        for path in way.files:
            keys.append((path, f"e{way.name}"))
            steps = self._world.interface(path).exports.get(way.name, ())
            for step in steps[1:]:
                if isinstance(step, Way) and not step.name:
                    return Meaning(step.files, "")
        return None

    def walk(self, start: Meaning, path: str, keys: list[Key], *, only_bases: bool = False) -> tuple[Meaning, bool]:
        """From a meaning along names joined by dots; False where not all of them could be followed.

        `only_bases`: the first name is not looked for in the class itself.
        """
        if not path:
            return start, True
        meaning = start
        for name in path.split("."):
            found = self._below(meaning, name, keys, only_bases)
            if found is None:
                return meaning, False
            meaning, only_bases = found, False
        return meaning, True

    def _below(self, meaning: Meaning, name: str, keys: list[Key], only_bases: bool) -> Meaning | None:
        for path in meaning.files:
            if meaning.qualified:
                found = self.member(path, meaning.qualified, name, keys, only_bases=only_bases)
            else:
                found = self.export(path, name, keys)
            if found is not None:
                return found
        return None

    def export(self, path: str, name: str, keys: list[Key]) -> Meaning | None:
        """What a file gives to whoever asks it for `name`."""
        answer = self._exports.get((path, name))
        if answer is None:
            answer = self._exports[path, name] = self._ask_export(path, name)
        keys += answer[1]
        return answer[0]

    def targets(self, path: str, way: Way, keys: list[Key]) -> tuple[str, ...]:
        """The files that an import in `path` leads to: a submodule where that is what it wants of a package."""
        if not way.name:
            return way.files
        if len(way.files) == 1:
            return (self._target(path, way.files[0], way.name, keys),)
        return tuple(dict.fromkeys(self._target(path, file, way.name, keys) for file in way.files))

    def _target(self, path: str, file: str, name: str, keys: list[Key]) -> str:
        if file == path:
            return self._ask_target(path, file, name, keys)
        known = self._targets.get((file, name))
        if known is None:
            asked: list[Key] = []
            known = self._targets[file, name] = self._ask_target(path, file, name, asked), tuple(asked)
        keys += known[1]
        return known[0]

    def _ask_target(self, path: str, file: str, name: str, keys: list[Key]) -> str:
        interface = self._world.interface(file)
        keys.append((file, f"e{name}"))
        steps = interface.exports.get(name)
        if file != path:
            if steps is None and interface.stars and self._handed_on(file, name, keys) is not None:
                return file
            if steps is not None and all(isinstance(step, str) or step is None for step in steps):
                return file
        keys.append((file, f"m{name}"))
        inner = self._world.member(file, name)
        if inner is None:
            return file
        is_submodule = file == path or not steps or Way((inner,), "") in steps or Way((file,), name) in steps
        return inner if is_submodule else file

    def _ask_export(self, path: str, name: str) -> Answer:
        keys: list[Key] = []
        seen: set[tuple[str, str]] = set()
        # Ways still to try, the next one last: a definition ends the search, a dead end goes on with the one before.
        waiting: list[tuple[str, str, str]] = [("look", path, name)]
        while waiting:
            what, where, wanted = waiting.pop()
            if what == "found":
                return Meaning((self._body(where, wanted, keys),), wanted), tuple(keys)
            if what == "file":
                return Meaning(tuple(where.split("\0")), ""), tuple(keys)
            if what == "member":
                keys.append((where, f"m{wanted}"))
                inner = self._world.member(where, wanted)
                if inner is not None:
                    return Meaning((inner,), ""), tuple(keys)
            elif (where, wanted) not in seen:
                seen.add((where, wanted))
                waiting.append(("member", where, wanted))
                waiting += self._steps(where, wanted, keys)
        return None, tuple(keys)

    def _steps(self, path: str, name: str, keys: list[Key]) -> Iterable[tuple[str, str, str]]:
        interface = self._world.interface(path)
        keys.append((path, f"e{name}"))
        steps: tuple[Step, ...] | None = interface.exports.get(name)
        if steps is None:
            if not interface.stars:
                keys.append((path, "x"))
                return ()
            owner = self._handed_on(path, name, keys)
            return () if owner is None or owner == path else (("look", owner, name),)
        found: list[tuple[str, str, str]] = []
        for step in reversed(steps):
            if isinstance(step, str):
                found.append(("found", path, step))
            elif step is not None and not step.name:
                found.append(("file", "\0".join(step.files), ""))
            elif step is not None:
                found += [("look", file, step.name) for file in reversed(step.files)]
        return found

    def _handed_on(self, path: str, name: str, keys: list[Key]) -> str | None:
        """The file whose public `name` comes with an import of everything from `path`."""
        keys.append((path, f"*{name}"))
        if path not in self._stars:
            self._stars[path] = self._public_names(path)
        return self._stars[path].get(name)

    def _public_names(self, path: str) -> dict[str, str]:
        names: dict[str, str] = {}
        seen: set[str] = set()
        waiting = [path]
        while waiting:
            here = waiting.pop()
            if here in seen:
                continue
            seen.add(here)
            interface = self._world.interface(here)
            for name in interface.public:
                names.setdefault(name, here)
            waiting += reversed(interface.stars)
        return names

    def unbound(self, path: str, name: str, keys: list[Key]) -> Meaning | None:
        """What a name means that `path` neither defines nor imports by name."""
        interface = self._world.interface(path)
        keys.append((path, "w"))
        for file in interface.wide:
            owner = self._handed_on(file, name, keys)
            if owner is not None:
                return self.export(owner, name, keys)
        for file in interface.opened:
            keys.append((file, f"e{name}"))
            opened = self._world.interface(file)
            if _is_inner(opened, name, opened.exports.get(name, (None,))):
                return self.export(file, name, keys)
        owner = self._neighbour(path, name, keys)
        if owner is not None:
            return self.export(owner, name, keys)
        keys.append((path, f"g{name}"))
        given = self._world.given(path, name)
        if given is None:
            return None
        self._given[path, name] = given[0]
        return self.export(*given, keys)

    def wide(self, path: str, name: str) -> tuple[str, ...]:
        """Files that `path` sees without an import of `name`: those it imports whole, its neighbours, what is given."""
        given = self._given.get((path, name))
        found = (*self._world.interface(path).wide, *self._world.ambient(path))
        return found if given is None else (*found, given)

    def _neighbour(self, path: str, name: str, keys: list[Key]) -> str | None:
        """The nearest of the files that `path` sees without an import which has `name`."""
        keys.append((path, f"a{name}"))
        if path not in self._group_of:
            ambient = self._world.ambient(path)
            self._group_of[path] = self._group(frozenset((path, *ambient))) if ambient else {}
        found = self._group_of[path].get(name)
        if not found:
            return None
        others = [file for file in found if file != path]
        if len(others) < 2:
            return others[0] if others else None
        rank = {file: number for number, file in enumerate(self._world.ambient(path))}
        return min(others, key=lambda file: rank.get(file, len(rank)))

    def _group(self, files: frozenset[str]) -> dict[str, list[str]]:
        # Files of a package see each other: one table serves them all.
        if files not in self._groups:
            table: dict[str, list[str]] = {}
            for path in sorted(files):
                interface = self._world.interface(path)
                names = {name for name, steps in interface.exports.items() if not _is_inner(interface, name, steps)}
                names |= {one for one in interface.symbols if "." in one}
                for name in names:
                    table.setdefault(name, []).append(path)
            self._groups[files] = table
        return self._groups[files]

    def member(self, path: str, owner: str, name: str, keys: list[Key], *, only_bases: bool = False) -> Meaning | None:
        """What `name` is in the symbol `owner` of a file: its own, or what it has from a base."""
        question = (path, owner, name, only_bases)
        answer = self._members.get(question)
        if answer is None:
            if question in self._asking:
                self._cuts += 1
                return None
            answer = self._remembered(question)
        keys += answer[1]
        return answer[0]

    def _remembered(self, question: _Question) -> Answer:
        before = self._cuts
        is_outermost = not self._asking
        self._asking.add(question)
        try:
            answer = self._ask_member(*question)
        finally:
            self._asking.discard(question)
        # Within a circle an inner answer depends on where the circle was entered; it must not be taken elsewhere.
        if self._cuts == before or is_outermost:
            self._members[question] = answer
        return answer

    def _ask_member(self, path: str, owner: str, name: str, only_bases: bool) -> Answer:
        keys: list[Key] = []
        seen: set[tuple[str, str]] = set()
        waiting = [(path, owner)]
        while waiting:
            here = waiting.pop()
            if here in seen:
                continue
            seen.add(here)
            where, class_name = here
            wanted = f"{class_name}.{name}"
            if not only_bases or here != (path, owner):
                place = self._defined(where, wanted, keys)
                if place is not None:
                    return Meaning((place,), wanted), tuple(keys)
            keys.append((where, f"b{class_name}"))
            bases: list[tuple[str, str]] = []
            for base in self._world.interface(where).bases.get(class_name, ()):
                found = self._base(where, base, keys)
                if found is not None and found.qualified:
                    bases += [(file, found.qualified) for file in found.files]
            waiting += reversed(bases)
        return None, tuple(keys)

    def _base(self, path: str, base: Base, keys: list[Key]) -> Meaning | None:
        if base.symbol:
            start: Meaning | None = Meaning((path,), base.symbol)
        elif base.way is not None:
            start = self.follow(base.way, keys)
        else:
            start = self.unbound(path, base.root, keys)
        if start is None:
            return None
        found, is_all = self.walk(start, base.path, keys)
        return found if is_all else None

    def _defined(self, path: str, qualified: str, keys: list[Key]) -> str | None:
        keys.append((path, f"s{qualified}"))
        if qualified in self._world.interface(path).symbols:
            return self._body(path, qualified, keys)
        # A method may stand in another file of the package than its type.
        return self._neighbour(path, qualified, keys)

    def _body(self, path: str, qualified: str, keys: list[Key]) -> str:
        """The file with the body of what `path` declares; `path` itself where nobody else has one."""
        keys.append((path, "d"))
        for file in self._world.definitions(path):
            keys.append((file, f"s{qualified}"))
            if qualified in self._world.interface(file).symbols:
                return file
        return path


def _is_inner(interface: Interface, name: str, steps: tuple[Step, ...]) -> bool:
    """Whether it is a short name for what stands in something else: only an import that names it may ask for it so."""
    return name not in interface.public and all(isinstance(step, str) and "." in step for step in steps)
