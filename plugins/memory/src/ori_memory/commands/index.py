"""`ori index`: build it, look at it."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

from ori_memory.answer import plain, print_answer
from ori_memory.app import Context, answering
from ori_memory.commands.embed import embed
from ori_memory.index.index import open_index
from ori_memory.memory import Memory

if TYPE_CHECKING:
    from ori_memory.vectors.coverage import Coverage

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
        data = {**report.data, "duration_ms": milliseconds}
        text = ", ".join(f"{value} {key}" for key, value in report.data.items())
        is_kept = not memory.is_index_temporary
        print_answer(
            data,
            as_json=context.wants_json,
            text=lambda: f"{text} in {milliseconds} ms",
            warnings=memory.warnings,
            success=is_kept,
        )
    return 0 if is_kept else 1


@index.command()
@answering
def status(context: Context) -> int:
    """What the index says of itself, and which notes can be found by meaning."""
    from ori_memory.vectors.coverage import coverage

    vault = context.vault()
    with open_index(vault, sync=False) as opened:
        found = opened.status()
        known = None if found.is_temporary else coverage(vault)
        text = f"{found.notes} notes, {found.size:,} bytes, format {found.version}, last written {found.last_sync}"
        told = text if known is None else f"{text}\n{_meaning(known)}"
        print_answer({**plain(found), "embedding": known}, as_json=context.wants_json, text=lambda: told)
    return 0


def _meaning(found: Coverage) -> str:
    text = f"by meaning: {found.covered} notes up to date, {found.stale} stale, {found.missing} missing"
    if found.fingerprint:
        text += f"; {found.passages} passages, {found.size:,} bytes, {found.fingerprint}"
    if found.cut_short:
        text += f"; {found.cut_short} notes only in part"
    if found.minutes_left is not None:
        text += f"; about {found.minutes_left:g} minutes of work are left"
    if found.process is not None:
        text += f"; process {found.process} is at it"
    return text + (f"\nwhat went wrong the last time: {found.problem}" if found.problem else "")


index.add_command(embed)


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
