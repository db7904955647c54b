"""The folders in which a project looks for headers, as far as its files say it plainly."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from aries_kernel.contracts import Project
from aries_language_syntax.tree import folder_of, joined

__all__ = ["include_folders"]

_CMAKE = re.compile(
    r"\b(?:include_directories|target_include_directories)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", re.IGNORECASE
)
_CMAKE_HERE = re.compile(r"\$\{(?:CMAKE_CURRENT_SOURCE_DIR|CMAKE_CURRENT_LIST_DIR)\}/?")
_CMAKE_TOP = re.compile(r"\$\{(?:CMAKE_SOURCE_DIR|PROJECT_SOURCE_DIR|\w+_SOURCE_DIR)\}/?")
_GENERATOR = re.compile(r"\$<BUILD_INTERFACE:([^<>]*)>")
_MAKE = re.compile(r"-I\s*([^\s\"']+)")
_MAKE_HERE = re.compile(r"\$[({](?:srcdir|CURDIR|builddir|abs_srcdir)[)}]/?")
_MAKE_TOP = re.compile(r"\$[({](?:top_srcdir|abs_top_srcdir|top_builddir)[)}]/?")
_NAMES = frozenset({"include", "includes", "inc"})
_MAKEFILES = ("Makefile", "Makefile.am", "Makefile.in", "GNUmakefile", "makefile")


def include_folders(project: Project) -> list[str]:
    """Each once; those that a build says before those that are so by their name."""
    folders = dict.fromkeys(_of_commands(project))
    folders.update(dict.fromkeys(_of_cmake(project)))
    folders.update(dict.fromkeys(_of_make(project)))
    by_name = set()
    for path in project.files:
        parts = path.split("/")[:-1]
        by_name |= {"/".join(parts[: place + 1]) for place, part in enumerate(parts) if part in _NAMES}
    folders.update(dict.fromkeys(sorted(by_name)))
    return list(folders)


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


def _of_cmake(project: Project) -> Iterator[str]:
    paths = project.find("CMakeLists.txt")
    top = min((folder_of(path) for path in paths), key=lambda folder: folder.count("/") + bool(folder), default="")
    for path in paths:
        here = folder_of(path)
        for found in _CMAKE.finditer(project.text(path) or ""):
            for word in _GENERATOR.sub(r"\1", found[1].replace('"', " ")).split():
                base = top if _CMAKE_TOP.match(word) else here
                bare = _CMAKE_TOP.sub("", _CMAKE_HERE.sub("", word))
                yield from _literal(base, bare)


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
