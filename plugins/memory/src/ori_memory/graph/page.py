"""The graph as one HTML file: what the page shows of a vault."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from aries_kernel.picture.page import Picture, Words
from aries_kernel.picture.page import graph_page as picture_page
from ori_memory.graph.communities import Communities
from ori_memory.graph.edges import Edge
from ori_memory.graph.graph import NoteGraph
from ori_memory.graph.layout import laid_out
from ori_memory.model import NoteRecord

__all__ = ["graph_page"]

_WORDS = Words(
    one="note",
    many="notes",
    tie="link",
    ties="links",
    search="Search titles",
    nothing="Nothing has this title.",
    empty="There are no notes yet.",
    out="Links to",
    into="Linked from",
    near="Mentioned without a link",
    none="no links",
    alone="without links",
    figure="Warmth",
    low="cold",
    high="warm",
    zones=((0.6, "active"), (0.3, "stale"), (0.1, "fading"), (0.0, "cold")),
)


def graph_page(
    notes: Iterable[NoteRecord],
    edges: Iterable[Edge],
    communities: Communities,
    warmth: Mapping[str, float],
    title: str = "Graph of notes",
) -> str:
    """The page's text; ASCII, so it may be stored in any encoding.

    `warmth`: vitality by path, 0 to 1; notes that are not named have none and stay grey.
    """
    return picture_page(_picture(NoteGraph.build(notes, edges), communities, warmth), _WORDS, title)


def _picture(graph: NoteGraph, communities: Communities, warmth: Mapping[str, float]) -> Picture:
    groups = [communities.of.get(note.path, -1) for note in graph.notes]
    degrees = [one + other for one, other in zip(graph.in_degrees, graph.out_degrees, strict=True)]
    sizes = [2.4 + min(22.0, 0.8 * math.sqrt(degree)) for degree in degrees]
    undirected = graph.undirected_weights
    return Picture(
        titles=[note.title for note in graph.notes],
        paths=[note.path for note in graph.notes],
        kinds=[note.type for note in graph.notes],
        groups=groups,
        figures=[warmth.get(note.path) for note in graph.notes],
        places=laid_out(list(undirected), list(undirected.values()), groups, sizes),
        sizes=sizes,
        ties=sorted(graph.written),
        hints=sorted(graph.suggested),
        communities=[(group.name, group.size) for group in communities.groups],
    )
