"""The repository on one page: what a reader who has never seen it should know first, within a budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

from attrs import frozen

from aries_body.graph.ranking import Ranks, ranked
from aries_body.operations.results import CHARACTERS_PER_TOKEN, Signature
from aries_body.operations.symbols import Symbols
from aries_body.operations.view import View
from aries_kernel.errors import BadArguments

if TYPE_CHECKING:
    from aries_body.index.project import Project

__all__ = ["BUDGETS", "Level", "signature_of"]

Level = Literal["lean", "standard", "deep", "max"]
BUDGETS: Final[Mapping[Level, int]] = {"lean": 400, "standard": 800, "deep": 1500, "max": 2500}
"""Tokens that a level never goes beyond, unless it is given more or less."""
_TYPES = frozenset({"class", "interface", "enum", "type", "struct", "trait"})
_LEAST_NAME = 3


@frozen
class _Sizes:
    """How many of each a level shows."""

    top: int
    authorities: int
    hubs: int
    modules: int
    types: int
    symbols: int
    has_docs: bool = False


_LEVELS = {
    "lean": _Sizes(3, 3, 3, 3, 3, 0),
    "standard": _Sizes(5, 5, 5, 8, 6, 4),
    "deep": _Sizes(8, 8, 8, 12, 10, 8, True),
    "max": _Sizes(15, 15, 12, 20, 15, 16, True),
}


def signature_of(project: Project, view: View, symbols: Symbols, level: Level, max_tokens: int) -> Signature:
    """Never longer than the budget: rows are left out, those of the longest section first.

    Raises: BadArguments for a level that there is not.
    """
    sizes = _LEVELS.get(level)
    if sizes is None:
        raise BadArguments(f"There is no level {level!r}; there are {', '.join(_LEVELS)}.")
    rows = [project.rows[path].summary for path in project.sources]
    edges = sum(map(len, view.graph.leading))
    head = f"# Codebase: {len(rows):,} files, {edges:,} edges, {sum(row.symbols for row in rows):,} symbols"
    describe = _Describing(project, view, symbols, sizes)
    sections = {
        "Top": describe.files(view.ranks, sizes.top),
        "Authorities": describe.files(view.hits.authorities, sizes.authorities),
        "Hubs": describe.files(view.hits.hubs, sizes.hubs),
        "Modules": describe.modules(),
        "Type hubs": describe.types(),
    }
    note = view.ranks.skipped
    while True:
        markdown = _joined(head, sections, note)
        longest = max(sections, key=lambda name: sum(map(len, sections[name])))
        if len(markdown) <= max_tokens * CHARACTERS_PER_TOKEN or not sections[longest]:
            break
        sections[longest] = sections[longest][:-1]
    markdown = markdown[: max_tokens * CHARACTERS_PER_TOKEN]
    return Signature.of(level, markdown)


def _joined(head: str, sections: dict[str, list[str]], note: str) -> str:
    parts = [head, *([f"Not ranked: {note}."] if note else [])]
    parts += [f"## {name}\n" + "\n".join(lines) for name, lines in sections.items() if lines]
    return "\n\n".join(parts)


@frozen
class _Describing:
    project: Project
    view: View
    symbols: Symbols
    sizes: _Sizes

    def files(self, ranks: Ranks, count: int) -> list[str]:
        """Files by a rank, tests left out, each with its own definitions."""
        graph = self.view.graph
        found = ranked(graph, ranks, demoted=False) if ranks.values else []
        chosen = [graph.paths[number] for number, value in found if value > 0 and number not in graph.tests][:count]
        return [f"- {path}{self._about(path)}" for path in chosen]

    def _about(self, path: str) -> str:
        if not self.sizes.symbols:
            return ""
        facts, used = self.project.facts(path), self.view.used[0]
        outermost = self.symbols.rows(path, [one for one in facts.symbols if one.parent < 0 and one.exported])
        outermost.sort(key=lambda row: (-used[self.symbols.key_of(row)], row.line))
        names = ", ".join(row.name for row in outermost[: self.sizes.symbols])
        doc = f" {facts.doc}" if self.sizes.has_docs and facts.doc else ""
        return f":{doc} {names}".rstrip(" :") if doc or names else ""

    def modules(self) -> list[str]:
        """Groups of at least two files."""
        groups = [one for one in self.view.communities.groups if len(one.members) > 1][: self.sizes.modules]
        return [f"- {one.name} ({len(one.members)} files){self._central(one.members)}" for one in groups]

    def _central(self, members: Sequence[str]) -> str:
        tests, number = self.view.graph.tests, self.view.graph.number
        own = [path for path in members if number[path] not in tests][: 10 if self.sizes.has_docs else 0]
        return f": {', '.join(own)}" if own else ""

    def types(self) -> list[str]:
        """Types that most other files use."""
        found = []
        for key, count in self.view.used[0].items():
            name = key.qualified.rpartition(".")[2]
            if len(name) >= _LEAST_NAME and self.view.graph.number[key.path] not in self.view.graph.tests:
                found.append((-count, key.path, key.qualified))
        lines: list[str] = []
        for negative, path, qualified in sorted(found):
            if len(lines) == self.sizes.types:
                break
            kinds = {one.kind for one in self.project.facts(path).symbols if one.qualified == qualified}
            if kinds & _TYPES:
                lines.append(f"- {qualified} ({path}, used by {-negative} file{'s' * (negative != -1)})")
        return lines
