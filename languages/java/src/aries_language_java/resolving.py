"""Where imports of Java files lead: by the packages that files say they are in, whatever folders they lie in."""

from __future__ import annotations

from aries_kernel.contracts import Import, Missing, Project, Target
from aries_language_syntax.tree import folder_of, nearest

__all__ = ["JavaResolver"]


class JavaResolver:
    """By packages and the names of files, which are those of their public types."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._packages: dict[str, dict[str, list[str]]] | None = None

    def resolve(self, path: str, item: Import) -> Target | Missing:
        """The file of a type, as a whole where all members of the type are wanted; or all of a package."""
        packages = self._all_packages()
        if item.name == "*" and item.module in packages:
            return Target(tuple(sorted(file for files in packages[item.module].values() for file in files)))
        package, types = item.module, [item.name] if item.name != "*" else []
        while package and package not in packages:
            package, _, inner = package.rpartition(".")
            types.insert(0, inner)
        if not package or not types:
            return Missing("external")
        files = packages[package].get(types[0])
        if not files:
            # A package may be spread over projects; what is not here is theirs.
            return Missing("not found" if len(types) == 1 else "external")
        return Target((nearest(path, files),), is_whole=item.name == "*")

    def member(self, path: str, name: str) -> str | None:
        """Types in types are in the same file."""
        return None

    def ambient(self, path: str) -> list[str]:
        """Files of the same package, those in the same folder first, then those of the same project."""
        package, folder = self._all_packages().get(self._project.namespace(path), {}), folder_of(path)
        same = sorted(file for files in package.values() for file in files if file != path)
        own = folder.split("/")

        def apart(file: str) -> tuple[bool, int]:
            place = folder_of(file)
            shared = zip(own, place.split("/"), strict=False)
            return place != folder, -next((depth for depth, (one, two) in enumerate(shared) if one != two), len(own))

        return sorted(same, key=apart)

    def definitions(self, path: str) -> list[str]:
        """Declared and defined at one place."""
        return []

    def _all_packages(self) -> dict[str, dict[str, list[str]]]:
        if self._packages is None:
            self._packages = {}
            for path in self._project.files:
                if path.endswith(".java"):
                    name = path.rpartition("/")[2].removesuffix(".java")
                    package = self._packages.setdefault(self._project.namespace(path), {})
                    package.setdefault(name, []).append(path)
        return self._packages
