"""The repository as one page that one can zoom, search and colour by community or rank."""

from __future__ import annotations

import math
from collections.abc import Sequence

from aries_body.graph.layout import laid_out
from aries_body.operations.view import View
from aries_kernel.picture.page import Picture, Words, graph_page

__all__ = ["page_of"]

_WORDS = Words(
    one="file",
    many="files",
    tie="tie",
    ties="ties",
    search="Search files",
    nothing="No file is called so.",
    empty="There are no source files.",
    out="Imports and uses",
    into="Imported and used by",
    near="",
    none="no ties",
    alone="without ties",
    figure="Rank",
    low="seldom used",
    high="central",
    zones=((0.5, "central"), (0.2, "important"), (0.05, "ordinary"), (0.0, "at the rim")),
)


def page_of(view: View, title: str) -> str:
    """The page's text."""
    graph, communities = view.graph, view.communities
    groups = [communities.of.get(path, -1) for path in graph.paths]
    shares = view.share_of
    degrees = [len(graph.incoming.get(n, ())) + len(graph.leading[n]) for n in range(len(graph))]
    picture = Picture(
        titles=_titles(graph.paths),
        paths=graph.paths,
        kinds=[
            f"{view.project.language(path)}{', test' if number in graph.tests else ''}"
            for number, path in enumerate(graph.paths)
        ],
        groups=groups,
        # By its root: ranks fall off so quickly that all but a few files would look the same.
        figures=[math.sqrt(shares[path]) if path in shares else None for path in graph.paths],
        places=laid_out(graph.undirected_weights, groups),
        sizes=[2.4 + min(22.0, 0.8 * math.sqrt(degree)) for degree in degrees],
        ties=list(graph.ties),
        communities=[(group.name, len(group.members)) for group in communities.groups],
    )
    return graph_page(picture, _WORDS, title)


def _titles(paths: Sequence[str]) -> list[str]:
    """Names of files with their folder: many are called alike."""
    return ["/".join(path.split("/")[-2:]) for path in paths]
