"""`ori explore-start`, `explore-expand`, `explore-conclude`: an exploration that its reader steers."""

from __future__ import annotations

from typing import Any

import click

from aries_kernel.tools.output import escape_controls
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.commands.explore import filter_options
from ori_memory.exploring.drawing import conclusion_data, conclusion_text, navigated_data, navigated_text
from ori_memory.exploring.exploration import Exploring
from ori_memory.exploring.navigating import BUDGET, conclude, expand, start
from ori_memory.exploring.session import Navigated
from ori_memory.exploring.steps import Step
from ori_memory.memory import Memory

__all__ = ["explore_conclude", "explore_expand", "explore_start"]

_BUDGET_TOKENS = click.option("--budget-tokens", type=click.IntRange(min=250), help="Tokens the answer may take.")


@click.command("explore-start")
@click.argument("question", nargs=-1, required=True)
@click.option("--budget", type=click.IntRange(min=0), default=BUDGET, show_default=True, help="Expansions allowed.")
@click.option("--limit", type=click.IntRange(min=1), default=15, show_default=True, help="Half as many notes at first.")
@_BUDGET_TOKENS
@filter_options
@answering
def explore_start(
    context: Context, question: tuple[str, ...], budget: int, budget_tokens: int | None, **more: Any
) -> int:
    """Begin an exploration of QUESTION and show what could be done next. It is kept for a day after its last use."""
    with Memory.open(context.vault(), session=context.session) as memory:
        now = start(memory, Exploring(" ".join(question), **more), budget=budget)
        return _show(context, memory, now, budget_tokens)


@click.command("explore-expand")
@click.argument("exploration", metavar="ID")
@click.option("--ask", default="", metavar="QUESTION", help="Ask this.")
@click.option("--branch", default="", metavar="NODE", help="Follow the links of all notes of a step, as n0.")
@click.option("--neighbors", default="", metavar="NOTE", help="Follow the links of one note.")
@click.option("--extend", type=click.IntRange(min=1), default=None, help="Add so many expansions to the budget.")
@_BUDGET_TOKENS
@answering
def explore_expand(
    context: Context, exploration: str, extend: int | None, budget_tokens: int | None, **how: str
) -> int:
    """Go one step further. Past the budget nothing is expanded, and the answer says how to extend it."""
    with Memory.open(context.vault(), session=context.session) as memory:
        now = expand(memory, exploration, Step(**how), extend=extend or 0)
        return _show(context, memory, now, budget_tokens)


@click.command("explore-conclude")
@click.argument("exploration", metavar="ID")
@click.option("--answered", is_flag=True, help="The question is answered.")
@click.option("--used", multiple=True, metavar="NOTES", help="Notes that were of use: paths or titles, by commas.")
@answering
def explore_conclude(context: Context, exploration: str, answered: bool, used: tuple[str, ...]) -> int:
    """End an exploration. What was used is recorded as use; nothing is held against the rest."""
    with Memory.open(context.vault(), session=context.session) as memory:
        done = conclude(memory, exploration, used, is_answered=answered)
        print_answer(
            conclusion_data(done),
            as_json=context.wants_json,
            text=lambda: escape_controls(conclusion_text(done)),
            warnings=memory.warnings,
        )
    return 0


def _show(context: Context, memory: Memory, now: Navigated, budget: int | None) -> int:
    memory.notice(*now.notices)
    print_answer(
        navigated_data(now, budget),
        as_json=context.wants_json,
        text=lambda: escape_controls(navigated_text(now)),
        warnings=memory.warnings,
    )
    return 0
