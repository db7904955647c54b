"""Where imports of Python files lead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aries_kernel.contracts import Import, Missing, Project, Target
from aries_language_python.lazily import STUB
from aries_language_python.offering import entry_points
from aries_language_python.roots import Roots

__all__ = ["PythonResolver"]

_COMPILED = (".pyx", ".pyx.in", ".pyx.tp")
_SUFFIXES = (".py", ".pyi", ".pyw")


class PythonResolver:
    """See the contract `Resolver`.

    A relative import is looked for from the file's own folder. An absolute one is looked for from the folders that may
    stand on the path of a program which has the file: where the file's own package lies first, then the folders that
    settings name, then every folder with the package, the nearest first.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._roots = Roots(project)
        self._known: dict[tuple[str, str, str], Target | Missing] = {}
        self._around: dict[tuple[str, str], tuple[str, ...] | None] = {}
        self._absolute: dict[tuple[tuple[str, ...], str, str], Target | Missing] = {}
        self._modules: dict[str, str | None] = {}

    def resolve(self, path: str, item: Import) -> Target | Missing:
        """The file of the module, or of the submodule that a namespace package holds."""
        if not item.module:
            return Missing("dynamic")
        name = item.name if item.name != "*" else ""
        folder = path.rpartition("/")[0]
        key = (folder, item.module, name)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._resolve(folder, item.module, name)
        return found

    def member(self, path: str, name: str) -> str | None:
        """A submodule of a package: `path` is its `__init__`."""
        folder, _, file = path.rpartition("/")
        return self._module(f"{folder}/{name}" if folder else name) if file.startswith("__init__.") else None

    def ambient(self, path: str) -> Sequence[str]:
        """Nothing is seen without an import."""
        return ()

    def definitions(self, path: str) -> Sequence[str]:
        """A module that stands beside a stub."""
        other = path.removesuffix("i")
        return (other,) if path.endswith(".pyi") and self._project.has(other) else ()

    def offered(self) -> Iterator[tuple[str, str]]:
        """Entry points of the settings, and what packages hand out in their `__init__`."""
        for path in self._project.files:
            if path.endswith("/__init__.py"):
                yield path, "*"
        for folder, module, name in entry_points(self._project):
            found = self._resolve(folder, module, "")
            if isinstance(found, Target):
                yield from ((file, name or "*") for file in found.files)

    def _resolve(self, folder: str, module: str, name: str) -> Target | Missing:
        if module == STUB and not name:
            stub = f"{folder}/__init__.pyi" if folder else "__init__.pyi"
            return Target((stub,)) if self._project.has(stub) else Missing("not found")
        if module.startswith("."):
            rest = module.lstrip(".")
            parts = folder.split("/") if folder else []
            up = len(module) - len(rest) - 1
            if up > len(parts):
                return Missing("not found")
            place = "/".join([*parts[: len(parts) - up], *(rest.split(".") if rest else ())])
            return self._at(place, name) or self._absent(place)
        top = module.partition(".")[0]
        if (folder, top) not in self._around:
            is_standard = self._roots.is_standard(top, folder)
            self._around[folder, top] = None if is_standard else tuple(self._roots.around(folder, top))
        roots = self._around[folder, top]
        if roots is None:
            return Missing("external")
        # Most folders look in the same places.
        key = (roots, module, name)
        if key not in self._absolute:
            self._absolute[key] = self._below(roots, module.split("."), name)
        return self._absolute[key]

    def _below(self, roots: tuple[str, ...], parts: list[str], name: str) -> Target | Missing:
        is_ours = False
        for root in roots:
            place = "/".join([root, *parts] if root else parts)
            if (found := self._at(place, name)) is not None:
                return found
            is_ours = is_ours or self._is_package(f"{root}/{parts[0]}" if root else parts[0])
            if is_ours and self._is_compiled(place):
                return Missing("external")
        return Missing("not found" if is_ours else "external")

    def _absent(self, place: str) -> Missing:
        return Missing("external" if self._is_compiled(place) else "not found")

    def _is_compiled(self, place: str) -> bool:
        """Whether a module is built from a source of another language: `_draw.pyx` for `_draw`."""
        name = place.rpartition("/")[2]
        return any(f"{place}{suffix}" in self._project.find(f"{name}{suffix}") for suffix in _COMPILED)

    def _at(self, place: str, name: str) -> Target | None:
        """A module or a package; for a folder that is none, the submodule `name` in it."""
        if file := self._module(place):
            return Target((file,), is_whole=not name)
        if name and (file := self._module(f"{place}/{name}" if place else name)):
            return Target((file,), is_whole=True)
        return None

    def _module(self, place: str) -> str | None:
        """The file of the module or package at this place, without its suffix: a package stands before a module."""
        if place not in self._modules:
            self._modules[place] = next(filter(self._project.has, _candidates(place)), None)
        return self._modules[place]

    def _is_package(self, place: str) -> bool:
        return self._project.has(f"{place}/__init__.py")


def _candidates(place: str) -> Iterator[str]:
    if not place:
        return
    yield f"{place}/__init__.py"
    for suffix in _SUFFIXES:
        yield f"{place}{suffix}"
    yield f"{place}/__init__.pyi"
