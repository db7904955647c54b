"""`ori query`: questions that the links, the dates and the graph answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import click

from aries_kernel.console.table import table
from aries_kernel.console.width import terminal_width
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.commands.ranked import ranked, similar
from ori_memory.memory import Memory
from ori_memory.operations import listing

__all__ = ["query"]


@click.group()
def query() -> None:
    """Ask the vault."""


def _answer(
    context: Context,
    memory: Memory,
    data: Any,
    header: Sequence[str],
    rows: Sequence[Sequence[object]],
    none: str,
    free: Collection[str] = (),
) -> int:
    """`free`: columns of text that a narrow terminal may cut; a path is of no use in part."""
    print_answer(
        data,
        as_json=context.wants_json,
        text=lambda: table(header, rows, free=free, width=terminal_width()) if rows else none,
        warnings=memory.warnings,
    )
    return 0


@query.command()
@answering
def orphans(context: Context) -> int:
    """Notes that no other note links to."""
    with Memory.open(context.vault(), session=context.session) as memory:
        data = listing.orphans(memory)
        rows = [(one,) for one in data["orphans"]]
        return _answer(context, memory, data, ("NOTE",), rows, "Every note is linked to.")


@query.command()
@answering
def dangling(context: Context) -> int:
    """Link targets that no note answers to, with the notes that hold them."""
    with Memory.open(context.vault(), session=context.session) as memory:
        data = listing.dangling(memory)
        rows = [(one["target"], ", ".join(one["sources"][:5])) for one in data["dangling"]]
        header, none = ("TARGET", "IN"), "Every link leads somewhere."
        return _answer(context, memory, data, header, rows, none, free=header)


@query.command()
@click.argument("note")
@answering
def backlinks(context: Context, note: str) -> int:
    """Notes that link to NOTE (a path, title, alias or id; also NOTE#heading or NOTE#^block), with the line."""
    with Memory.open(context.vault(), session=context.session) as memory:
        data = listing.backlinks(memory, note)
        rows = [(one["path"], one["line"], one["context"]) for one in data["backlinks"]]
        header, none = ("NOTE", "LINE", "CONTEXT"), "No note links to it."
        return _answer(context, memory, data, header, rows, none, free=("CONTEXT",))


@query.command("cross-project")
@answering
def cross_project(context: Context) -> int:
    """Notes of two projects or more."""
    with Memory.open(context.vault(), session=context.session) as memory:
        data = listing.cross_project(memory)
        rows = [(one["path"], ", ".join(one["projects"])) for one in data["notes"]]
        header, none = ("NOTE", "PROJECTS"), "No note belongs to two projects."
        return _answer(context, memory, data, header, rows, none, free=("PROJECTS",))


@query.command()
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True)
@answering
def important(context: Context, limit: int) -> int:
    """Notes that matter by their links (PageRank)."""
    with Memory.open(context.vault(), session=context.session) as memory:
        data = listing.important(memory, limit)
        rows = [(f"{one['score']:.5f}", one["path"]) for one in data["results"]]
        return _answer(context, memory, data, ("SCORE", "NOTE"), rows, "There are no links to rank by.")


@query.command()
@click.option("--threshold", type=click.FloatRange(0, 1), default=0.3, show_default=True)
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True)
@answering
def fading(context: Context, threshold: float, limit: int) -> int:
    """Notes whose vitality is below a threshold, the weakest first."""
    with Memory.open(context.vault(), session=context.session) as memory:
        data = listing.fading(memory, threshold, limit)
        rows = [(f"{one['vitality']:.3f}", one["zone"], one["path"]) for one in data["results"]]
        return _answer(context, memory, data, ("VITALITY", "ZONE", "NOTE"), rows, "No note fades.")


@query.command()
@click.argument("context_words", metavar="WORDS", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True)
@answering
def warm(context: Context, context_words: tuple[str, ...], limit: int) -> int:
    """Notes that are warm for what is going on: they fit WORDS, or were of use lately."""
    from ori_memory.operations.warming import warm_notes

    with Memory.open(context.vault(), session=context.session) as memory:
        found = warm_notes(memory, " ".join(context_words), limit)
        memory.notice(*found.notices)
        rows = [(f"{one['score']:.3f}", one["source"], one["path"]) for one in found.data["results"]]
        return _answer(context, memory, found.data, ("SCORE", "BY", "NOTE"), rows, "No note is warm.")


query.add_command(ranked)
query.add_command(similar)
