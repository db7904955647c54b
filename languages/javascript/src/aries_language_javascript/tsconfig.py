"""`tsconfig.json` and `jsconfig.json`: the names that they give to paths, and the files they are for."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from aries_language_javascript.globs import matches_any
from aries_language_javascript.jsonc import Json, parse
from aries_language_javascript.manifests import Manifests, matched, strings
from aries_language_syntax.tree import chain, folder_of, joined

if TYPE_CHECKING:
    from aries_kernel.contracts.language import Project
    from aries_language_javascript.workspaces import Workspaces

__all__ = ["Settings", "Tsconfigs"]

_NAMES = ("tsconfig.json", "jsconfig.json")
_OWN_FOLDER = "${configDir}"
"""The folder of the file that extends others, in what those say."""
_MOST_LEVELS = 20


@frozen(eq=False)
class Settings:
    """What one file says, with what it takes from those that it extends."""

    folder: str
    base: str | None = None
    """`baseUrl`, from the root of the project."""
    paths: dict[str, Json] = field(factory=dict)
    paths_base: str = ""
    root_dirs: tuple[str, ...] = ()
    files: tuple[str, ...] | None = None
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    _named: dict[str, list[str]] = field(factory=dict)

    def covers(self, path: str) -> bool:
        """Whether a file belongs to the project that these settings describe."""
        if self.files is not None and path in self.files:
            return True
        if self.include is None:
            inside = self.files is None and (not self.folder or path.startswith(self.folder + "/"))
        else:
            inside = matches_any(_written_out(self.include), path)
        return inside and not matches_any(_written_out(self.exclude), path)

    def named(self, module: str) -> list[str]:
        """The paths that `paths` and `baseUrl` make of a name, the first choice first."""
        if module not in self._named:
            self._named[module] = self._asked(module)
        return self._named[module]

    def _asked(self, module: str) -> list[str]:
        found: list[str | None] = []
        entry = matched(self.paths, module) if self.paths else None
        if entry is not None:
            found += [self._at(target.replace("*", entry[1])) for target in strings(entry[0])]
        if self.base is not None:
            found.append(joined(self.base, module))
        return [path for path in found if path is not None]

    def _at(self, target: str) -> str | None:
        if target.startswith(_OWN_FOLDER):
            return joined(self.folder, target.removeprefix(_OWN_FOLDER))
        return joined(self.paths_base, target)

    def mirrored(self, path: str) -> list[str]:
        """The same path in the other folders of `rootDirs`."""
        for root in self.root_dirs:
            if not root or path.startswith(root + "/"):
                inside = path[len(root) + 1 :] if root else path
                return [f"{other}/{inside}" if other else inside for other in self.root_dirs if other != root]
        return []


@lru_cache(1024)
def _written_out(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """A folder is named by itself and stands for all that is in it."""
    found: list[str] = []
    for pattern in patterns:
        found.append(pattern)
        last = pattern.rpartition("/")[2]
        if "*" not in last and "?" not in last and "." not in last:
            found.append(f"{pattern}/**" if pattern else "**")
    return tuple(found)


@define(eq=False)
class Tsconfigs:
    """All of them, each read when a file first asks."""

    project: Project
    manifests: Manifests
    workspaces: Workspaces
    _places: frozenset[str] | None = field(init=False, default=None)
    _read: dict[str, Settings | None] = field(init=False, factory=dict)
    _near: dict[str, list[str]] = field(init=False, factory=dict)
    _of: dict[str, Settings | None] = field(init=False, factory=dict)

    def of(self, path: str) -> Settings | None:
        """The settings that a file belongs to: the nearest above it that name it, else the nearest."""
        if path not in self._of:
            self._of[path] = self._nearest(path)
        return self._of[path]

    def _nearest(self, path: str) -> Settings | None:
        near = self._above(folder_of(path))
        for place in near:
            for settings in self._family(place, set()):
                if settings.covers(path):
                    return settings
        return self._settings(near[0]) if near else None

    def _above(self, folder: str) -> list[str]:
        if self._places is None:
            self._places = frozenset(path for name in _NAMES for path in self.project.find(name))
        if folder not in self._near:
            paths = (f"{one}/{name}" if one else name for one in chain(folder) for name in _NAMES)
            self._near[folder] = [path for path in paths if path in self._places]
        return self._near[folder]

    def _family(self, place: str, seen: set[str]) -> list[Settings]:
        """The settings at a place, and those that they refer to."""
        if place in seen or len(seen) > 500:
            return []
        seen.add(place)
        settings = self._settings(place)
        if settings is None:
            return []
        found = [settings]
        for reference in settings.references:
            found += self._family(reference, seen)
        return found

    def _settings(self, place: str) -> Settings | None:
        if place not in self._read:
            merged = self._merged(place, folder_of(place), 0)
            self._read[place] = None if merged is None else _settings(merged, folder_of(place))
        return self._read[place]

    def _merged(self, place: str, leaf: str, depth: int) -> dict[str, Json] | None:
        """One object with everything that was extended; paths in it start at the root of the project."""
        text = self.project.text(place) if depth < _MOST_LEVELS else None
        if text is None:
            return None
        data = parse(text)
        folder = folder_of(place)
        merged: dict[str, Json] = {}
        for name in strings(data.get("extends")):
            for candidate in self._extended(folder, name):
                base = self._merged(candidate, leaf, depth + 1)
                if base is not None:
                    merged.update(base)
                    break
        options = data.get("compilerOptions")
        merged.update(_placed(options if isinstance(options, dict) else {}, data, folder, leaf))
        return merged

    def _extended(self, folder: str, name: str) -> list[str]:
        if name.startswith((".", "/")):
            target = joined(folder, name) if name.startswith(".") else None
            return [] if target is None else [target, f"{target}.json", f"{target}/tsconfig.json"]
        parts = name.split("/")
        count = 2 if name.startswith("@") else 1
        package, inside = "/".join(parts[:count]), "/".join(parts[count:])
        member = self.workspaces.package(folder, package)
        homes = [] if member is None else [member.folder]
        homes += [f"{up}/node_modules/{package}" if up else f"node_modules/{package}" for up in chain(folder)]
        found = []
        for home in homes:
            prefix = f"{home}/" if home else ""
            found += [f"{prefix}{inside}", f"{prefix}{inside}.json"] if inside else []
            found.append(f"{prefix}{inside}/tsconfig.json" if inside else f"{prefix}tsconfig.json")
        return [path for path in found if path.endswith(".json")]


def _placed(options: dict[str, Json], data: dict[str, Json], folder: str, leaf: str) -> dict[str, Json]:
    """The settings of one file, their paths joined to where they start."""

    def at(path: str) -> str | None:
        if path.startswith(_OWN_FOLDER):
            return joined(leaf, path.removeprefix(_OWN_FOLDER))
        return joined(folder, path)

    found: dict[str, Json] = {}
    base = options.get("baseUrl")
    if isinstance(base, str):
        found["base"] = at(base)
    paths = options.get("paths")
    if isinstance(paths, dict):
        found["paths"], found["paths_base"] = paths, folder
    if "rootDirs" in options:
        found["root_dirs"] = [path for one in strings(options["rootDirs"]) if (path := at(one)) is not None]
    for key in ("files", "include", "exclude"):
        if key in data:
            found[key] = [path for one in strings(data[key]) if (path := at(one)) is not None]
    references = data.get("references")
    found["references"] = [
        path
        for one in (references if isinstance(references, list) else [])
        if isinstance(one, dict) and isinstance(name := one.get("path"), str) and (path := at(name)) is not None
    ]
    return found


def _settings(merged: dict[str, Json], folder: str) -> Settings:
    base, paths, paths_base = merged.get("base"), merged.get("paths"), merged.get("paths_base")
    references = [
        one if one.endswith(".json") else f"{one}/tsconfig.json".lstrip("/") for one in strings(merged["references"])
    ]
    return Settings(
        folder=folder,
        base=base if isinstance(base, str) else None,
        paths=paths if isinstance(paths, dict) else {},
        paths_base=base if isinstance(base, str) else paths_base if isinstance(paths_base, str) else folder,
        root_dirs=tuple(strings(merged.get("root_dirs"))),
        files=tuple(strings(merged["files"])) if "files" in merged else None,
        include=tuple(strings(merged["include"])) if "include" in merged else None,
        exclude=tuple(strings(merged.get("exclude"))),
        references=tuple(references),
    )
