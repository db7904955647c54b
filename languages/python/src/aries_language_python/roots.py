"""Folders from which absolute imports are looked for."""

from __future__ import annotations

import configparser
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from aries_kernel.contracts import Project

__all__ = ["Roots"]

_PLAIN_ROOTS = ("src", "lib", "python", "")
_SUFFIXES = (".py", ".pyi", ".pyw")


class Roots:
    """The search path of each file, for one state of the tree."""

    def __init__(self, project: Project) -> None:
        self._files = [path for path in project.files if path.endswith(_SUFFIXES)]
        self._packages = {
            path.rpartition("/")[0] for path in self._files if path.endswith(("/__init__.py", "/__init__.pyi"))
        }
        self._tops = _tops(self._files, self._packages)
        self._named = tuple(dict.fromkeys(_named_roots(project)))
        self._own: dict[str, str] = {}

    def around(self, folder: str, top: str) -> Sequence[str]:
        """Folders that hold a module `top` and may be meant by files of `folder`, the likeliest first."""
        holders = self._tops.get(top)
        if not holders:
            return ()
        first = [self._own_root(folder), folder, *self._named, *_above(folder)]
        known = [root for root in dict.fromkeys(first) if root in holders]
        if known or len(holders) > 1:
            return known
        # The only package of this name in the tree, wherever it lies: a path was set up that no file tells of.
        root = next(iter(holders))
        return [root] if (f"{root}/{top}" if root else top) in self._packages else []

    def is_standard(self, top: str, folder: str) -> bool:
        """Whether the standard library stands before a module of the tree that has this name.

        A script's own folder comes before the library, a folder of packages after it.
        """
        if top not in sys.stdlib_module_names:
            return False
        return folder in self._packages or folder not in self._tops.get(top, ())

    def _own_root(self, folder: str) -> str:
        """The folder above the outermost package that a folder belongs to."""
        known = self._own.get(folder)
        if known is None:
            root = folder
            while root and root in self._packages:
                root = root.rpartition("/")[0]
            known = self._own[folder] = root
        return known


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


def _named_roots(project: Project) -> Iterator[str]:
    """What the settings of tools name, then the customary folders, for every project of the tree."""
    places = {
        path.rpartition("/")[0] for name in ("pyproject.toml", "setup.cfg", "setup.py") for path in project.find(name)
    }
    for place in sorted(places | {""}, key=lambda one: (one.count("/"), one)):
        base = f"{place}/" if place else ""
        for root in (
            *_from_pyproject(project.text(f"{base}pyproject.toml")),
            *_from_setup(project.text(f"{base}setup.cfg")),
        ):
            joined = PurePosixPath(base + root)
            if ".." not in joined.parts and not joined.is_absolute():
                yield "" if joined == PurePosixPath() else joined.as_posix()
        for root in _PLAIN_ROOTS:
            yield f"{base}{root}".rstrip("/")


def _from_pyproject(text: str | None) -> Iterator[str]:
    try:
        settings = tomllib.loads(text or "")
    except tomllib.TOMLDecodeError:
        return
    tools = _table(settings, "tool")
    setuptools = _table(tools, "setuptools")
    yield from _texts(_table(setuptools, "packages", "find").get("where"))
    yield from (str(folder) for folder in _table(setuptools, "package-dir").values() if isinstance(folder, str))
    yield from _texts(_table(tools, "pytest", "ini_options").get("pythonpath"))
    yield from _texts(_table(tools, "pytest").get("pythonpath"))
    packages = _table(tools, "poetry").get("packages")
    for package in packages if isinstance(packages, list) else ():
        if isinstance(package, dict):
            yield from _texts(package.get("from"))
    for target in ("wheel", "sdist"):
        built = _table(tools, "hatch", "build", "targets", target)
        yield from _texts(built.get("sources"))
        yield from (str(PurePosixPath(one).parent) for one in _texts(built.get("packages")))
    yield from _texts(_table(tools, "uv", "build-backend").get("module-root"))
    yield from _texts(_table(tools, "pdm", "build").get("package-dir"))
    yield from _texts(_table(tools, "pyright").get("extraPaths"))
    mypy = _table(tools, "mypy").get("mypy_path")
    yield from str(mypy).replace("$MYPY_CONFIG_FILE_DIR/", "").split(":") if isinstance(mypy, str) else _texts(mypy)


def _from_setup(text: str | None) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text or "")
    except configparser.Error:
        return
    for line in parser.get("options", "package_dir", fallback="").splitlines():
        yield from (part.strip() for part in line.split("=", 1)[1:])
    yield from parser.get("options.packages.find", "where", fallback="").split()
    yield from parser.get("tool:pytest", "pythonpath", fallback="").split()


def _table(settings: dict[str, Any], *names: str) -> dict[str, Any]:
    for name in names:
        value = settings.get(name)
        settings = value if isinstance(value, dict) else {}
    return settings


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value] if value else []
    return [one for one in value if isinstance(one, str) and one] if isinstance(value, list) else []
