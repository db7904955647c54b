"""An open project with what was computed from it, brought up to date before each answer."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from aries_body.graph.ranking import Ranks, ranked
from aries_body.graph.symbols import SymbolKey
from aries_body.index.project import Project
from aries_body.index.taking import Refreshed
from aries_body.judgement.library import Library
from aries_body.operations.paths import UnknownPlace, known_path, near_names, near_paths, refuse_left_out, relative
from aries_body.operations.results import Found
from aries_body.operations.symbols import Symbols, last_name
from aries_body.operations.texts import Texts
from aries_body.operations.view import View
from aries_kernel.errors import BadArguments, UserError

__all__ = ["State"]


@define(eq=False, repr=False)
class State:
    """What the operations share."""

    project: Project
    _texts: Texts = field(init=False)
    _symbols: Symbols = field(init=False)
    _view: View = field(init=False)
    _library: Library = field(init=False)
    _touched: set[str] = field(factory=set, init=False)
    """Files that were written since the last look."""

    def __attrs_post_init__(self) -> None:
        self._texts, self._symbols, self._view = Texts(self.project), Symbols(self.project), View(self.project)
        self._library = Library(self.project)

    def _refresh(self, paths: list[str] | None) -> Refreshed:
        before, sources = self.project.generation, self.project.sources
        found = self.project.refresh(paths)
        self._texts.touch(found.texts)
        self._symbols.touch({*found.added, *found.changed, *found.removed, *found.bound})
        self._library.touch({*found.added, *found.changed, *found.removed})
        if paths is None:
            self._view.forget_history()
        if self.project.sources is not sources:
            self._view = View(self.project)
        elif self.project.generation != before:
            self._view = self._view.updated(found.bound)
        return found

    def _current(self) -> View:
        if self._touched:
            touched, self._touched = sorted(self._touched), set()
            self._refresh(touched)
        return self._view

    def _file(self, given: object) -> str:
        self._current()
        return known_path(given, self.project.root, self.project.rows, lambda: self.project.skipped)

    def _source(self, given: object) -> str:
        path = self._file(given)
        row = self.project.rows[path]
        if row.is_source:
            return path
        raise UserError(f"{path} is not in the graph: {row.skipped or 'no language pack reads such files'}.")

    def _keys(self, symbol: str) -> list[SymbolKey]:
        rows = self._symbols.find(symbol.strip())
        if not rows:
            raise UnknownPlace("symbol", symbol, near_names(last_name(symbol), self._symbols.names))
        return [SymbolKey(row.path, row.name) for row in rows]

    def _filter(self, path: str | None) -> Callable[[str], bool]:
        if path is None:
            return lambda one: True
        if isinstance(path, str) and any(sign in path for sign in "*?["):
            from pathspec import GitIgnoreSpec

            try:
                spec = GitIgnoreSpec.from_lines([path])
            except ValueError as error:
                raise BadArguments(f"{path!r} is no glob: {error}.") from error
            return lambda one: bool(spec.match_file(one))
        top = relative(path, self.project.root)
        if top and not any(one == top or one.startswith(f"{top}/") for one in self.project.rows):
            refuse_left_out(top, self.project.skipped)
            raise UnknownPlace("file or folder", path, near_paths(top, self.project.rows))
        return lambda one: not top or one == top or one.startswith(f"{top}/")

    def _ranking(self, ranks: Ranks, limit: int | None, *, demoted: bool = False) -> Found[tuple[str, float]]:
        if ranks.skipped:
            return Found(note=f"not ranked: {ranks.skipped}")
        graph = self._view.graph
        rows = [(graph.paths[number], value) for number, value in ranked(graph, ranks, demoted=demoted)]
        return Found.of(rows, limit=limit, note=ranks.note)
