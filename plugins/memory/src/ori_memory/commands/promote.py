"""`ori promote`: from the inbox to the notes."""

from __future__ import annotations

import click

from aries_kernel.errors import UserError
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.memory import Memory
from ori_memory.model import TYPES
from ori_memory.operations.promoting import Overrides, Promoted, promote_all, promote_note

__all__ = ["promote"]


@click.command()
@click.argument("note", required=False)
@click.option("--all", "everything", is_flag=True, help="All notes of the inbox.")
@click.option("--dry-run", is_flag=True, help="Tell what would happen, change nothing.")
@click.option("--no-auto", is_flag=True, help="Make no links of mentions.")
@click.option("-t", "--type", "type_", type=click.Choice(TYPES), help="Its type, instead of the guess.")
@click.option("-d", "--description", default="", help="Its description.")
@click.option("-l", "--link", multiple=True, metavar="NOTE", help="A note to list under Relevant Notes.")
@click.option("-p", "--project", multiple=True, help="A project, instead of the guess.")
@answering
def promote(
    context: Context,
    note: str | None,
    everything: bool,
    dry_run: bool,
    no_auto: bool,
    type_: str | None,
    description: str,
    link: tuple[str, ...],
    project: tuple[str, ...],
) -> int:
    """Promote NOTE: type, description, links, areas; then it moves to notes/."""
    if (note is None) == (not everything):
        raise UserError("Name a note, or give --all.")
    with Memory.open(context.vault()) as memory:
        skipped: list[tuple[str, str]] = []
        if note is None:
            promoted, skipped = promote_all(memory, is_dry_run=dry_run)
        else:
            overrides = Overrides(type_ or "", description, link, project, finds_links=not no_auto)
            promoted = [promote_note(memory, memory.index.note(note).path, overrides, is_dry_run=dry_run)]
        data = {
            "promoted": promoted,
            "skipped": [{"path": path, "reason": reason} for path, reason in skipped],
            "dry_run": dry_run,
        }
        print_answer(
            data, as_json=context.wants_json, text=lambda: _told(promoted, skipped, dry_run), warnings=memory.warnings
        )
    return 0


def _told(promoted: list[Promoted], skipped: list[tuple[str, str]], is_dry_run: bool) -> str:
    lines = []
    for one in promoted:
        lines.append(f"{'would promote' if is_dry_run else 'promoted'}: {one.source} -> {one.path}")
        lines += [f"  {change}" for change in one.changes]
    lines += [f"skipped: {path}: {reason}" for path, reason in skipped]
    return "\n".join(lines) or "The inbox is empty."
