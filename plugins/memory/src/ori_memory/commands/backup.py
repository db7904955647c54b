"""`ori backup`: the vault in one file."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from aries_kernel.tools.output import escape_controls
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.operations.backup import BackupReport, default_backup_file, make_backup

__all__ = ["backup"]

_SHOWN = 20


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--attachments/--no-attachments", default=True, help="With files that are no notes (the default).")
@answering
def backup(context: Context, file: Path | None, attachments: bool) -> int:
    """Write notes, settings, attachments and what was learned to FILE, a zip outside of the vault.

    `ori restore FILE` puts them back. The index is not in it; it is built again.
    """
    vault = context.vault()
    now = datetime.datetime.now().astimezone()
    chosen = context.cwd / file.expanduser() if file is not None else default_backup_file(vault, context.cwd, now)
    report = make_backup(vault, chosen, now=now, with_attachments=attachments)
    print_answer(report, as_json=context.wants_json, text=lambda: _told(report))
    return 0


def _told(report: BackupReport) -> str:
    learned = ", and what was learned" if report.has_learned else ""
    lines = [f"{report.file}: {report.files:,} files, {report.bytes:,} bytes{learned}"]
    lines += [f"  left out: {path}" for path in report.left_out[:_SHOWN]]
    more = len(report.left_out) - _SHOWN
    return escape_controls("\n".join([*lines, *([f"  ... and {more} more; --json lists all"] if more > 0 else [])]))
