"""`ori query ranked`, `ori query similar`: the notes that answer a question, best first."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable
from typing import Any

import click

from aries_kernel.tools.output import escape_controls
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.telling import answer_data, answer_text
from ori_memory.serving.anywhere import ask_anywhere

__all__ = ["ranked", "similar"]

_OPTIONS = (
    click.argument("question", nargs=-1, required=True),
    click.option("--limit", type=click.IntRange(min=1), help="Notes at most; otherwise retrieval.limit."),
    click.option("--explain", is_flag=True, help="What each signal said of each note, and what each part did."),
    click.option("--as-of", metavar="DATE", help="Answer as on that day (2026-01-31)."),
    click.option("--include-archived", is_flag=True, help="Archived, superseded and released notes too."),
    click.option("--project", "projects", multiple=True, help="Only notes of this project; may be given again."),
    click.option("--folder", default="", help="Only notes below this folder."),
    click.option(
        *("--budget", "--budget-tokens", "budget"),
        type=click.IntRange(min=150),
        metavar="TOKENS",
        help="Tokens the answer may take.",
    ),
    click.option("--without", multiple=True, metavar="PART", help="Leave out a signal or a stage."),
)


def _options(function: Callable[..., int]) -> Callable[..., int]:
    return functools.reduce(lambda wrapped, option: option(wrapped), reversed(_OPTIONS), function)


@click.command()
@_options
@click.option("--fast", is_flag=True, help="Words and links only: no model is loaded.")
@click.option("--only", multiple=True, metavar="SIGNAL", help="Ask this signal only; may be given again.")
@answering
def ranked(context: Context, only: tuple[str, ...], fast: bool, **given: Any) -> int:
    """The notes that answer QUESTION: words, meaning, links and warmth together.

    Exit code 0 also where nothing relevant is found; the answer says so.
    """
    return _answer(context, _asked(only=only or None, is_fast=fast, **given), given["explain"], given["budget"])


@click.command()
@_options
@answering
def similar(context: Context, **given: Any) -> int:
    """The notes that mean what QUESTION means, by their vectors alone."""
    return _answer(context, _asked(only=("semantic",), is_fast=False, **given), given["explain"], given["budget"])


def _asked(
    *,
    question: tuple[str, ...],
    limit: int | None,
    as_of: str | None,
    only: tuple[str, ...] | None,
    is_fast: bool,
    explain: bool,
    **more: Any,
) -> Callable[[int], Asked]:
    day = None if as_of is None else _day(as_of)
    text = " ".join(question)
    return lambda usual: Asked(text, limit=limit or usual, as_of=day, only=only, is_fast=is_fast, **more)


def _day(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError as error:
        raise click.BadParameter(f"'{text}' is no date; write it as 2026-01-31.", param_hint="--as-of") from error


def _answer(context: Context, asked: Callable[[int], Asked], explain: bool, budget: int | None) -> int:
    with Memory.open(context.vault(), session=context.session) as memory:
        answer = ask_anywhere(memory, asked(memory.vault.config.retrieval.limit))
        memory.notice(*answer.notices)
        print_answer(
            answer_data(answer, explain=explain, budget=budget, warnings=memory.warnings),
            as_json=context.wants_json,
            text=lambda: escape_controls(answer_text(answer, explain=explain)),
            warnings=memory.warnings,
        )
    return 0
