"""Definitions that are meant for others and that no other file is seen to import or use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from aries_body.binding.interface import Interface, Way, interface_of
from aries_body.graph.symbols import SymbolKey
from aries_body.operations.results import UnusedExport
from aries_body.operations.symbols import Symbols
from aries_body.operations.view import View

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from aries_body.index.project import Project
    from aries_kernel.contracts import Symbol

__all__ = ["unused"]

_ALL = "*"
_OF_OTHERS = frozenset({"method", "namespace", "field"})
_OF_VALUES = frozenset({"require", "dynamic"})
"""Kinds of imports that stand where a value does."""
_DECLARED = "declared"
"""Among the modifiers of what has its body elsewhere."""
_HELD = "module"
"""The kind of an import that declares a file as a part of the one it stands in."""


def unused(project: Project, view: View, symbols: Symbols) -> list[UnusedExport]:
    """Outermost definitions; those that not even their own file uses come first, then by files and lines.

    Last come those of files that nothing leads to. Such a file is run or loaded by its name, and so may be what it
    defines. Left out are tests, which nobody imports, files that are used as a whole (`members[name]` of an imported
    module), what a file that nothing leads to hands on from others, and what settings hand out: that is what the
    project offers. So are names such as `__all__`, which the language itself reads.
    """
    elsewhere, here = view.used
    whole = _taken_whole(project)
    led_to = _led_to(view)
    asking = _Asking(project)
    wanted = _handed_out(asking, view, led_to) | _imported(asking)
    wanted |= asking.meant(project.linker.resolving.offered())
    others = _alternatives(project)
    sure: list[UnusedExport] = []
    perhaps: list[UnusedExport] = []
    for number, path in enumerate(view.graph.paths):
        if number in view.graph.tests or path in whole or SymbolKey(path, "") in elsewhere:
            continue
        bodies = _bodies(project, path)
        outermost = [one for one in project.facts(path).symbols if _is_for_others(one) and one.qualified not in bodies]
        for row in symbols.rows(path, outermost):
            key = SymbolKey(path, row.name)
            if (
                key not in elsewhere
                and key not in wanted
                and not (path in others and any(SymbolKey(one, row.name) in elsewhere for one in others[path]))
            ):
                (sure if number in led_to else perhaps).append(UnusedExport(row, key in here))
    found = [one for group in (sure, perhaps) for one in sorted(group, key=lambda one: one.is_used_here)]
    linked = _by_declarations(project, found, elsewhere)
    return [one for one in found if (one.symbol.path, one.symbol.name) not in linked]


def _bodies(project: Project, path: str) -> set[str]:
    """Names that the file only declares, and another one has: they are told of there."""
    return {name for file in project.linker.resolving.ask_definitions(path) for name in project.facts(file).qualified}


def _by_declarations(
    project: Project, found: list[UnusedExport], elsewhere: Container[SymbolKey]
) -> set[tuple[str, str]]:
    """Those of them that another file declares and others use by that: in C a name is one in the whole program."""
    rows: dict[str, list[str]] = {}
    for one in found:
        if _DECLARED not in one.symbol.modifiers.split():
            rows.setdefault(one.symbol.name, []).append(one.symbol.path)
    linked: set[tuple[str, str]] = set()
    for path in project.sources:
        for symbol in project.facts(path).symbols:
            name = symbol.qualified
            if name in rows and _DECLARED in symbol.modifiers.split() and SymbolKey(path, name) in elsewhere:
                family = project.linker.resolving.family_of
                linked |= {(other, name) for other in rows[name] if family(other) == family(path)}
    return linked


def _is_for_others(symbol: Symbol) -> bool:
    """Methods are called on values of which nobody knows the type, and Go and C++ write them outside of theirs.

    What is in a namespace is used, not the namespace, which many files may open. A field without a parent is one of a
    type that has no name.
    """
    is_outside = "." in symbol.qualified.removeprefix("module.")
    is_read_by_language = symbol.name.startswith("__") and symbol.name.endswith("__")
    is_free = symbol.parent < 0 and symbol.exported and not is_outside and not is_read_by_language
    return is_free and symbol.kind not in _OF_OTHERS


def _taken_whole(project: Project) -> set[str]:
    """Files whose value somebody takes without a name: `[require("./a")]`."""
    return {
        file
        for path in project.sources
        for item, where in zip(project.facts(path).imports, project.linker.where(path), strict=True)
        if item.kind in _OF_VALUES and not item.name and not item.local
        for file in where.files
        if file != path
    }


def _led_to(view: View) -> set[int]:
    """Files that another one leads to which is no test, but for roots.

    The root of a tree of modules is led to by what it holds (`crate::x`), and nothing declares it.
    """
    graph = view.graph
    ties = [pair for number, found in enumerate(graph.leading) if number not in graph.tests for pair in found.items()]
    holders = {
        number for number, found in enumerate(graph.leading) if any(_HELD in tie.imports for tie in found.values())
    }
    roots = holders - {target for target, tie in ties if _HELD in tie.imports}
    return {target for target, _ in ties} - roots


def _alternatives(project: Project) -> dict[str, set[str]]:
    """Files that stand for each other under conditions: modules that one file has by the same name."""
    found: dict[str, set[str]] = {}
    for path in project.sources:
        named: dict[str, set[str]] = {}
        for item, where in zip(project.facts(path).imports, project.linker.where(path), strict=True):
            if item.kind == _HELD and item.local:
                named.setdefault(item.local, set()).update(where.files)
        for files in named.values():
            for file in files if len(files) > 1 else ():
                found.setdefault(file, set()).update(files - {file})
    return found


def _handed_out(asking: _Asking, view: View, led_to: set[int]) -> set[SymbolKey]:
    """What files that nothing leads to hand on from others."""
    graph = view.graph
    entries = {
        path: {graph.paths[other] for other, tie in graph.leading[number].items() if tie.uses}
        for number, path in enumerate(graph.paths)
        if number not in led_to and number not in graph.tests and graph.leading[number]
    }
    offered = {one for path, used in entries.items() for one in asking.offered(path, used)}
    return {key for key in asking.meant(offered) if key.path not in entries}


def _imported(asking: _Asking) -> set[SymbolKey]:
    """What other files name when they import: they want it, even those that do nothing with it."""
    project = asking.project
    asked = {
        (file, item.name)
        for path in project.sources
        for item, where in zip(project.facts(path).imports, project.linker.where(path), strict=True)
        if item.name not in ("", _ALL) and not where.is_whole
        for file in where.files
        if file != path
    }
    return asking.meant(asked)


@define
class _Asking:
    """What names mean that files are asked for, each file taken apart once."""

    project: Project
    _interfaces: dict[str, Interface] = field(factory=dict)

    def offered(self, path: str, used: Container[str]) -> Iterator[tuple[str, str]]:
        """Names that a file hands out; not modules that it imports whole and does something with (`used`)."""
        said = self._interface(path)
        yield from ((star, _ALL) for star in said.stars)
        for name in said.public | said.exports.keys() & {"default"}:
            wholes = [one for one in said.exports.get(name, ()) if isinstance(one, Way) and not one.name]
            if not any(file in used for one in wholes for file in one.files):
                yield path, name

    def meant(self, names: Iterable[tuple[str, str]]) -> set[SymbolKey]:
        """Definitions behind names of files (`*`: all that it hands out), through whatever hands them on."""
        found: set[SymbolKey] = set()
        seen = set(names)
        waiting = sorted(seen)
        while waiting:
            path, name = waiting.pop()
            said = self._interface(path)
            wanted = sorted(said.public | said.exports.keys() & {"default"}) if name == _ALL else [name]
            asked = [(star, name) for star in said.stars if name == _ALL or name not in said.exports]
            for step in [step for one in wanted for step in said.exports.get(one, ())]:
                if isinstance(step, Way):
                    asked += [(file, step.name or _ALL) for file in step.files]
                elif step is not None:
                    found.add(SymbolKey(path, step))
            new = [one for one in asked if one not in seen]
            seen.update(new)
            waiting += new
        return found

    def _interface(self, path: str) -> Interface:
        if path not in self._interfaces:
            self._interfaces[path] = interface_of(self.project.facts(path), self.project.linker.where(path))
        return self._interfaces[path]
