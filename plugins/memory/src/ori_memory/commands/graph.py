"""`ori graph`: figures and a picture of the links."""

from __future__ import annotations

from pathlib import Path

import click

from aries_kernel.atomic import replace_bytes
from aries_kernel.console.table import table
from aries_kernel.console.width import terminal_width
from aries_kernel.errors import UserError
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.memory import Memory

__all__ = ["graph"]


@click.group()
def graph() -> None:
    """Figures and a picture of the links."""


@graph.command()
@answering
def metrics(context: Context) -> int:
    """Counts, and the notes with the highest PageRank and betweenness."""
    from ori_memory.graph.betweenness import betweenness
    from ori_memory.graph.communities import communities_of
    from ori_memory.graph.ranking import pagerank

    with Memory.open(context.vault()) as memory:
        ranks, between = pagerank(memory.graph, memory.vault.config.graph.pagerank_alpha), betweenness(memory.graph)
        communities = communities_of(memory.graph)
        data = {
            "nodes": len(memory.graph.notes),
            "edges": memory.graph.edge_count,
            "communities": len(communities.groups),
            "bridges": len(memory.structure.bridges),
            "articulation_points": len(memory.structure.articulation_points),
            "skipped": ranks.skipped,
            "top_pagerank": [{"path": path, "score": value} for path, value in ranks.top(10)],
            "top_betweenness": [{"path": path, "score": value} for path, value in between.top(10)],
        }
        rows = [(f"{value:.5f}", path) for path, value in ranks.top(10)]
        lines = [
            f"{key.replace('_', ' ')}: {value}"
            for key, value in data.items()
            if isinstance(value, int | str) and value != ""
        ]
        text = "\n".join([*lines, *([table(("PAGERANK", "NOTE"), rows)] if rows else [])])
        print_answer(data, as_json=context.wants_json, text=lambda: text, warnings=memory.warnings)
    return 0


@graph.command()
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Groups to show as text.")
@answering
def communities(context: Context, limit: int) -> int:
    """Groups of notes that link to each other."""
    from ori_memory.graph.communities import communities_of

    with Memory.open(context.vault()) as memory:
        found = communities_of(memory.graph)
        groups = [
            {"id": one.id, "name": one.name, "size": one.size, "terms": list(one.terms), "members": list(one.members)}
            for one in found.groups
        ]
        rows = [(one.id, one.size, one.name, ", ".join(one.terms)) for one in found.groups[:limit]]
        header, width = ("ID", "NOTES", "NAME", "TERMS"), terminal_width()
        told = table(header, rows, free=("NAME", "TERMS"), width=width)
        text = told if rows else f"There are no groups: {found.skipped}."
        data = {"communities": groups, "modularity": found.modularity, "skipped": found.skipped}
        print_answer(data, as_json=context.wants_json, text=lambda: text, warnings=memory.warnings)
    return 0


@graph.command()
@click.argument("output", type=click.Path(path_type=Path, dir_okay=False), default="graph.html")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@answering
def html(context: Context, output: Path, force: bool) -> int:
    """One page that shows the graph: zoom, search, colour by community or warmth. It needs no network."""
    from ori_memory.graph.communities import communities_of
    from ori_memory.graph.page import graph_page

    place = (context.cwd / output).resolve()
    if place.exists() and not force:
        raise UserError(f"{output} exists. Choose another name, or write over it with --force.")
    if not place.parent.is_dir():
        raise UserError(f"{place.parent}: there is no such folder.")
    with Memory.open(context.vault()) as memory:
        page = graph_page(
            memory.index.notes(),
            memory.edges,
            communities_of(memory.graph),
            {path: one.value for path, one in memory.vitality.items()},
        )
        replace_bytes(place, page.encode("utf-8"))
        data = {"file": place, "bytes": len(page.encode("utf-8")), "notes": len(memory.graph.notes)}
        print_answer(data, as_json=context.wants_json, text=lambda: f"{place}", warnings=memory.warnings)
    return 0
