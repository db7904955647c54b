"""`ori update`: write one of the agent's own five files."""

from __future__ import annotations

import datetime
import sys

import click

from aries_kernel.errors import UserError
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.operations.own_files import OWN_FILES, Updated, update_own

__all__ = ["update"]


@click.command()
@click.argument("file", type=click.Choice(tuple(OWN_FILES)))
@click.option("-c", "--content", help="The whole new text; otherwise it is read from standard input.")
@answering
def update(context: Context, file: str, content: str | None) -> int:
    """Write FILE anew: identity, goals, methodology, daily or reminders. What was there is kept in .history."""
    if content is None and sys.stdin.isatty():
        raise UserError("Give the text with --content, or on standard input.")
    text = content if content is not None else sys.stdin.buffer.read().decode("utf-8-sig", "replace")
    vault = context.vault()
    done = update_own(vault, file, text, datetime.datetime.now(datetime.UTC))
    print_answer(done, as_json=context.wants_json, text=lambda: _told(done), warnings=vault.warnings)
    return 0


def _told(done: Updated) -> str:
    if not done.updated:
        return f"{done.path} says that already; nothing was changed."
    return f"{done.path} is written" + (f"; what was there is kept in {done.backed_up}" if done.backed_up else "")
