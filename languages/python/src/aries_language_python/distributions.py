"""What the settings of the projects in a tree say of their folders."""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from attrs import frozen

from aries_kernel.contracts import Project

__all__ = ["Distribution", "distributions"]

_PLAIN_ROOTS = ("src", "lib", "python", "")
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")


@frozen
class Distribution:
    """What the settings in a folder say."""

    roots: tuple[str, ...] = ()
    solid: frozenset[str] = frozenset()
    """Those from which packages are installed, and which hold nothing else."""
    packages: frozenset[str] = frozenset()
    """Folders that are packages, whatever they hold."""
    needs: frozenset[str] = frozenset()
    """Names of what it depends on, as modules are written."""


def distributions(project: Project) -> dict[str, Distribution]:
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
        found[place] = Distribution(
            (*roots, *(f"{base}{root}".rstrip("/") for root in _PLAIN_ROOTS)),
            frozenset(root for root in solid if root != place),
            frozenset(one for one in _placed(base, _packages(settings)) if one not in ("", place)),
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


def _packages(settings: dict[str, Any]) -> Iterator[str]:
    """Folders that are installed as packages."""
    tools = _table(settings, "tool")
    for target in ("wheel", "sdist"):
        yield from _texts(_table(tools, "hatch", "build", "targets", target).get("packages"))
    packages = _table(tools, "poetry").get("packages")
    for package in packages if isinstance(packages, list) else ():
        if isinstance(package, dict) and isinstance(name := package.get("include"), str) and "*" not in name:
            yield from (f"{above}/{name}" for above in _texts(package.get("from")) or ["."])
    setuptools = _table(tools, "setuptools")
    above = _table(setuptools, "package-dir").get("")
    for name in _texts(setuptools.get("packages")):
        yield f"{above if isinstance(above, str) else '.'}/{name.replace('.', '/')}"


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
