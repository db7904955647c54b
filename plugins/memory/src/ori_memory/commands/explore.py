"""`ori explore`: the notes that a question takes together, with how they were found."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable
from typing import Any

import click

from aries_kernel.tools.output import escape_controls
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.exploring.exploration import Exploring
from ori_memory.exploring.telling import exploration_data, exploration_text, within_budget
from ori_memory.memory import Memory

__all__ = ["explore", "filter_options"]

_FILTERS = (
    click.option("--as-of", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help="As on that day (2026-01-31)."),
    click.option("--include-archived", is_flag=True, help="Archived, superseded and released notes too."),
    click.option("--project", "projects", multiple=True, help="Only notes of this project; may be given again."),
    click.option("--folder", default="", help="Only notes below this folder."),
    click.option("--fast", "is_fast", is_flag=True, help="Words and links only: no model is loaded."),
)


def filter_options(function: Callable[..., int]) -> Callable[..., int]:
    """Among which notes; `as_of` comes as a day."""

    @functools.wraps(function)
    def wrapped(*arguments: Any, as_of: datetime.datetime | None, **more: Any) -> int:
        return function(*arguments, as_of=as_of.date() if as_of else None, **more)

    return functools.reduce(lambda wrapped_, option: option(wrapped_), reversed(_FILTERS), wrapped)


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(min=1), default=15, show_default=True, help="Notes at most.")
@click.option("--depth", type=click.IntRange(1, 3), default=2, show_default=True, help="Links and rounds to follow.")
@click.option("--no-recursive", is_flag=True, help="Do not take the question apart.")
@click.option("--content", is_flag=True, help="The whole text of each note.")
@click.option("--budget-tokens", "budget", type=click.IntRange(min=250), help="Tokens the answer may take.")
@click.option("--without", multiple=True, metavar="PART", help="Leave out a signal or a stage.")
@filter_options
@answering
def explore(context: Context, question: tuple[str, ...], no_recursive: bool, content: bool, **more: Any) -> int:
    """Notes that answer QUESTION together: what is found, what links lead to, what parts of the question find.

    Exit code 0 also where nothing relevant is found; the answer says so. To go step by step: explore-start.
    """
    asked = Exploring(" ".join(question), is_recursive=not no_recursive, include_content=content, **more)
    with Memory.open(context.vault(), session=context.session) as memory:
        found = memory.explore(asked)
        memory.notice(*found.notices)
        found = within_budget(found, asked.budget, memory.warnings)
        print_answer(
            exploration_data(found),
            as_json=context.wants_json,
            text=lambda: escape_controls(exploration_text(found)),
            warnings=memory.warnings,
        )
    return 0
