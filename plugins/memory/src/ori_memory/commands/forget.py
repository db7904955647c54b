"""`ori forget`: hide or remove notes; a preview unless told to apply."""

from __future__ import annotations

import click

from aries_kernel.errors import UserError
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.memory import Memory
from ori_memory.operations.composing import NewNote
from ori_memory.operations.forgetting import ForgetReport, supersede
from ori_memory.operations.forgetting import forget as forget_notes

__all__ = ["forget"]


@click.command()
@click.argument("query")
@click.option("--purge", is_flag=True, help="Remove the files and every trace, instead of hiding the notes.")
@click.option("--supersede", "new_title", metavar="TITLE", help="Keep a new note of this title in its place.")
@click.option("-c", "--content", default="", help="Content of the new note, with --supersede.")
@click.option("--apply", is_flag=True, help="Do it; without this, only the matches are shown.")
@click.option("--max", "max_matches", type=click.IntRange(min=1), help="Most notes that may match.")
@answering
def forget(
    context: Context, query: str, purge: bool, new_title: str | None, content: str, apply: bool, max_matches: int | None
) -> int:
    """Forget what QUERY means: a path, a title, an identifier as a whole, or words."""
    if purge and new_title is not None:
        raise UserError("Give --purge or --supersede, not both.")
    with Memory.open(context.vault()) as memory:
        if new_title is not None:
            return _supersede(context, memory, query, NewNote(new_title, content), apply)
        action = "purge" if purge else "release"
        report = forget_notes(memory, query, action, apply=apply, max_matches=max_matches)  # type: ignore[arg-type]
        is_good = bool(report.matches) and not report.failed
        print_answer(
            report,
            as_json=context.wants_json,
            text=lambda: _told(report),
            warnings=_warnings(memory, report),
            success=is_good,
        )
    return 0 if is_good else 1


def _supersede(context: Context, memory: Memory, query: str, request: NewNote, apply: bool) -> int:
    new, old = request.title, memory.index.note(query).path
    if apply:
        new, old = supersede(memory, query, request)
    data = {"new": new, "superseded": old, "is_applied": apply}
    told = f"{new} takes the place of {old}" if apply else f"'{new}' would take the place of {old}; --apply does it"
    print_answer(data, as_json=context.wants_json, text=lambda: told, warnings=memory.warnings)
    return 0


def _warnings(memory: Memory, report: ForgetReport) -> tuple[str, ...]:
    told = [f"{path}: {reason}" for path, reason in report.failed]
    if report.action == "purge" and report.is_applied:
        told.append("Backups, exports and the history of git are outside of the vault's state and were not looked at.")
    return (*told, *memory.warnings)


def _told(report: ForgetReport) -> str:
    if not report.matches:
        return "Nothing matches."
    lines = [f"  {match.path}: {', '.join(match.reasons)}" for match in report.matches]
    if not report.is_applied:
        what = "removed" if report.action == "purge" else "hidden"
        notes = "1 note" if len(lines) == 1 else f"{len(lines)} notes"
        return "\n".join([f"{notes} would be {what}; --apply does it:", *lines])
    lines = [*report.removed]
    lines += [f"still mentioned in {one.path}:{one.line}: {one.text}" for one in report.mentions]
    lines += [f"a trace is left in {name}" for name in report.traces]
    if report.action == "purge" and report.removed and not report.traces:
        lines.append("no trace is left in the files of ori")
    return "\n".join(lines)
