"""`ori validate`: what is wrong with notes."""

from __future__ import annotations

import click

from aries_kernel.errors import UserError
from aries_kernel.tools.output import escape_controls
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.memory import Memory
from ori_memory.operations.validating import Validated, validate_all
from ori_memory.serving.anywhere import validate_anywhere

__all__ = ["validate"]


@click.command()
@click.argument("note", required=False)
@click.option("--all", "all_notes", is_flag=True, help="All notes; told are those with something wrong.")
@answering
def validate(context: Context, note: str | None, all_notes: bool) -> int:
    """Check NOTE, a path in the vault, against its template, and its links. The exit code is 1 where there is an error.

    In the inbox nothing is an error yet.
    """
    if (note is None) == (not all_notes):
        raise UserError("Name one note, or give --all.")
    with Memory.open(context.vault()) as memory:
        found = validate_all(memory, with_links=True) if note is None else (validate_anywhere(memory, note),)
        warnings = tuple(memory.warnings)
    is_good = not any(one.errors for one in found)
    data = {"notes": found} if note is None else found[0]
    print_answer(data, as_json=context.wants_json, text=lambda: _told(found), warnings=warnings, success=is_good)
    return 0 if is_good else 1


def _told(found: tuple[Validated, ...]) -> str:
    lines = []
    for one in found:
        lines.append(f"{one.path}: {'ok' if not one.errors and not one.warnings else ''}".rstrip())
        lines += [f"  error: {text}" for text in one.errors]
        lines += [f"  warning: {text}" for text in one.warnings]
    return escape_controls("\n".join(lines)) or "Nothing is wrong."
