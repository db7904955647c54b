"""The graph as one HTML file: zoomable, searchable, without network or libraries."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
from collections.abc import Iterable, Mapping
from importlib import resources

from ori_memory.graph.communities import Communities
from ori_memory.graph.edges import Edge
from ori_memory.graph.graph import NoteGraph
from ori_memory.graph.layout import laid_out
from ori_memory.model import NoteRecord

__all__ = ["graph_page"]

_SCRIPTS = ("colours.js", "scene.js", "drawing.js", "labels.js", "panel.js", "searching.js", "main.js")


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
    graph = NoteGraph.build(notes, edges)
    data = json.dumps(_data(graph, communities, warmth), separators=(",", ":"), allow_nan=False)
    # In a script element nothing but an end tag or a comment's start can end the text; both need this sign.
    data = data.replace("<", "\\u003c")
    script = '"use strict";\n(() => {\n' + "\n".join(map(_asset, _SCRIPTS)) + "\n})();\n"
    style = _asset("page.css")
    parts = {
        "POLICY": f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'",
        "TITLE": html.escape(title).encode("ascii", "xmlcharrefreplace").decode("ascii"),
        "STYLE": style,
        "DATA": data,
        "SCRIPT": script,
    }
    page = _asset("page.html")
    # One pass over the template: what a title says is never taken for a place to fill.
    pieces = page.split("@@")
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def _data(graph: NoteGraph, communities: Communities, warmth: Mapping[str, float]) -> dict[str, object]:
    groups = [communities.of.get(note.path, -1) for note in graph.notes]
    degrees = [one + other for one, other in zip(graph.in_degrees, graph.out_degrees, strict=True)]
    sizes = [2.4 + min(22.0, 0.8 * math.sqrt(degree)) for degree in degrees]
    undirected = graph.undirected_weights
    places = laid_out(list(undirected), list(undirected.values()), groups, sizes)
    return {
        "titles": [note.title for note in graph.notes],
        "paths": [note.path for note in graph.notes],
        "types": [note.type for note in graph.notes],
        "groups": groups,
        "warmth": [_share(warmth.get(note.path)) for note in graph.notes],
        "places": [round(value) for place in places for value in place],
        "sizes": [round(size, 1) for size in sizes],
        "written": [number for pair in sorted(graph.written) for number in pair],
        "suggested": [number for pair in sorted(graph.suggested) for number in pair],
        "communities": [{"name": group.name, "size": group.size} for group in communities.groups],
    }


def _share(value: float | None) -> float:
    if value is None or not math.isfinite(value):
        return -1
    return round(min(1.0, max(0.0, value)), 3)


def _asset(name: str) -> str:
    return (resources.files("ori_memory.graph") / "page_files" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
