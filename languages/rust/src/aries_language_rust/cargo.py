"""The packages of a tree, by their Cargo.toml: crates with their root files, and who depends on whom."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from aries_kernel.contracts import Project
from aries_language_syntax.tree import chain, folder_of, joined

__all__ = ["Package", "Packages"]

_TARGETS = {"bin": "src/bin", "example": "examples", "test": "tests", "bench": "benches"}
_DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")


@frozen
class Package:
    """One package."""

    name: str
    folder: str
    library: str
    """The root file of its library; empty where it has none."""
    library_name: str
    roots: tuple[str, ...]
    """The root files of all its crates, the library first."""
    needs: dict[str, tuple[str, str | None]] = field(factory=dict)
    """By the name in Cargo.toml: the package, and the folder where that says one."""


class Packages:
    """All packages of a tree."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._by_folder: dict[str, Package] = {}
        self._by_name: dict[str, Package] = {}
        said = {folder_of(path): _parsed(project.text(path)) for path in project.find("Cargo.toml")}
        shared = {folder: _table(_table(one, "workspace"), "dependencies") for folder, one in said.items()}
        for folder, one in said.items():
            package = self._package(folder, one, shared)
            if package is not None:
                self._by_folder[folder] = package
                self._by_name.setdefault(package.name, package)

    def all(self) -> list[Package]:
        """In the order of their folders."""
        return list(self._by_folder.values())

    def around(self, path: str) -> Package | None:
        """The package that a file lies in."""
        return next((self._by_folder[one] for one in chain(folder_of(path)) if one in self._by_folder), None)

    def library(self, package: Package, crate: str) -> str:
        """The root file of a library as a package calls it; empty where it is not part of the tree.

        A package of the tree is meant even where Cargo.toml gives a version and no path: its source lies here.
        """
        if crate == package.library_name and package.library:
            return package.library
        for name, (called, folder) in package.needs.items():
            other = self._by_folder.get(folder) if folder is not None else self._by_name.get(called)
            if other is not None and crate == (other.library_name if name == other.name else name.replace("-", "_")):
                return other.library
        return ""

    def _package(self, folder: str, said: dict[str, Any], shared: Mapping[str, dict[str, Any]]) -> Package | None:
        name = _table(said, "package").get("name")
        if not isinstance(name, str):
            return None
        library = _table(said, "lib")
        path = joined(folder, str(library.get("path", "src/lib.rs"))) or ""
        path = path if self._project.has(path) else ""
        called = str(library.get("name", name)).replace("-", "_")
        roots = dict.fromkeys([path] if path else [])
        roots.update(dict.fromkeys(self._roots(folder, said)))
        return Package(name, folder, path, called, tuple(roots), dict(_needs(folder, said, shared)))

    def _roots(self, folder: str, said: dict[str, Any]) -> Iterator[str]:
        has = self._project.has
        build = _table(said, "package").get("build")
        named = ["src/main.rs", build if isinstance(build, str) else "build.rs"]
        for kind in _TARGETS:
            targets = said.get(kind)
            for one in targets if isinstance(targets, list) else ():
                if isinstance(one, dict) and isinstance(one.get("path"), str):
                    named.append(one["path"])
        for path in (joined(folder, name) for name in named):
            if path and has(path):
                yield path
        for place in _TARGETS.values():
            base = f"{folder}/{place}/" if folder else f"{place}/"
            for path in self._project.files:
                if path.startswith(base) and path.endswith(".rs"):
                    rest = path[len(base) :].split("/")
                    if len(rest) == 1 or (len(rest) == 2 and rest[1] == "main.rs"):
                        yield path


def _needs(
    folder: str, said: dict[str, Any], shared: Mapping[str, dict[str, Any]]
) -> Iterator[tuple[str, tuple[str, str | None]]]:
    tables = [said, *(one for one in _table(said, "target").values() if isinstance(one, dict))]
    for table in tables:
        for kind in _DEPENDENCIES:
            for name, value in _table(table, kind).items():
                base, one = folder, value
                if isinstance(value, dict) and value.get("workspace") is True:
                    base, one = _inherited(folder, name, shared)
                package, path = name, None
                if isinstance(one, dict):
                    package = str(one.get("package", name))
                    path = joined(base, one["path"]) if isinstance(one.get("path"), str) else None
                yield name, (package, path)


def _inherited(folder: str, name: str, shared: Mapping[str, dict[str, Any]]) -> tuple[str, Any]:
    """What the workspace around a package says of a dependency, and where."""
    while True:
        if name in shared.get(folder, {}):
            return folder, shared[folder][name]
        if not folder:
            return folder, None
        folder = folder_of(folder)


def _parsed(text: str | None) -> dict[str, Any]:
    try:
        return tomllib.loads(text or "")
    except tomllib.TOMLDecodeError:
        return {}


def _table(said: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = said.get(key)
    return value if isinstance(value, dict) else {}
