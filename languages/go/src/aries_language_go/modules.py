"""The modules of a tree: what go.mod and go.work files say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import field, frozen

from aries_kernel.contracts import Project
from aries_language_syntax.tree import chain, folder_of, joined

__all__ = ["Module", "Modules"]

_COMMENT = re.compile(r"//[^\n]*")
_WORD = re.compile(r"\"[^\"\n]*\"|`[^`\n]*`|[^\s()]+|[()]")


@frozen
class Module:
    """One go.mod."""

    path: str
    """What its packages' import paths begin with."""
    folder: str
    replaced: dict[str, str] = field(factory=dict)
    """Folders of the tree that stand for other modules, by the paths of those modules."""


class Modules:
    """All modules of a tree."""

    def __init__(self, project: Project) -> None:
        found = [_module(path, project.text(path) or "") for path in project.find("go.mod") if not is_vendored(path)]
        self._by_folder = {one.folder: one for one in found if one is not None}
        self._by_path: dict[str, Module] = {}
        for one in sorted(self._by_folder.values(), key=lambda one: (one.folder.count("/"), one.folder)):
            self._by_path.setdefault(one.path, one)

    def around(self, path: str) -> Module | None:
        """The module that a file is part of; None where it is in none."""
        return next((self._by_folder[one] for one in chain(folder_of(path)) if one in self._by_folder), None)

    def folder(self, importer: Module, package: str) -> str | None:
        """The folder of a package as a module sees it; None where it is not part of the tree.

        A module of the tree is meant even where no `replace` and no `go.work` says so: its source lies here.
        """
        for prefix in _prefixes(package):
            folder = importer.replaced.get(prefix)
            if folder is None and prefix in self._by_path:
                folder = importer.folder if prefix == importer.path else self._by_path[prefix].folder
            if folder is not None:
                place = joined(folder, package[len(prefix) :])
                # A folder with a go.mod of its own is another module, even below this one.
                owner = self.around(f"{place}/x") if place is not None else None
                if owner is None or owner.folder == folder:
                    return place
        return None


def is_vendored(path: str) -> bool:
    """Copies of other modules are no part of this one."""
    return "vendor" in path.split("/")[:-1]


def _prefixes(package: str) -> Iterator[str]:
    while package:
        yield package
        package = package.rpartition("/")[0]


def _module(path: str, text: str) -> Module | None:
    folder, name, replaced = folder_of(path), "", {}
    for verb, words in _directives(text):
        if verb == "module" and words:
            name = words[0]
        elif verb == "replace" and "=>" in words:
            arrow = words.index("=>")
            target = words[arrow + 1] if len(words) > arrow + 1 else ""
            place = joined(folder, target) if target.startswith(".") else None
            if arrow and place is not None:
                replaced[words[0]] = place
    return Module(name, folder, replaced) if name else None


def _directives(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each directive with its words; those of a block one by one."""
    block = ""
    for line in _COMMENT.sub("", text).splitlines():
        words = [word.strip('"`') for word in _WORD.findall(line)]
        if words == [")"]:
            block = ""
        elif block and words:
            yield block, words
        elif len(words) > 1 and words[1] == "(":
            block = words[0]
        elif words:
            yield words[0], words[1:]
