"""`ori wake`: what a session starts with."""

from __future__ import annotations

import datetime

import click

from aries_kernel.tools.output import escape_controls
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.operations.waking import Brief, wake

__all__ = ["wake_command"]


@click.command("wake")
@click.option("--budget", type=click.IntRange(min=1), help="Lines of the whole brief; the settings say 40.")
@answering
def wake_command(context: Context, budget: int | None) -> int:
    """Print the brief a session starts with: who, goals, what is due, what happened lately, what is warm.

    It reads a few files and the index as it is, and changes nothing. Sections that do not fit are dropped, notices
    first and goals last.
    """
    brief = wake(context.vault(), now=datetime.datetime.now().astimezone(), budget=budget)
    print_answer(brief, as_json=context.wants_json, text=lambda: _told(brief), warnings=brief.notices)
    return 0


def _told(brief: Brief) -> str:
    return escape_controls("\n".join(brief.lines))
