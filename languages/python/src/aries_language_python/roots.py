"""Folders from which absolute imports are looked for."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from aries_kernel.contracts import Project
from aries_language_python.distributions import distributions

__all__ = ["Roots"]

_SUFFIXES = (".py", ".pyi", ".pyw")


class Roots:
    """The search path of each file, for one state of the tree."""

    def __init__(self, project: Project) -> None:
        self._files = [path for path in project.files if path.endswith(_SUFFIXES)]
        self._packages = {
            path.rpartition("/")[0] for path in self._files if path.endswith(("/__init__.py", "/__init__.pyi"))
        }
        self._tops = _tops(self._files, self._packages)
        self._distributions = distributions(project)
        self._named = tuple(dict.fromkeys(root for one in self._distributions.values() for root in one.roots))
        self._solid = frozenset(root for one in self._distributions.values() for root in one.solid)
        self._named_packages = frozenset(name for one in self._distributions.values() for name in one.packages)
        self._own: dict[str, str] = {}
        self._homes: dict[str, str | None] = {}

    def around(self, folder: str, top: str) -> Sequence[str]:
        """Folders that hold a module `top` and may be meant by files of `folder`, the likeliest first."""
        holders = self._tops.get(top)
        if not holders:
            return ()
        own = [self._distributions[one] for one in (folder, *_above(folder)) if one in self._distributions]
        near = [root for one in own for root in one.roots]
        first = [self._own_root(folder), folder, *near, *self._named, *_above(folder)]
        known = [root for root in dict.fromkeys(first) if root in holders and self._may_be(root, folder)]
        if known or len(holders) > 1:
            return known
        # The only package of this name in the tree, wherever it lies: a path was set up that no file tells of.
        root = next(iter(holders))
        is_package = (f"{root}/{top}" if root else top) in self._packages
        is_stranger = any(top.lower() in one.needs for one in own)
        return [root] if is_package and not is_stranger and self._may_be(root, folder) else []

    def _may_be(self, root: str, folder: str) -> bool:
        """Not so for a folder in one that a project installs from: what it holds is imported by the whole way there.

        `src/company/tools` holds no `requests`, even where there is a `src/company/tools/requests/__init__.py`. The
        folder of a program may all the same hold what that program imports.
        """
        home = self._home(root)
        return home is None or (root == folder and root not in self._named_packages)

    def is_standard(self, top: str, folder: str) -> bool:
        """Whether the standard library stands before a module of the tree that has this name.

        A script's own folder comes before the library, a folder of packages after it.
        """
        if top not in sys.stdlib_module_names:
            return False
        is_part = folder in self._packages or self._home(folder) is not None
        return is_part or folder not in self._tops.get(top, ())

    def _own_root(self, folder: str) -> str:
        """The folder above the outermost package that a folder belongs to."""
        known = self._own.get(folder)
        if known is None:
            root = folder
            while root and root in self._packages:
                root = root.rpartition("/")[0]
            home = self._home(root)
            known = self._own[folder] = root if home is None else home
        return known

    def _home(self, folder: str) -> str | None:
        """The folder from which a project installs what this one is a part of; None where no settings say so."""
        if folder not in self._homes:
            self._homes[folder] = self._looked_for(folder)
        return self._homes[folder]

    def _looked_for(self, folder: str) -> str | None:
        for up in (folder, *_above(folder)):
            if up in self._named_packages:
                return up.rpartition("/")[0]
            if up and up in self._solid:
                return up if up != folder else None
        return None


def _tops(files: Sequence[str], packages: set[str]) -> dict[str, set[str]]:
    """Folders that are no packages, by the names of modules, packages and folders with modules that they hold."""
    result: dict[str, set[str]] = {}
    folders: set[str] = set()
    for path in files:
        folder, _, file = path.rpartition("/")
        if folder not in packages and not file.startswith("__init__."):
            result.setdefault(file.rpartition(".")[0], set()).add(folder)
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    for folder in folders:
        above, _, name = folder.rpartition("/")
        if above not in packages:
            result.setdefault(name, set()).add(above)
    return result


def _above(folder: str) -> Iterator[str]:
    while folder:
        folder = folder.rpartition("/")[0]
        yield folder
