"""`ori restore`: a backup put back."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from aries_kernel.tools.output import escape_controls
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.operations.restoring import RestoreReport, restore_backup

__all__ = ["restore"]

_SHOWN = 20


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--into", metavar="DIR", type=click.Path(path_type=Path), help="An empty folder, or another vault.")
@click.option("--dry-run", is_flag=True, help="Check the backup and tell what would be done, write nothing.")
@click.option("--force", is_flag=True, help="Also where a file differs; the one that is there is kept beside.")
@answering
def restore(context: Context, file: Path, into: Path | None, dry_run: bool, force: bool) -> int:
    """Put the backup FILE back into the vault, or into DIR.

    All of it is checked first. A file that differs stays as it is, is told, and makes the exit code 1.
    """
    folder = context.cwd / into.expanduser() if into is not None else context.vault().root
    now = datetime.datetime.now().astimezone()
    report = restore_backup(context.cwd / file.expanduser(), folder, now=now, is_dry_run=dry_run, is_forced=force)
    is_whole = not report.conflicts
    print_answer(report, as_json=context.wants_json, text=lambda: _told(report), success=is_whole)
    return 0 if is_whole else 1


def _told(report: RestoreReport) -> str:
    verb = "would be restored" if report.is_dry_run else "restored"
    counts = f"{len(report.restored):,} files {verb}, {report.same:,} the same, learned: {report.learned}"
    lines = [f"{report.vault}: {counts}"]
    lines += [f"  {kept.path}: what was there is {kept.beside}" for kept in report.kept]
    if report.conflicts:
        lines.append(f"{len(report.conflicts)} differ and were left as they are (--force keeps them beside):")
        lines += [f"  {path}" for path in report.conflicts[:_SHOWN]]
        more = len(report.conflicts) - _SHOWN
        lines += [f"  ... and {more} more; --json lists all"] if more > 0 else []
    return escape_controls("\n".join(lines))
