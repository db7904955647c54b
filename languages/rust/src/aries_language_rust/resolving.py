"""Where paths of Rust files lead."""

from __future__ import annotations

from aries_kernel.contracts import Import, Missing, Project, Target
from aries_language_rust.cargo import Packages
from aries_language_rust.modules import Modules, Spot

__all__ = ["RustResolver"]

_STANDARD = frozenset({"std", "core", "alloc", "proc_macro", "test"})


class RustResolver:
    """By crates and their modules."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._packages: Packages | None = None
        self._modules: Modules | None = None

    def resolve(self, path: str, item: Import) -> Target | Missing:
        """The file of the module that holds the name, or of the module that the name is."""
        modules = self._all_modules()
        if item.kind == "module":
            files = modules.declared(path, item)
            return Target(tuple(files), is_whole=True) if files else Missing("not found")
        words = item.module.split("::")
        spots = self._start(path, words[0])
        if not spots:
            return Missing("not found" if words[0] in ("crate", "self", "super") else "external")
        for word in words[1:]:
            spots = [other for spot in spots for other in self._inner(spot, word)]
            if not spots:
                return Missing("not found")
        if not item.name:
            return Target(_files(spots), is_whole=True)
        if item.name != "*":
            inner = [file for spot in spots for file in modules.children(spot, item.name)]
            # Beside a module of that name a function may be handed on, which is what others call.
            if inner and not any(self._hands_on(file, item.name) for file in _files(spots)):
                return Target(tuple(dict.fromkeys(inner)), is_whole=True)
        return Target(_files(spots))

    def member(self, path: str, name: str) -> str | None:
        """The file of a module that a file declares."""
        modules = self._all_modules()
        modules.root(path)
        return next(iter(modules.children(Spot(path), name)), None)

    def ambient(self, path: str) -> list[str]:
        """Where macros that a whole crate sees are by custom, and modules in which types of this one may have methods.

        The latter not where a file takes all of another module: names from there are not to be looked for in these.
        """
        modules = self._all_modules()
        root = modules.root(path)
        takes_all = any(item.name == "*" for item in self._project.imports(path))
        below = (
            () if takes_all else [file for item in self._project.imports(path) for file in self._declared(path, item)]
        )
        return [other for other in dict.fromkeys([root, *modules.of_crate(root, "macros"), *below]) if other != path]

    def definitions(self, path: str) -> list[str]:
        """Declared and defined at one place."""
        return []

    def offered(self) -> list[tuple[str, str]]:
        """What libraries hand out."""
        return [(one.library, "*") for one in self._all_packages().all() if one.library]

    def _hands_on(self, path: str, name: str) -> bool:
        return any(row.kind == "reexport" and row.local == name for row in self._project.imports(path))

    def _declared(self, path: str, item: Import) -> list[str]:
        return self._all_modules().declared(path, item) if item.kind == "module" else []

    def _all_packages(self) -> Packages:
        if self._packages is None:
            self._packages = Packages(self._project)
        return self._packages

    def _all_modules(self) -> Modules:
        if self._modules is None:
            roots = [root for package in self._all_packages().all() for root in package.roots]
            self._modules = Modules(self._project, roots)
        return self._modules

    def _start(self, path: str, word: str) -> list[Spot]:
        """The module that the first name of a path is, as one file sees it."""
        modules = self._all_modules()
        root = modules.root(path)
        if word == "crate":
            return [Spot(root)]
        if word == "self":
            return [Spot(path)]
        if word == "super":
            parent = modules.parent(Spot(path))
            return [parent] if parent is not None else []
        children = modules.children(Spot(path), word)
        if children:
            return [Spot(file) for file in children]
        package = self._all_packages().around(path)
        library = self._all_packages().library(package, word) if package is not None else ""
        if library:
            return [Spot(library)]
        # Before the edition of 2018 a path in `use` began at the crate.
        return [] if word in _STANDARD else [Spot(file) for file in modules.children(Spot(root), word)]

    def _inner(self, spot: Spot, word: str) -> list[Spot]:
        modules = self._all_modules()
        if word == "super":
            parent = modules.parent(spot)
            return [parent] if parent is not None else []
        if word == "self":
            return [spot]
        files = modules.children(spot, word)
        return [Spot(file) for file in files] if files else [Spot(spot.file, (*spot.inline, word))]


def _files(spots: list[Spot]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(spot.file for spot in spots))
