"""`package.json`: what a package is called, what it hands out, what it depends on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from attrs import define, field, frozen

from aries_language_javascript.jsonc import Json, parse
from aries_language_syntax.tree import chain, folder_of

if TYPE_CHECKING:
    from aries_kernel.contracts.language import Project

__all__ = ["Manifest", "Manifests", "matched", "strings"]

# What Node and the compiler choose among; conditions of bundlers and of newer versions come last.
_IMPORT = frozenset({"import", "node", "default"})
_REQUIRE = frozenset({"require", "node", "default"})
_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


class Targets(NamedTuple):
    """Paths that an entry of `exports` or `imports` gives."""

    chosen: list[str]
    """By the conditions of the import, the first choice first."""
    others: list[str]
    """What no condition chose may still be the only one that is there."""


@frozen(eq=False)
class Manifest:
    """One package."""

    folder: str
    data: dict[str, Json]

    @property
    def name(self) -> str:
        name = self.data.get("name")
        return name if isinstance(name, str) else ""

    @property
    def workspaces(self) -> list[str]:
        """Patterns of the folders whose packages belong to this one."""
        value = self.data.get("workspaces")
        return strings(value.get("packages") if isinstance(value, dict) else value)

    def dependency(self, name: str) -> str:
        """How a dependency is written: `^1.0`, `workspace:*`, `file:../x`; empty for none."""
        for key in _DEPENDENCIES:
            group = self.data.get(key)
            if isinstance(group, dict):
                written = group.get(name)
                if isinstance(written, str):
                    return written
        return ""

    def entries(self, is_typed: bool) -> list[str]:
        """The files that stand for the package where it has no `exports`, the first choice first."""
        types, code = ["types", "typings"], ["source", "module", "main"]
        order = [*types, *code] if is_typed else ["main", "module", "source", *types]
        found = [value for key in order if isinstance(value := self.data.get(key), str) and value]
        return [entry for entry in found if entry not in (".", "./")]

    def offers(self) -> list[str]:
        """All that the package hands out or runs; without a word of it, its index."""
        said = [*self.entries(is_typed=False), *_leaves(self.data.get("exports"), None)]
        program = self.data.get("bin")
        programs = program.values() if isinstance(program, dict) else [program]
        said += [one for one in (*programs, self.data.get("browser")) if isinstance(one, str)]
        return list(dict.fromkeys(said)) or ["./index"]

    def exported(self, subpath: str, *, is_typed: bool, is_require: bool) -> Targets | None:
        """What `exports` says of `.` or `./sub`, the first choice first: none for what it hides; None without it."""
        exports = self.data.get("exports")
        if exports is None:
            return None
        if not isinstance(exports, dict) or not any(key.startswith(".") for key in exports):
            exports = {".": exports}
        return _targets(exports, subpath, is_typed=is_typed, is_require=is_require) or Targets([], [])

    def imported(self, name: str, *, is_typed: bool, is_require: bool) -> Targets | None:
        """What `imports` says of `#name`."""
        imports = self.data.get("imports")
        if not isinstance(imports, dict):
            return None
        return _targets(imports, name, is_typed=is_typed, is_require=is_require)


def _targets(table: dict[str, Json], name: str, *, is_typed: bool, is_require: bool) -> Targets | None:
    found = matched(table, name)
    if found is None:
        return None
    value, star = found
    conditions = _REQUIRE if is_require else _IMPORT
    first = list(_leaves(value, conditions | {"types", "typings"} if is_typed else conditions))
    rest = [leaf for leaf in _leaves(value, None) if leaf not in first]
    return Targets([leaf.replace("*", star) for leaf in first], [leaf.replace("*", star) for leaf in rest])


def matched(table: dict[str, Json], name: str) -> tuple[Json, str] | None:
    """The entry of a table of patterns that fits best, and what its star stands for."""
    if name in table and "*" not in name:
        return table[name], ""
    best: tuple[int, str, str] | None = None
    for pattern in table:
        prefix, star, suffix = pattern.partition("*")
        if not star and pattern.endswith("/"):
            prefix, star, suffix = pattern, "*", ""
        fits = star and name.startswith(prefix) and name.endswith(suffix) and len(name) >= len(prefix) + len(suffix)
        if fits and (best is None or len(prefix) > best[0]):
            best = (len(prefix), pattern, name[len(prefix) : len(name) - len(suffix)])
    if best is None:
        return None
    value = table[best[1]]
    if best[1].endswith("/") and isinstance(value, str) and "*" not in value:
        value += "*"
    return value, best[2]


def _leaves(value: Json, conditions: frozenset[str] | None, depth: int = 0) -> Iterator[str]:
    """The paths in a value of `exports`, in the order of its conditions; of all of them where none is given."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth < 20:
        for one in value:
            yield from _leaves(one, conditions, depth + 1)
    elif isinstance(value, dict) and depth < 20:
        for key, one in value.items():
            if conditions is None or key in conditions or (key.startswith("types") and "types" in conditions):
                yield from _leaves(one, conditions, depth + 1)


@define(eq=False)
class Manifests:
    """All packages of the project."""

    project: Project
    _folders: frozenset[str] | None = field(init=False, default=None)
    _read: dict[str, Manifest] = field(init=False, factory=dict)
    _above: dict[str, list[Manifest]] = field(init=False, factory=dict)

    @property
    def folders(self) -> frozenset[str]:
        if self._folders is None:
            self._folders = frozenset(folder_of(path) for path in self.project.find("package.json"))
        return self._folders

    def at(self, folder: str) -> Manifest | None:
        """The package whose root is this folder."""
        if folder not in self.folders:
            return None
        if folder not in self._read:
            text = self.project.text(f"{folder}/package.json" if folder else "package.json")
            self._read[folder] = Manifest(folder, parse(text or ""))
        return self._read[folder]

    def above(self, folder: str) -> list[Manifest]:
        """The packages around a folder, the nearest first."""
        if folder not in self._above:
            found = (self.at(one) for one in chain(folder))
            self._above[folder] = [manifest for manifest in found if manifest is not None]
        return self._above[folder]


def strings(value: Json) -> list[str]:
    """The strings of a list in a settings file, or the one string that stands there instead."""
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
