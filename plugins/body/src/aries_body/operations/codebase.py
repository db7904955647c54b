"""The class whose methods are the operations on a project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define

from aries_body.graph.communities import Community
from aries_body.graph.ranking import pagerank, ranked
from aries_body.graph.structure import Cycle, cycles, layers, shortest_path
from aries_body.graph.symbols import calls_from, calls_to
from aries_body.index.project import Project
from aries_body.index.taking import Progress, Refreshed
from aries_body.operations.catalogue import operation
from aries_body.operations.context import checked_lines, windows
from aries_body.operations.judging import Judging
from aries_body.operations.mapping import tree_of
from aries_body.operations.neighbours import evidence, neighbours, tests_for
from aries_body.operations.overview import keep_overviews, kept_signature
from aries_body.operations.paths import (
    UnknownPlace,
    checked_depth,
    checked_limit,
    near_names,
    relative,
)
from aries_body.operations.picture import page_of
from aries_body.operations.results import (
    Cluster,
    Dependency,
    Evidence,
    Found,
    HitsAnswer,
    ImportRow,
    Match,
    RankedFile,
    Signature,
    Stats,
    Summary,
    SymbolRow,
    Tested,
    Together,
    TreeEntry,
    UnusedExport,
    UseRow,
)
from aries_body.operations.searching import Searching
from aries_body.operations.signature import BUDGETS, Level, signature_of
from aries_body.operations.summarising import import_rows, stats_of, summary_of, unresolved_rows
from aries_body.operations.symbols import last_name
from aries_body.operations.unused import unused
from aries_body.operations.wanted import wanted
from aries_body.tree.source import Unreadable
from aries_kernel.errors import BadArguments, UserError

if TYPE_CHECKING:
    from aries_body.index.packs import Packs
    from aries_body.tree.limits import Limits

__all__ = ["Codebase"]


@define(eq=False, repr=False)
class Codebase(Judging):
    """Every method answers for the files as they were at the last refresh; files that were touched are looked at first.

    Paths are relative to the root with `/`; absolute ones below it and `./a.py` are understood. A path that is not
    there is an error that names close ones, never an empty answer.
    """

    @classmethod
    def open(
        cls,
        root: Path,
        *,
        cache_folder: Path | None,
        packs: Packs | None = None,
        limits: Limits | None = None,
        progress: Progress | None = None,
    ) -> Codebase:
        """The project at `root`, indexed as far as it changed. `cache_folder` None: nothing is kept."""
        return cls(Project.open(root, cache_folder=cache_folder, packs=packs, limits=limits, progress=progress))

    def close(self) -> None:
        """Keep the index for the next time, and what a session is told of the project from the start."""
        keep_overviews(self.project, self._view, self._symbols)
        self.project.close()

    def __repr__(self) -> str:
        return f"<codebase {self.project.root}: {len(self.project.sources)} source files>"

    def touched(self, paths: Iterable[str | Path]) -> None:
        """These files were written: the next operation looks at them first."""
        self._touched.update(relative(path, self.project.root) for path in paths)

    # Searching.

    @operation()
    def search(
        self, query: str, limit: int | None = 50, regex: bool = False, path: str | None = None, word: bool = False,
        offset: int = 0,
    ) -> Found[Match]:  # fmt: skip
        """Find lines in all text files, whatever the case: definitions first, then imports, calls, uses, plain text.

        Within one kind files come by how much they are about it and by their rank. `regex`: the query is a regular
        expression; `word`: only whole words; `path`: a folder, a file, or a glob such as `src/**/*.py`.
        """
        most, looked_for = checked_limit(limit), wanted(query, regex=regex, word=word)
        if isinstance(offset, bool) or not isinstance(offset, int) or offset < 0:
            raise BadArguments(f"offset must be a whole number from 0 on, not {offset!r}.")
        view = self._current()
        searching = Searching(self.project, self._texts, self._symbols, view)
        return searching.search(looked_for, None if path is None else self._filter(path), most, offset)

    @operation()
    def find_symbol(self, name: str, kind: str | None = None) -> Found[SymbolRow]:
        """Find definitions by name: `run`, `Outer.run`, `Outer::run`, `Outer#run`, or `src/a.py::run`.

        Several sites of one definition (overloads, branches) are one row. Where there is none, near names are told.
        """
        view = self._current()
        if not isinstance(name, str) or not name.strip():
            raise BadArguments("find_symbol needs a name.")
        rows = [row for row in self._symbols.find(name.strip()) if kind is None or row.kind == kind]
        if not rows:
            near = near_names(last_name(name), self._symbols.names)
            return Found(note=f"no definition is called {name}" + (f"; near: {', '.join(near)}" if near else ""))
        graph = view.graph

        def order(row: SymbolRow) -> tuple[bool, bool, int, str, int]:
            number = graph.number[row.path]
            return not row.is_exported, number in graph.tests, -len(graph.incoming.get(number, ())), row.path, row.line

        return Found.of(sorted(rows, key=order))

    @operation()
    def callers(self, symbol: str, limit: int | None = None) -> Found[UseRow]:
        """Find every use of a symbol in the project, by what it stands in."""
        most, view = checked_limit(limit), self._current()
        rows = [
            UseRow(one.source.path, one.line, one.kind, one.source.qualified, *one.target, one.is_indirect)
            for one in calls_to(self.project, view.graph, self._keys(symbol))
        ]
        return Found.of(rows, limit=most)

    @operation()
    def callees(self, symbol: str, limit: int | None = None) -> Found[UseRow]:
        """List what a symbol uses outside of itself."""
        most, _ = checked_limit(limit), self._current()
        rows = [
            UseRow(one.source.path, one.line, one.kind, one.source.qualified, *one.target, one.is_indirect)
            for key in self._keys(symbol)
            for one in calls_from(self.project, key)
        ]
        return Found.of(rows, limit=most)

    # Neighbours.

    @operation()
    def show_dependents(self, file: str, depth: int = 1, limit: int | None = None) -> Found[Dependency]:
        """List files that import or use a file, with how often; `depth`: also those that lead there in more steps."""
        most, path = checked_limit(limit), self._source(file)
        return Found.of(neighbours(self._view.graph, path, checked_depth(depth), is_up=True), limit=most)

    @operation()
    def show_dependencies(self, file: str, depth: int = 1, limit: int | None = None) -> Found[Dependency]:
        """List files that a file imports or uses, with how often; `depth`: also those they lead to."""
        most, path = checked_limit(limit), self._source(file)
        return Found.of(neighbours(self._view.graph, path, checked_depth(depth), is_up=False), limit=most)

    @operation()
    def evidence(self, from_file: str, to_file: str) -> Found[Evidence]:
        """List the lines by which one file imports or uses another one."""
        source, target = self._source(from_file), self._source(to_file)
        return Found.of(evidence(self.project, source, target))

    @operation()
    def trace_path(self, from_file: str, to_file: str, max_depth: int = 5) -> Found[str]:
        """Find a shortest way from one file to another along imports and uses; empty where there is none."""
        source, target = self._source(from_file), self._source(to_file)
        most, graph = checked_depth(max_depth, "max_depth"), self._view.graph
        way = shortest_path(graph, graph.number[source], graph.number[target], most)
        if way is None:
            return Found(note=f"no way from {source} to {target} in at most {most} steps")
        return Found.of([graph.paths[number] for number in way])

    @operation()
    def tests_for(self, file: str, limit: int | None = 20) -> Found[Tested]:
        """List tests that reach a file, those that use it or are named like it first."""
        most, path = checked_limit(limit), self._source(file)
        return Found.of(tests_for(self._view.graph, path), limit=most)

    @operation()
    def co_changes(self, file: str, limit: int | None = 10) -> Found[Together]:
        """List files that changed in the same commits as a file, from git's history; no rank uses this."""
        most, path = checked_limit(limit), self._file(file)
        history = self._view.history
        if history.skipped:
            return Found(note=f"there is no history: {history.skipped}")
        rows = [
            Together(two if one == path else one, count, count / history.changes[path])
            for (one, two), count in history.pairs.items()
            if path in (one, two)
        ]
        rows.sort(key=lambda row: (-row.commits, row.path))
        return Found.of(rows, limit=most, note=f"of the last {history.commits:,} commits")

    # The whole.

    @operation()
    def pagerank(
        self, limit: int | None = None, personalization: Mapping[str, float] | None = None
    ) -> Found[tuple[str, float]]:
        """Rank files by who leads to them, by weighted ties; `personalization`: files to look from, with weights."""
        most, graph = checked_limit(limit), self._current().graph
        if personalization is None:
            return self._ranking(self._view.ranks, most)
        start = {graph.number[self._source(path)]: weight for path, weight in personalization.items()}
        if not start or any(weight < 0 for weight in start.values()) or not sum(start.values()):
            raise BadArguments("personalization needs at least one file with a weight above 0, and none below.")
        return self._ranking(pagerank(graph, start), most)

    @operation()
    def top_files(self, limit: int | None = 10) -> Found[RankedFile]:
        """List the files that matter most, by PageRank; tests are demoted."""
        most, view = checked_limit(limit), self._current()
        if view.ranks.skipped:
            return Found(note=f"not ranked: {view.ranks.skipped}")
        rows = []
        for number, _ in ranked(view.graph, view.ranks, demoted=True):
            path = view.graph.paths[number]
            summary = self.project.rows[path].summary
            rank = round(view.ranks.values[number], 6)
            rows.append(RankedFile(path, rank, summary.symbols, summary.references, number in view.graph.tests))
        return Found.of(rows, limit=most)

    @operation()
    def hits(self, limit: int | None = None) -> HitsAnswer:
        """Rank hubs (they use much) and authorities (they are used by hubs); tests are demoted."""
        most, found = checked_limit(limit), self._current().hits
        return HitsAnswer(
            self._ranking(found.hubs, most, demoted=True), self._ranking(found.authorities, most, demoted=True)
        )

    @operation()
    def betweenness(self, limit: int | None = 10) -> Found[tuple[str, float]]:
        """Rank files by how many shortest ways between others lead through them."""
        return self._ranking(self._current().betweenness, checked_limit(limit))

    @operation()
    def communities(self, limit: int | None = None) -> Found[Community]:
        """Group files that are tied to each other more than to the rest, the largest group first."""
        most, found = checked_limit(limit), self._current().communities
        alone = f"{found.alone} files without ties belong to none" if found.alone else ""
        return Found.of(found.groups, limit=most, note=found.skipped or alone)

    @operation()
    def cycles(self, limit: int | None = None) -> Found[Cycle]:
        """List circles of imports that run when a file is loaded, the largest first."""
        return Found.of(cycles(self._current().graph), limit=checked_limit(limit))

    @operation()
    def layers(self) -> Found[tuple[str, ...]]:
        """List files by layer: the first layer leads to nothing, each next one only to those before it."""
        return Found.of([tuple(layer) for layer in layers(self._current().graph)])

    @operation()
    def unused_exports(self, limit: int | None = 50) -> Found[UnusedExport]:
        """List definitions meant for others that no other file uses or offers; those that may run by name come last."""
        most, view = checked_limit(limit), self._current()
        return Found.of(unused(self.project, view, self._symbols), limit=most)

    # Files.

    @operation()
    def get_context(self, file_path: str, line_numbers: Iterable[int] | int | None = None, window: int = 5) -> str:
        """Show lines of a file with those around them; without numbers its first 40 lines."""
        path = self._file(file_path)
        if isinstance(window, bool) or not isinstance(window, int) or window < 0:
            raise BadArguments(f"window must be a whole number from 0 on, not {window!r}.")
        try:
            lines = self._texts.lines(path)
        except Unreadable as error:
            raise UserError(f"{path} cannot be read: {error}.") from error
        lines = lines[:-1] if lines and not lines[-1] else lines
        return windows(path, lines, checked_lines(line_numbers, len(lines), path), window)

    @operation()
    def get_file_summary(self, file_path: str) -> Summary:
        """Tell what a file is: its symbols, imports, neighbours, rank and group."""
        path = self._file(file_path)
        return summary_of(self.project, self._view, self._symbols, self._texts, path)

    @operation()
    def imports_of(self, file_path: str) -> Found[ImportRow]:
        """List the imports of a file, with the files they lead to or why they lead to none."""
        return Found.of(import_rows(self.project, self._source(file_path)))

    @operation()
    def unresolved(self, limit: int | None = 50) -> Found[tuple[str, ImportRow]]:
        """List imports that should lead to a file of the project, or are computed, and lead to none."""
        most, _ = checked_limit(limit), self._current()
        return Found.of(unresolved_rows(self.project), limit=most)

    @operation()
    def list_files(self, path: str | None = None) -> Found[str]:
        """List all source files, sorted; `path`: a folder or a glob."""
        self._current()
        is_taken = self._filter(path)
        return Found.of([one for one in self.project.sources if is_taken(one)])

    @operation()
    def skipped(self) -> Found[tuple[str, str]]:
        """List what was left out, and why."""
        self._current()
        return Found.of(list(self.project.skipped.items()))

    @operation()
    def map(self, path: str = ".", max_depth: int = 5, max_entries: int = 500) -> Found[TreeEntry]:
        """Show the tree of folders and files with ranks, folders first; what does not fit is counted."""
        depth, entries = checked_depth(max_depth, "max_depth"), checked_depth(max_entries, "max_entries")
        view, top = self._current(), relative(path, self.project.root)
        if top in self.project.rows or not top or any(one.startswith(f"{top}/") for one in self.project.rows):
            ranks = view.rank_of

            def describe(one: str) -> tuple[float | None, str]:
                return ranks.get(one), self.project.rows[one].summary.language

            return Found.of(tree_of(self.project.rows, top, min(depth, 100), entries, describe))
        folders = {one.rpartition("/")[0] for one in self.project.rows} - {""}
        raise UnknownPlace("folder", path, near_names(top, folders))

    @operation()
    def stats(self) -> Stats:
        """Count files, edges, symbols and what could not be understood."""
        return stats_of(self.project, self._current(), self._symbols)

    @operation()
    def signature(self, level: Level = "standard", max_tokens: int | None = None) -> Signature:
        """Sum the project up on one page: `lean`, `standard`, `deep` or `max`, never longer than `max_tokens`.

        A level's own limit is 400, 800, 1,500 or 2,500 tokens.
        """
        view = self._current()
        if max_tokens is None and (kept := kept_signature(self.project, level)) is not None:
            return kept
        most = BUDGETS.get(level, 0) if max_tokens is None else checked_depth(max_tokens, "max_tokens")
        return signature_of(self.project, view, self._symbols, level, most)

    @operation()
    def page(self, title: str = "") -> str:
        """Draw the files as one HTML page: zoom, search, colour by community or rank; it needs no network."""
        return page_of(self._current(), title or self.project.root.name)

    @operation()
    def cluster_by_file(self, matches: Iterable[object]) -> Found[Cluster]:
        """Group matches of a search (anything with a `path` or `file`) by their files, in the order they came."""
        grouped: dict[str, list[object]] = {}
        for one in matches:
            path = _path_of(one)
            if not isinstance(path, str):
                raise BadArguments(f"{one!r} names no file: it needs a `path` or a `file`.")
            grouped.setdefault(path, []).append(one)
        return Found.of([Cluster(path, tuple(found)) for path, found in grouped.items()])

    @operation("refreshes")
    def refresh_files(self, paths: Iterable[str | Path] | None = None) -> Refreshed:
        """Take over what changed on the disk; `paths`: all that may have changed, otherwise everything is looked at."""
        if isinstance(paths, str | Path):
            paths = [paths]
        if paths is None:
            self._touched.clear()
            return self._refresh(None)
        given = {relative(path, self.project.root) for path in paths}
        touched, self._touched = self._touched | given, set()
        return self._refresh(sorted(touched))


def _path_of(match: object) -> object:
    if isinstance(match, Mapping):
        return match.get("path", match.get("file"))
    return getattr(match, "path", getattr(match, "file", None))
