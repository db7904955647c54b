"""`ori import`: what another program kept, as notes."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from aries_kernel.contracts.importer import Importer
from aries_kernel.tools.output import escape_controls
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering, plugins
from ori_memory.operations.importing import ImportReport, import_notes

__all__ = ["import_command"]

_SHOWN = 20


@click.command("import")
@click.argument("kind")
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Tell what would be imported, write nothing.")
@answering
def import_command(context: Context, kind: str, source: Path, dry_run: bool) -> int:
    """Import SOURCE, an export of KIND (obsidian, chatgpt, claude, memory-json, or what a plugin adds).

    Nothing is overwritten; importing again brings only what is new. What is left out is told; the exit code is 1 where
    that is everything.
    """
    importer = load_importer(kind)
    where = context.cwd / source.expanduser()
    report = import_notes(context.vault(), importer, where, today=datetime.date.today(), is_dry_run=dry_run)
    # A source of which nothing could be taken is no success, whatever the report says of it.
    is_done = bool(report.imported or report.already or not report.losses)
    print_answer(report, as_json=context.wants_json, text=lambda: _told(report), success=is_done)
    return 0 if is_done else 1


def load_importer(kind: str) -> Importer:
    """The importer of that name.

    Raises: UnknownName, PluginError.
    """
    found = plugins().drivers.load("ori.importers", kind)
    importer: Importer = found() if isinstance(found, type) else found  # type: ignore[assignment]  # a contract
    return importer


def _told(report: ImportReport) -> str:
    verb = "would be imported" if report.is_dry_run else "imported"
    lines = [f"{len(report.imported)} {verb}, {report.already} there already, {len(report.losses)} left out or altered"]
    lines += _first([f"  {path}" for path in report.imported])
    if report.losses:
        lines += ["", "Left out or altered:", *_first([f"  {loss.where}: {loss.reason}" for loss in report.losses])]
    return escape_controls("\n".join(lines))


def _first(lines: list[str]) -> list[str]:
    more = len(lines) - _SHOWN
    return [*lines[:_SHOWN], f"  ... and {more} more; --json lists all"] if more > 0 else lines
