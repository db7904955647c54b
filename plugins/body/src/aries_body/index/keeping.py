"""The state of a project as plain data in the cache, so that the next start finds everything bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aries_body.binding.binder import Edge
from aries_body.binding.linker import Link
from aries_body.binding.resolving import kept, restored
from aries_body.index.reading import Summary, other_reader, suffix_of
from aries_body.index.rows import FileRow
from aries_body.tree.listing import Signature

if TYPE_CHECKING:
    from aries_body.index.packs import Packs
    from aries_body.index.project import Project

__all__ = ["keep", "restore"]

_NAME = "project"


def keep(project: Project) -> None:
    """Write the state of now."""
    number = {path: index for index, path in enumerate(project.rows)}
    rows = [
        (tuple(row.signature), row.is_young, row.key, tuple(row.summary), row.skipped) for row in project.rows.values()
    ]
    links = [
        (
            number[path],
            [(number[edge.target], *edge[1:]) for edge in link.edges],
            [number[file] for file in link.asked if file in number],
            [number[file] for file in link.stars if file in number],
            link.unresolved,
            link.id,
        )
        for path, link in project.linker.links.items()
    ]
    state = {
        "readers": _readers(project.packs, project.rows),
        "paths": list(project.rows),
        "rows": rows,
        "links": links,
        "asked": kept(project.linker.resolving.asked),
    }
    project.store.keep_state({_NAME: state}, (link.id for link in project.linker.links.values()))


def restore(project: Project) -> None:
    """Take over what was kept, if anything; what other packs read than those of today is left behind."""
    state: Any = project.store.state(_NAME)
    if state is None:
        return
    try:
        paths = state["paths"]
        rows = {
            path: FileRow(Signature(*signature), is_young, key, Summary(*summary), skipped)
            for path, (signature, is_young, key, summary, skipped) in zip(paths, state["rows"], strict=True)
        }
        links = {
            paths[one]: Link(
                tuple(Edge(paths[target], *rest) for target, *rest in edges),
                tuple(paths[file] for file in asked),
                tuple(paths[file] for file in stars),
                unresolved,
                identifier,
            )
            for one, edges, asked, stars, unresolved, identifier in state["links"]
        }
        asked = restored(state["asked"])
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return  # Somebody else's; it is made again.
    outdated = _outdated(project.packs, rows, state["readers"])
    project.rows = {path: row for path, row in rows.items() if suffix_of(path) not in outdated}
    project.linker.links = links
    project.linker.resolving.asked = asked


def _readers(packs: Packs, rows: dict[str, FileRow]) -> dict[str, str]:
    """Which pack reads a suffix, by the suffixes that are there."""
    return {
        suffix: _reader(packs, suffix) for suffix in sorted({suffix_of(path) for path in rows}) if packs.knows(suffix)
    }


def _reader(packs: Packs, suffix: str) -> str:
    pack = packs.get(suffix)
    return f"{pack.name} {pack.version} {pack.family}" if pack is not None else ""


def _outdated(packs: Packs, rows: dict[str, FileRow], readers: dict[str, str]) -> set[str]:
    """Suffixes that were read by another pack than the one of today."""
    found = {one for one in readers.keys() | _readers(packs, rows).keys() if readers.get(one) != _reader(packs, one)}
    for path, row in rows.items():
        through = row.summary.through
        if through and through != other_reader(through.partition(" ")[0], packs):
            found.add(suffix_of(path))
    return found
