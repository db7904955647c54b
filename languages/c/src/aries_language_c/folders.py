"""The folders in which a project looks for headers, as far as its files say it plainly."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from attrs import define, field, frozen

from aries_kernel.contracts import Project
from aries_language_syntax.tree import folder_of, joined

__all__ = ["Folders", "include_folders"]

_COMMAND = r"\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)"
_CMAKE = re.compile(rf"\b(?:include_directories|target_include_directories){_COMMAND}", re.IGNORECASE)
_CMAKE_LIST = re.compile(rf"\b(?:set|(list)){_COMMAND}", re.IGNORECASE)
_CMAKE_VARIABLE = re.compile(r"\$\{(\w+)\}")
_CMAKE_COMMENT = re.compile(r"#[^\n]*")
_CMAKE_HERE = re.compile(r"\$\{(?:CMAKE_CURRENT_SOURCE_DIR|CMAKE_CURRENT_LIST_DIR)\}/?")
_CMAKE_TOP = re.compile(r"\$\{(\w+)_SOURCE_DIR\}/?")
_CMAKE_PROJECT = re.compile(r"(?m)^\s*project\s*\(\s*\"?([\w.+-]+)", re.IGNORECASE)
_GENERATOR = re.compile(r"\$<BUILD_INTERFACE:([^<>]*)>")
_MAKE = re.compile(r"-I\s*([^\s\"']+)")
_MAKE_HERE = re.compile(r"\$[({](?:srcdir|CURDIR|builddir|abs_srcdir)[)}]/?")
_MAKE_TOP = re.compile(r"\$[({](?:top_srcdir|abs_top_srcdir|top_builddir)[)}]/?")
_MESON = re.compile(r"\binclude_directories\s*\(([^()]*)\)")
_MESON_WORD = re.compile(r"'([^'\n]*)'(?!\s*:)")
_NAMES = frozenset({"include", "includes", "inc"})
_MAKEFILES = ("Makefile", "Makefile.am", "Makefile.in", "GNUmakefile", "makefile")


@frozen
class Folders:
    """Where a project looks for headers."""

    all: list[str]
    """Each once; those that a build says before those that are so by their name."""
    by_build: dict[str, list[str]]
    """What a build file says of the files below its own folder, in its order."""


def include_folders(project: Project) -> Folders:
    """As far as build files and the names of folders say."""
    by_build: dict[str, list[str]] = {}
    folders = dict.fromkeys(_of_commands(project))
    for build, folder in _of_cmake(project):
        folders.setdefault(folder)
        by_build.setdefault(build, []).append(folder)
    folders.update(dict.fromkeys(_of_meson(project)))
    folders.update(dict.fromkeys(_of_make(project)))
    by_name = set()
    for path in project.files:
        parts = path.split("/")[:-1]
        by_name |= {"/".join(parts[: place + 1]) for place, part in enumerate(parts) if part in _NAMES}
    folders.update(dict.fromkeys(sorted(by_name)))
    return Folders(list(folders), by_build)


def _of_commands(project: Project) -> Iterator[str]:
    for path in project.find("compile_commands.json"):
        try:
            rows = json.loads(project.text(path) or "[]")
        except ValueError:
            continue
        for row in rows if isinstance(rows, list) else ():
            if not isinstance(row, dict):
                continue
            words = row.get("arguments") or str(row.get("command", "")).split()
            base = _within(project, path, str(row.get("directory", "")))
            for option in _options([str(word) for word in words]):
                place = _within(project, path, option) if option.startswith("/") else joined(base or "", option)
                if place is not None:
                    yield place


def _options(words: list[str]) -> Iterator[str]:
    for place, word in enumerate(words):
        for flag in ("-I", "-isystem", "-iquote"):
            if word == flag and place + 1 < len(words):
                yield words[place + 1]
            elif word.startswith(flag) and len(word) > len(flag):
                yield word[len(flag) :]


def _within(project: Project, path: str, folder: str) -> str | None:
    """A folder of the machine as one of the project: the longest end of it that holds files here."""
    parts = [part for part in folder.replace("\\", "/").split("/") if part]
    for place in range(len(parts)):
        tail = "/".join(parts[place:]) + "/"
        if any(file.startswith(tail) for file in project.files):
            return tail.rstrip("/")
    return folder_of(path)


def _of_cmake(project: Project) -> Iterator[tuple[str, str]]:
    """The folder of a build file, and one in which it looks for headers."""
    texts = {path: _CMAKE_COMMENT.sub("", project.text(path) or "") for path in project.find("CMakeLists.txt")}
    top = min((folder_of(path) for path in texts), key=lambda folder: folder.count("/") + bool(folder), default="")
    variables = _Variables(_cmake_lists(texts))
    projects = {folder_of(path): found[1] for path, text in texts.items() if (found := _CMAKE_PROJECT.search(text))}
    for path, text in texts.items():
        for found in _CMAKE.finditer(text):
            words = (pair for word in _cmake_words(found[1]) for pair in variables.expanded(folder_of(path), word))
            for here, word in words:
                base, bare = here, _CMAKE_HERE.sub("", word)
                named = _CMAKE_TOP.match(bare)
                if named is not None:
                    base, bare = _source_folder(named[1], here, projects, top), bare[named.end() :]
                yield from ((folder_of(path), place) for place in _literal(base, bare))


def _source_folder(name: str, here: str, projects: dict[str, str], top: str) -> str:
    """The folder that `${NAME_SOURCE_DIR}` means in a folder."""
    if name == "PROJECT":
        while here not in projects and here:
            here = folder_of(here)
        return here if here in projects else top
    return next((folder for folder, project in projects.items() if project == name), top)


_Words = list[tuple[str, str]]
"""Words of a build file, each with the folder in which it was written."""


def _cmake_lists(texts: dict[str, str]) -> dict[str, _Words]:
    """The values of variables. Folders hand theirs on to those around and below them, so that all are known to all."""
    lists: dict[str, _Words] = {}
    for path, text in texts.items():
        for found in _CMAKE_LIST.finditer(text):
            words = _cmake_words(found[2])
            if found[1]:
                words = words[1:] if words and words[0].upper() in ("APPEND", "PREPEND") else []
            if words:
                lists.setdefault(words[0], []).extend((folder_of(path), word) for word in words[1:])
    return lists


def _cmake_words(text: str) -> list[str]:
    return _GENERATOR.sub(r"\1", text.replace('"', " ")).split()


@define
class _Variables:
    lists: dict[str, _Words]
    _known: dict[str, _Words] = field(factory=dict)

    def expanded(self, here: str, word: str) -> _Words:
        """A word with the variable that it begins with replaced by each of its values."""
        found = _CMAKE_VARIABLE.match(word)
        if found is None or found[1] not in self.lists:
            return [(here, word)]
        return [(folder, value + word[found.end() :]) for folder, value in self._values(found[1])]

    def _values(self, name: str) -> _Words:
        if name not in self._known:
            # What holds itself, as lists do that grow, adds nothing by that.
            self._known[name] = []
            pairs = (pair for here, word in self.lists[name] for pair in self.expanded(here, word))
            self._known[name] = list(dict.fromkeys(pairs))
        return self._known[name]


def _of_meson(project: Project) -> Iterator[str]:
    for path in project.find("meson.build"):
        for found in _MESON.finditer(project.text(path) or ""):
            for word in _MESON_WORD.findall(found[1]):
                yield from _literal(folder_of(path), word)


def _of_make(project: Project) -> Iterator[str]:
    for name in _MAKEFILES:
        for path in project.find(name):
            here = folder_of(path)
            for found in _MAKE.finditer(project.text(path) or ""):
                base = "" if _MAKE_TOP.match(found[1]) else here
                yield from _literal(base, _MAKE_TOP.sub("", _MAKE_HERE.sub("", found[1])))


def _literal(base: str, word: str) -> Iterator[str]:
    if not re.search(r"[$<>@*]|^-|^/", word) and word not in (
        "PUBLIC",
        "PRIVATE",
        "INTERFACE",
        "SYSTEM",
        "BEFORE",
        "AFTER",
    ):
        place = joined(base, word or ".")
        if place is not None:
            yield place
