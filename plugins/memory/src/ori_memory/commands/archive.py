"""`ori archive` and `ori prune`: what could go; nothing goes without being told to."""

from __future__ import annotations

import click

from aries_kernel.console.table import table
from aries_kernel.console.width import terminal_width
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.memory import Memory
from ori_memory.operations.archiving import ArchiveReport, archive_notes
from ori_memory.operations.pruning import PruneReport
from ori_memory.operations.pruning import prune as prune_notes

__all__ = ["archive", "prune"]


@click.command()
@click.option("--dry-run", is_flag=True, help="Tell what would be archived, change nothing.")
@answering
def archive(context: Context, dry_run: bool) -> int:
    """Archive notes that are long unused with few links, or long done. The files stay."""
    with Memory.open(context.vault()) as memory:
        report = archive_notes(memory, is_dry_run=dry_run)
        warnings = [*memory.warnings, *(f"{path}: {reason}" for path, reason in report.failed)]
        print_answer(report, as_json=context.wants_json, text=lambda: _archived(report, dry_run), warnings=warnings)
    return 1 if report.failed else 0


@click.command()
@click.option("--apply", is_flag=True, help="Set the candidates to archived.")
@click.option("--verbose", is_flag=True, help="List the notes that hold the graph together, too.")
@answering
def prune(context: Context, apply: bool, verbose: bool) -> int:
    """Look at the whole graph and propose notes that are fading and hold nothing together. Pinned notes stay."""
    with Memory.open(context.vault()) as memory:
        report = prune_notes(memory, apply=apply)
        print_answer(
            report,
            as_json=context.wants_json,
            text=lambda: _pruned(report, verbose),
            warnings=(*report.warnings, *(f"{path}: {reason}" for path, reason in report.failed), *memory.warnings),
        )
    return 1 if report.failed else 0


def _archived(report: ArchiveReport, is_dry_run: bool) -> str:
    verb = "would be archived" if is_dry_run else "archived"
    lines = [f"{len(report.archived)} notes {verb}", *(f"  {one.path}: {one.reason}" for one in report.archived)]
    return "\n".join(lines)


def _pruned(report: PruneReport, is_verbose: bool) -> str:
    zones = ", ".join(f"{count} {zone}" for zone, count in sorted(report.zones.items()))
    lines = [f"{report.total} notes: {zones or 'none'}"]
    lines.append(f"{len(report.bridge_notes)} notes hold the graph together and stay")
    if is_verbose:
        lines += [f"  {path}: {', '.join(reasons)}" for path, reasons in report.bridge_notes]
    rows = [(f"{one.vitality:.2f}", one.zone, one.in_degree, one.path, one.reason) for one in report.candidates]
    done = f"{len(report.archived)} notes were archived"
    lines.append(done if report.is_applied else f"{len(rows)} notes could go; --apply archives them")
    if rows:
        header = ("VITALITY", "ZONE", "LINKS", "NOTE", "REASON")
        lines.append(table(header, rows, free=("REASON",), width=terminal_width()))
    return "\n".join(lines)
