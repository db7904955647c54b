"""Folders from which absolute imports are looked for."""

from __future__ import annotations

import configparser
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from attrs import frozen

from aries_kernel.contracts import Project

__all__ = ["Roots"]

_PLAIN_ROOTS = ("src", "lib", "python", "")
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_SUFFIXES = (".py", ".pyi", ".pyw")


class Roots:
    """The search path of each file, for one state of the tree."""

    def __init__(self, project: Project) -> None:
        self._files = [path for path in project.files if path.endswith(_SUFFIXES)]
        self._packages = {
            path.rpartition("/")[0] for path in self._files if path.endswith(("/__init__.py", "/__init__.pyi"))
        }
        self._tops = _tops(self._files, self._packages)
        self._distributions = _distributions(project)
        self._named = tuple(dict.fromkeys(root for one in self._distributions.values() for root in one.roots))
        self._solid = frozenset(root for one in self._distributions.values() for root in one.solid)
        self._own: dict[str, str] = {}
        self._around: dict[str, str] = {}

    def around(self, folder: str, top: str) -> Sequence[str]:
        """Folders that hold a module `top` and may be meant by files of `folder`, the likeliest first."""
        holders = self._tops.get(top)
        if not holders:
            return ()
        own = [self._distributions[one] for one in (folder, *_above(folder)) if one in self._distributions]
        near = [root for one in own for root in one.roots]
        first = [self._own_root(folder), folder, *near, *self._named, *_above(folder)]
        known = [root for root in dict.fromkeys(first) if root in holders and (root == folder or self._may_be(root))]
        if known or len(holders) > 1:
            return known
        # The only package of this name in the tree, wherever it lies: a path was set up that no file tells of.
        root = next(iter(holders))
        is_package = (f"{root}/{top}" if root else top) in self._packages
        is_stranger = any(top.lower() in one.needs for one in own)
        return [root] if is_package and not is_stranger and self._may_be(root) else []

    def _may_be(self, root: str) -> bool:
        """Not so for a folder in one that a project installs from: what it holds is imported by the whole way there.

        `src/company/tools` holds no `requests`, even where there is a `src/company/tools/requests/__init__.py`.
        """
        return not self._solid or self._solid_around(root) == ""

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
            known = self._own[folder] = self._solid_around(root) or root
        return known

    def _solid_around(self, folder: str) -> str:
        """The folder around this one, and not itself, from which a project installs its packages; empty for none."""
        known = self._around.get(folder)
        if known is None:
            near = (one for one in _above(folder) if one and one in self._solid)
            known = self._around[folder] = "" if folder in self._solid else next(near, "")
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


@frozen
class _Distribution:
    """What the settings in a folder say."""

    roots: tuple[str, ...] = ()
    solid: frozenset[str] = frozenset()
    """Those from which packages are installed, and which hold nothing else."""
    needs: frozenset[str] = frozenset()
    """Names of what it depends on, as modules are written."""


def _distributions(project: Project) -> dict[str, _Distribution]:
    """By folder, the outer ones first; the folder of the whole tree counts as one."""
    places = {
        path.rpartition("/")[0] for name in ("pyproject.toml", "setup.cfg", "setup.py") for path in project.find(name)
    }
    found = {}
    for place in sorted(places | {""}, key=lambda one: (one.count("/"), one)):
        base = f"{place}/" if place else ""
        settings, setup = _toml(project.text(f"{base}pyproject.toml")), project.text(f"{base}setup.cfg")
        built = [*_built_from(settings), *_from_setup(setup)]
        is_built = "build-system" in settings or setup is not None or project.text(f"{base}setup.py") is not None
        roots = _placed(base, [*built, *_searched(settings, setup)])
        solid = _placed(base, [*built, "src"] if is_built else built)
        found[place] = _Distribution(
            (*roots, *(f"{base}{root}".rstrip("/") for root in _PLAIN_ROOTS)),
            frozenset(root for root in solid if root != place),
            frozenset(_needed(settings)),
        )
    return found


def _placed(base: str, roots: Iterable[str]) -> Iterator[str]:
    for root in roots:
        joined = PurePosixPath(base + root)
        if ".." not in joined.parts and not joined.is_absolute():
            yield "" if joined == PurePosixPath() else joined.as_posix()


def _toml(text: str | None) -> dict[str, Any]:
    try:
        return tomllib.loads(text or "")
    except tomllib.TOMLDecodeError:
        return {}


def _needed(settings: dict[str, Any]) -> Iterator[str]:
    project = _table(settings, "project")
    poetry = list(_table(settings, "tool", "poetry", "dependencies"))
    for group in (project.get("dependencies"), *_table(project, "optional-dependencies").values(), poetry):
        for requirement in _texts(group):
            name = _NAME.match(requirement)
            if name:
                yield re.sub(r"[-.]", "_", name[0].lower())


def _built_from(settings: dict[str, Any]) -> Iterator[str]:
    """Folders that packages are installed from."""
    tools = _table(settings, "tool")
    setuptools = _table(tools, "setuptools")
    yield from _texts(_table(setuptools, "packages", "find").get("where"))
    yield from (str(folder) for folder in _table(setuptools, "package-dir").values() if isinstance(folder, str))
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


def _searched(settings: dict[str, Any], setup: str | None) -> Iterator[str]:
    """Folders that tools put on the path beside those."""
    tools = _table(settings, "tool")
    yield from _texts(_table(tools, "pytest", "ini_options").get("pythonpath"))
    yield from _texts(_table(tools, "pytest").get("pythonpath"))
    yield from _texts(_table(tools, "pyright").get("extraPaths"))
    mypy = _table(tools, "mypy").get("mypy_path")
    yield from str(mypy).replace("$MYPY_CONFIG_FILE_DIR/", "").split(":") if isinstance(mypy, str) else _texts(mypy)
    yield from _ini(setup).get("tool:pytest", "pythonpath", fallback="").split()


def _from_setup(text: str | None) -> Iterator[str]:
    parser = _ini(text)
    for line in parser.get("options", "package_dir", fallback="").splitlines():
        yield from (part.strip() for part in line.split("=", 1)[1:])
    yield from parser.get("options.packages.find", "where", fallback="").split()


def _ini(text: str | None) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text or "")
    except configparser.Error:
        return configparser.ConfigParser()
    return parser


def _table(settings: dict[str, Any], *names: str) -> dict[str, Any]:
    for name in names:
        value = settings.get(name)
        settings = value if isinstance(value, dict) else {}
    return settings


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value] if value else []
    return [one for one in value if isinstance(one, str) and one] if isinstance(value, list) else []
