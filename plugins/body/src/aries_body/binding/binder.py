"""Binding the references of one file to the definitions they mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from attrs import define, field

from aries_body.binding.interface import Resolved, Way, way_of
from aries_body.binding.names import Key, Meaning, Names
from aries_body.index.facts import Facts
from aries_kernel.contracts import Asking

__all__ = ["Answer", "Bound", "Edge", "Use", "bind", "uses_of"]


Answer = tuple[str, str, bool, bool] | None
"""What a reference means: file, symbol (empty: the file as a whole), whether all names could be followed, whether by
another file than the imported one. None: nothing of the project."""


class Use(NamedTuple):
    """A reference that was bound."""

    line: int
    kind: str
    inside: str
    """Qualified name of the innermost symbol it stands in; empty for the file itself."""
    file: str
    symbol: str
    """Qualified name of what is meant; empty for the file as a whole."""
    is_indirect: bool
    """By a re-export, a base class or a declaration: the import leads to another file than the definition."""


class Edge(NamedTuple):
    """What leads from a file to another one, summed up for one kind."""

    target: str
    is_import: bool
    kind: str
    times: int
    weight: float
    """As `times`, but an import that leads to many files counts one for all of them together."""


class Bound(NamedTuple):
    """A file with its references bound."""

    answers: tuple[Answer, ...]
    """To what the references of the file ask for (`References.asked`)."""
    edges: tuple[Edge, ...]
    leads: tuple[tuple[str, ...], ...]
    """For each import the files that it means, submodules included."""
    trace: dict[str, tuple[str, ...]]
    """Every question that was asked of other files and of this one, by path: while their answers stay, so does this."""


_NOTHING = Bound((), (), (), {})
"""Of a file that neither imports nor asks for anything."""


def bind(path: str, facts: Facts, where: Sequence[Resolved], names: Names) -> Bound:
    """`where`: where each import of the file leads."""
    if not facts.imports and not facts.uses.asked:
        return _NOTHING
    binding = _Binding(path, facts, names)
    ways = [way_of(item, place) for item, place in zip(facts.imports, where, strict=True)]
    leads = tuple(
        place.files if way is None else names.targets(path, way, binding.keys)
        for way, place in zip(ways, where, strict=True)
    )
    known: dict[tuple[int, int, str, str], Answer] = {}
    answers = []
    for asking in facts.uses.asked:
        question = asking[:4]
        if question not in known:
            known[question] = binding.answer(asking, ways, leads)
        answers.append(known[question])
    leads = tuple(
        _wanted(files, binding.seen) if item.name == "*" and not item.local and len(files) > 1 else files
        for item, files in zip(facts.imports, leads, strict=True)
    )
    trace: dict[str, set[str]] = {}
    for file, key in dict.fromkeys(binding.keys):
        trace.setdefault(file, set()).add(key)
    ordered = {file: tuple(sorted(trace[file])) for file in sorted(trace)}
    return Bound(tuple(answers), _edges(path, facts, leads, answers), leads, ordered)


def uses_of(path: str, facts: Facts, answers: Sequence[Answer]) -> Iterator[Use]:
    """The references of a file that mean something in the project, in the order of the text."""
    uses = facts.uses
    names = ("", *facts.qualified)
    for line, ask, inside in zip(uses.lines, uses.asks, uses.insides, strict=True):
        answer = answers[ask]
        if answer is None:
            continue
        file, symbol, is_exact, is_indirect = answer
        within = names[inside]
        # An attribute of its own that a class nowhere defines says nothing of the class.
        if not is_exact and file == path and f"{within}.".startswith(f"{symbol}."):
            continue
        yield Use(line, uses.asked[ask].kind if is_exact else "use", within, file, symbol, is_indirect)


@define
class _Binding:
    """The references of one file, while they are bound."""

    path: str
    facts: Facts
    names: Names
    keys: list[Key] = field(factory=list)
    seen: set[str] = field(factory=set)
    """Files with what names mean that no import names."""

    def answer(self, asking: Asking, ways: Sequence[Way | None], leads: Sequence[tuple[str, ...]]) -> Answer:
        if asking.symbol >= 0 and not asking.path:
            # Most are: nobody has to be asked.
            name = self.facts.qualified[asking.symbol]
            return (self.path, name, True, False) if name else None
        start: Meaning | None = None
        way: Way | None = None
        direct: Collection[str] = (self.path,)
        if asking.symbol >= 0:
            start = Meaning((self.path,), self.facts.qualified[asking.symbol])
        elif asking.binding >= 0:
            way, direct = ways[asking.binding], leads[asking.binding]
            start = None if way is None else self.names.follow(way, self.keys)
        else:
            start = self.names.unbound(self.path, asking.root, self.keys)
            if start is not None:
                self.seen.update(start.files)
                direct = self.names.wide(self.path, asking.root)
        if start is None:
            return None
        is_super = asking.symbol >= 0 and asking.root == "super"
        found, is_exact = self.names.walk(start, asking.path, self.keys, only_bases=is_super)
        if not is_exact and asking.symbol >= 0 and asking.path.partition(".")[0] == asking.root:
            # A bare name in a class: what that inherits, or else what the file sees.
            other = self.names.unbound(self.path, asking.root, self.keys) if found == start else None
            if other is not None:
                self.seen.update(other.files)
                direct = self.names.wide(self.path, asking.root)
                found, is_exact = self.names.walk(other, asking.path.partition(".")[2], self.keys)
        if not is_exact and asking.binding >= 0 and found == start and way is not None:
            beside = self.names.beside(way, self.keys)
            inner = self.names.walk(beside, asking.path, self.keys) if beside is not None else (found, False)
            found, is_exact = inner if inner[1] else (found, is_exact)
        # One name in a package of many files, which none of them has, says nothing of any of them.
        if len(found.files) != 1 or (found.files[0] == self.path and not found.qualified):
            return None
        # A name of a class that neither it nor its bases have says nothing of the bases.
        if is_super and not is_exact:
            return None
        file = found.files[0]
        return file, found.qualified, is_exact, file != self.path and file not in direct


def _wanted(files: tuple[str, ...], seen: set[str]) -> tuple[str, ...]:
    """Of a package that is imported with all it has, the files of which a name is used; all, where none is."""
    return tuple(file for file in files if file in seen) or files


def _edges(path: str, facts: Facts, leads: Sequence[tuple[str, ...]], answers: Sequence[Answer]) -> tuple[Edge, ...]:
    counts: dict[tuple[str, bool, str], tuple[int, float]] = {}
    for item, files in zip(facts.imports, leads, strict=True):
        for file in files:
            if file != path:
                count, weight = counts.get((file, True, item.kind), (0, 0.0))
                counts[file, True, item.kind] = count + 1, weight + 1.0 / len(files)
    uses = facts.uses
    if any(answer is not None and answer[0] != path for answer in answers):
        for ask, times in Counter(uses.asks).items():
            answer = answers[ask]
            if answer is not None and answer[0] != path:
                key = answer[0], False, uses.asked[ask].kind if answer[2] else "use"
                times += counts.get(key, (0, 0.0))[0]
                counts[key] = times, float(times)
    return tuple(Edge(*key, *counts[key]) for key in sorted(counts))
