"""Where includes of C and C++ files lead."""

from __future__ import annotations

from collections.abc import Iterable

from aries_kernel.contracts import Import, Missing, Project, Target
from aries_language_c.folders import Folders, include_folders
from aries_language_c.standard import STANDARD_HEADERS
from aries_language_syntax.tree import chain, folder_of, joined, nearest

__all__ = ["IncludeResolver"]

_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".m", ".mm")
_TEMPLATES = (".in", ".cmake", ".cmake.in", ".cmakein", ".meson", ".template", ".tmpl")
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++")


class IncludeResolver:
    """Beside the file, in folders that the build names, its own first, at last by the only path that ends so."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._folders: Folders | None = None
        self._by_name: dict[str, list[str]] | None = None
        self._by_stem: dict[str, list[str]] | None = None

    def resolve(self, path: str, item: Import) -> Target | Missing:
        """The header."""
        written = item.module
        if not written:
            return Missing("dynamic")
        is_angled = item.text.startswith("<")
        found = None if is_angled else self._at(folder_of(path), written)
        found = found or self._in_folders(path, written)
        if found is None and written not in STANDARD_HEADERS and not self._is_made(written):
            found = self._by_end(path, written, is_angled=is_angled)
        if found is None:
            return Missing("external" if is_angled or written in STANDARD_HEADERS else "not found")
        return Target((found,), is_whole=True)

    def member(self, path: str, name: str) -> str | None:
        """A header holds no files."""
        return None

    def ambient(self, path: str) -> list[str]:
        """Nothing is seen without an include."""
        return []

    def definitions(self, path: str) -> list[str]:
        """Source files with the name of a header: beside it, or the nearest ones."""
        stem, _, suffix = path.rpartition("/")[2].rpartition(".")
        if f".{suffix.lower()}" not in _HEADERS:
            return []
        if self._by_stem is None:
            self._by_stem = {}
            for file in self._project.files:
                name = file.rpartition("/")[2]
                if name.lower().endswith(_SOURCES):
                    self._by_stem.setdefault(name.rpartition(".")[0], []).append(file)
        files = self._by_stem.get(stem, [])
        beside = [file for file in files if folder_of(file) == folder_of(path)]
        if beside or not files:
            return beside
        return [nearest(path, files)]

    def _at(self, folder: str, written: str) -> str | None:
        place = joined(folder, written)
        return place if place is not None and self._project.has(place) else None

    def _in_folders(self, path: str, written: str) -> str | None:
        if self._folders is None:
            self._folders = include_folders(self._project)
        for build in chain(folder_of(path)):
            own = self._all_at(self._folders.by_build.get(build, ()), written)
            if own:
                return nearest(path, own, in_order=True)
        found = self._all_at(self._folders.all, written)
        return nearest(path, found) if found else None

    def _all_at(self, folders: Iterable[str], written: str) -> list[str]:
        places = (self._at(folder, written) for folder in folders)
        return list(dict.fromkeys(place for place in places if place is not None))

    def _is_made(self, written: str) -> bool:
        """Whether a build makes this header: then another one of its name, somewhere in the tree, is not meant."""
        name = written.rpartition("/")[2]
        return name == "config.h" or any(self._project.find(name + ending) for ending in _TEMPLATES)

    def _by_end(self, path: str, written: str, *, is_angled: bool) -> str | None:
        """Headers whose paths end as written; from a source folder around the file before any other."""
        folder = folder_of(path)
        while not is_angled or "/" in written:
            place = self._at(folder, written)
            if place is not None:
                return place
            if not folder:
                break
            folder = folder_of(folder)
        if self._by_name is None:
            self._by_name = {}
            for file in self._project.files:
                self._by_name.setdefault(file.rpartition("/")[2], []).append(file)
        tail = "/" + written.lstrip("./")
        found = [file for file in self._by_name.get(written.rpartition("/")[2], ()) if file.endswith(tail)]
        return found[0] if len(found) == 1 and (not is_angled or "/" in written) else None
