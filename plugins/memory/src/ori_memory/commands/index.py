"""`ori index`: build it, look at it."""

from __future__ import annotations

import sys
import time

import click

from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.index.index import open_index
from ori_memory.memory import Memory

__all__ = ["index"]


@click.group()
def index() -> None:
    """The index, which can be deleted and built anew at any time."""


@index.command()
@click.option("--force", is_flag=True, help="Read every note again.")
@click.option("--allow-mass-removal", is_flag=True, help="Many notes are gone and that is meant.")
@answering
def build(context: Context, force: bool, allow_mass_removal: bool) -> int:
    """Bring the index to what the files say."""
    start = time.perf_counter()
    with Memory.open(context.vault(), progress=_progress(context)) as memory:
        report = memory.sync(force=force, allow_mass_removal=allow_mass_removal)
        milliseconds = round(1000 * (time.perf_counter() - start))
        data = {
            "notes": report.notes,
            "added": len(report.added),
            "changed": len(report.changed),
            "renamed": len(report.renamed),
            "removed": len(report.removed),
            "duration_ms": milliseconds,
        }
        text = ", ".join(f"{value} {key}" for key, value in data.items() if key != "duration_ms")
        print_answer(
            data, as_json=context.wants_json, text=lambda: f"{text} in {milliseconds} ms", warnings=memory.warnings
        )
    return 0


@index.command()
@answering
def status(context: Context) -> int:
    """What the index says of itself."""
    with open_index(context.vault(), sync=False) as opened:
        found = opened.status()
        text = f"{found.notes} notes, {found.size:,} bytes, format {found.version}, last written {found.last_sync}"
        print_answer(found, as_json=context.wants_json, text=lambda: text)
    return 0


def _progress(context: Context):  # type: ignore[no-untyped-def]
    """A bar on a terminal, nothing elsewhere."""
    if context.wants_json or not sys.stderr.isatty():
        return None
    width = 40

    def show(done: int, total: int) -> None:
        filled = width * done // max(total, 1)
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (width - filled)}] {done}/{total}")
        if done >= total:
            sys.stderr.write("\n")
        sys.stderr.flush()

    return show
