"""`ori read`: one note, with what is known of it."""

from __future__ import annotations

import click

from aries_kernel.tools.output import escape_controls
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.memory import Memory
from ori_memory.operations.reading import ReadNote, read_data

__all__ = ["read"]


@click.command()
@click.argument("note")
@answering
def read(context: Context, note: str) -> int:
    """Print NOTE, a path, title, alias or id, with what is known of it.

    Reading it counts as one use. Where a name may mean several notes they are told, and none is read.
    """
    with Memory.open(context.vault(), session=context.session) as memory:
        found = memory.read(note)
        print_answer(read_data(found), as_json=context.wants_json, text=lambda: _told(found), warnings=memory.warnings)
    return 0


def _told(found: ReadNote) -> str:
    note = found.note
    uses = f"used {found.accesses} time{'' if found.accesses == 1 else 's'}"
    known = ", ".join(filter(None, (note.type, note.status, uses, f"linked by {len(found.backlinks)}")))
    text = found.text.replace("\r\n", "\n")
    return escape_controls(f"{note.path}  {note.id}\n{known}\n\n{text}")
