"""`ori mv`: rename or move a note, and every link to it."""

from __future__ import annotations

import click

from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.memory import Memory
from ori_memory.operations.moving import Moved, move_note

__all__ = ["mv"]


@click.command()
@click.argument("old")
@click.argument("new")
@click.option("--dry-run", is_flag=True, help="Tell which links would follow, change nothing.")
@answering
def mv(context: Context, old: str, new: str, dry_run: bool) -> int:
    """Move OLD (a path, title or id) to NEW: a path, a folder ending in /, or a new title."""
    with Memory.open(context.vault()) as memory:
        moved = move_note(memory, old, new, is_dry_run=dry_run)
        print_answer(
            moved,
            as_json=context.wants_json,
            text=lambda: _told(moved, dry_run),
            warnings=(*moved.warnings, *memory.warnings),
        )
    return 0


def _told(moved: Moved, is_dry_run: bool) -> str:
    total = sum(count for _, count in moved.rewritten)
    verb = "would move" if is_dry_run else "moved"
    lines = [f"{verb}: {moved.source} -> {moved.path}; {total} links in {len(moved.rewritten)} notes follow"]
    return "\n".join([*lines, *(f"  {path}: {count}" for path, count in moved.rewritten)])
