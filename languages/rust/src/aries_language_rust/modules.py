"""The modules of all crates: which file is which module, from the root files along `mod x;`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from attrs import frozen

from aries_kernel.contracts import Import, Project
from aries_language_syntax.tree import folder_of, joined

__all__ = ["BY_MACRO", "Modules", "Spot"]

BY_MACRO = "!"
"""What the text of a `mod x;` begins with that stands in the body of a macro."""


@frozen
class Spot:
    """A module: a file, and the names of inline modules in it."""

    file: str
    inline: tuple[str, ...] = ()


class Modules:
    """Filled at once from the root files; files that no crate holds are roots of their own when they are asked for."""

    def __init__(self, project: Project, roots: Iterable[str]) -> None:
        self._project = project
        self._children: dict[Spot, list[str]] = {}
        self._parent: dict[str, Spot] = {}
        self._root: dict[str, str] = {}
        self._owns_folder: set[str] = set()
        self._by_macro: dict[tuple[str, str], list[str]] = {}
        for root in roots:
            self._grow(root)

    def root(self, path: str) -> str:
        """The root file of the crate that a file is part of."""
        chain = [path]
        while chain[-1] not in self._root:
            parent = self._likely_parent(chain[-1])
            if parent is None:
                self._grow(chain[-1])
            else:
                chain.append(parent)
        for child, parent in zip(chain[-2::-1], chain[:0:-1], strict=True):
            if child not in self._root:
                self._hang(child, Spot(parent), self._root[parent])
        return self._root[path]

    def parent(self, spot: Spot) -> Spot | None:
        """The module around one; None for a crate."""
        return Spot(spot.file, spot.inline[:-1]) if spot.inline else self._parent.get(spot.file)

    def children(self, spot: Spot, name: str) -> list[str]:
        """The files of a module in a module: several where conditions choose, none for an inline one."""
        return self._children.get(Spot(spot.file, (*spot.inline, name)), [])

    def declared(self, path: str, item: Import) -> list[str]:
        """The files that `mod x;` in a file means."""
        self.root(path)
        if item.text.startswith(BY_MACRO):
            return self._by_macro.get((path, item.module), [])
        names = tuple(item.module.split("::"))
        return self._children.get(Spot(path, names), [])

    def of_crate(self, root: str, name: str) -> list[str]:
        """Files of a crate that are modules with this name."""
        stems = (f"{name}.rs", f"{name}/mod.rs")
        return sorted(path for path, one in self._root.items() if one == root and path.endswith(stems))

    def _likely_parent(self, path: str) -> str | None:
        folder, name = folder_of(path), path.rpartition("/")[2]
        if name in ("lib.rs", "main.rs"):
            return None
        if name == "mod.rs":
            folder = folder_of(folder)
        base = f"{folder}/" if folder else ""
        above = f"{folder}.rs" if folder else ""
        for other in (f"{base}mod.rs", above, f"{base}lib.rs", f"{base}main.rs"):
            if other not in ("", path) and self._project.has(other):
                return other
        return None

    def _grow(self, root: str) -> None:
        if root in self._root:
            return
        self._owns_folder.add(root)
        self._root[root] = root
        self._spread([root], root)

    def _hang(self, path: str, parent: Spot, root: str) -> None:
        self._parent[path], self._root[path] = parent, root
        self._spread([path], root)

    def _spread(self, start: Sequence[str], root: str) -> None:
        waiting = deque(start)
        while waiting:
            path = waiting.popleft()
            for item in self._project.imports(path):
                if item.kind != "module":
                    continue
                *inline, name = item.module.split("::")
                spot, written = Spot(path, tuple(inline)), item.text
                files = [] if written.startswith(BY_MACRO) else self._files(spot, name, written)
                if written.startswith(BY_MACRO):
                    written = written.removeprefix(BY_MACRO)
                    spot, files = self._called_at(path, name, written)
                    self._by_macro.setdefault((path, name), []).extend(files)
                for file in files:
                    known = self._children.setdefault(Spot(spot.file, (*spot.inline, name)), [])
                    if file not in known:
                        known.append(file)
                    if file not in self._root:
                        self._root[file], self._parent[file] = root, spot
                        if written:
                            self._owns_folder.add(file)
                        waiting.append(file)

    def _called_at(self, path: str, name: str, written: str) -> tuple[Spot, list[str]]:
        """Whose module one is that a macro of a file declares: the innermost file around that has such a file."""
        spot: Spot | None = Spot(path)
        while spot is not None:
            files = [file for file in self._files(spot, name, written) if file != path]
            if files:
                return spot, files
            spot = self._parent.get(spot.file)
        return Spot(path), []

    def _files(self, spot: Spot, name: str, written: str) -> list[str]:
        path, folder = spot.file, folder_of(spot.file)
        is_owner = path in self._owns_folder or path.rpartition("/")[2] == "mod.rs"
        inner = folder if is_owner else path.removesuffix(".rs")
        inner = "/".join([part for part in (inner, *spot.inline) if part])
        base = f"{inner}/" if inner else ""
        # A path may be one for other builds than this one (`cfg_attr`): then the module is where it would be without.
        named = joined(inner if spot.inline else folder, written) if written else None
        if named is not None and self._project.has(named):
            return [named]
        return [place for place in (f"{base}{name}.rs", f"{base}{name}/mod.rs") if self._project.has(place)]
