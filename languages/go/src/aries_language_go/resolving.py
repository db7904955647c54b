"""Where imports of Go files lead: to the files of a package."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from aries_kernel.contracts import Import, Missing, Project, Target
from aries_language_go.modules import Modules
from aries_language_syntax.tree import folder_of, group_by_folder

__all__ = ["GoResolver"]

_SYSTEMS = re.compile(
    r"_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|unix"
    r"|386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm|other|generic|stub)\b"
)

_ASIDE = re.compile(
    r"(?:^|/)(?:_?examples?|testdata|internal|tools?|hack|scripts?)/|(?:^|/)(?:gen|generate|example)[^/]*\.go\Z"
)
"""What a module holds beside what it hands out."""


class GoResolver:
    """By the paths of modules, and by the package clause within a folder."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._folders: dict[str, list[str]] | None = None
        self._modules: Modules | None = None
        self._packages: dict[str, Target | Missing] = {}

    def resolve(self, path: str, item: Import) -> Target | Missing:
        """The files of the package, tests left out."""
        module = self._all_modules().around(path)
        if item.module == "C":
            return Missing("external")
        if module is None:
            return self._by_source_folder(path, item.module)
        folder = self._all_modules().folder(module, item.module)
        if folder is None:
            return Missing("external")
        return self._package(folder, item)

    def member(self, path: str, name: str) -> str | None:
        """A package holds no package."""
        return None

    def ambient(self, path: str) -> list[str]:
        """Files of the same package; those for the same system first."""
        package, is_test = self._project.namespace(path), path.endswith("_test.go")
        system = "".join(_SYSTEMS.findall(path.rpartition("/")[2]))
        same = [
            other
            for other in self._files().get(folder_of(path), ())
            if other != path
            and (is_test or not other.endswith("_test.go"))
            and self._project.namespace(other) == package
        ]
        return sorted(same, key=lambda other: "".join(_SYSTEMS.findall(other.rpartition("/")[2])) != system)

    def definitions(self, path: str) -> list[str]:
        """Declared and defined at one place."""
        return []

    def offered(self) -> Iterator[tuple[str, str]]:
        """What modules hand out that are libraries; one with a program is no library, but for its examples."""
        modules, by_module = self._all_modules(), dict[str, list[str]]()
        for path in self._project.files:
            module = modules.around(path) if path.endswith(".go") else None
            if module is not None and not _ASIDE.search(path[len(module.folder) :]):
                by_module.setdefault(module.folder, []).append(path)
        for files in by_module.values():
            if all(self._project.namespace(path) != "main" for path in files):
                yield from ((path, "*") for path in files)

    def _all_modules(self) -> Modules:
        if self._modules is None:
            self._modules = Modules(self._project)
        return self._modules

    def _files(self) -> dict[str, list[str]]:
        if self._folders is None:
            self._folders = group_by_folder(self._project.files, (".go",))
        return self._folders

    def _package(self, folder: str, item: Import) -> Target | Missing:
        found = self._packages.get(folder)
        if found is None:
            found = self._packages[folder] = self._read_package(folder)
        if isinstance(found, Target) and item.name:
            return Target(found.files)
        return found

    def _read_package(self, folder: str) -> Target | Missing:
        by_name: dict[str, list[str]] = {}
        for path in self._files().get(folder, ()):
            if not path.endswith("_test.go"):
                by_name.setdefault(self._project.namespace(path), []).append(path)
        # Beside a package there may be programs that `go run` starts and the build leaves out.
        sizes = Counter({name: len(paths) for name, paths in by_name.items() if name != "main"})
        if not by_name:
            return Missing("not found")
        name = min(sizes, key=lambda name: (-sizes[name], name)) if sizes else "main"
        return Target(tuple(by_name[name]), is_whole=True)

    def _by_source_folder(self, path: str, package: str) -> Target | Missing:
        """Without a go.mod: packages below the nearest folder `src`, as before there were modules."""
        parts = path.split("/")[:-1]
        for place in range(len(parts) - 1, -1, -1):
            folder = "/".join([*parts[: place + 1], package])
            if parts[place] == "src" and folder in self._files():
                return self._package(folder, Import(0, "import", package))
        return Missing("external")
