"""`ori index embed`: make the vectors that notes are found by meaning with."""

from __future__ import annotations

import sys
from collections.abc import Callable

import attrs
import click

from aries_kernel.errors import UserError
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.vectors.steps import FillProgress, FillReport

__all__ = ["embed"]

_PATIENCE = 60.0
_WIDTH = 40


@click.command()
@click.option("--limit-seconds", type=click.FloatRange(min=0), help="Stop after so long; the next time goes on.")
@click.option("--force", is_flag=True, help="Embed everything anew.")
@click.option("--stop", is_flag=True, help="Stop the process that embeds this vault.")
@answering
def embed(context: Context, limit_seconds: float | None, force: bool, stop: bool) -> int:
    """Embed what is new or changed: changed, linked and warm notes first.

    May be interrupted at any time; what was done is kept.
    """
    if stop and (force or limit_seconds is not None):
        raise UserError("--stop goes with no other option.")
    return _stop(context) if stop else _embed(context, limit_seconds, force)


def _embed(context: Context, limit_seconds: float | None, force: bool) -> int:
    from ori_memory.vectors.filling import Limits, fill
    from ori_memory.vectors.loading import load_embedder

    vault = context.vault()
    embedder = load_embedder(vault)
    if isinstance(embedder, str):
        raise UserError(embedder)
    report = fill(vault, embedder, limits=Limits(seconds=limit_seconds), progress=_progress(context), force=force)
    warnings = (*vault.warnings, *report.notices, *_cut_short(report))
    print_answer(attrs.asdict(report), as_json=context.wants_json, text=lambda: _told(report), warnings=warnings)
    return 0


def _stop(context: Context) -> int:
    from ori_memory.vectors.working import stop_worker

    process = stop_worker(context.vault().state_folder, _PATIENCE)
    text = (
        "nobody is embedding this vault" if process is None else f"process {process} has stopped; a query may start one"
    )
    print_answer({"process": process}, as_json=context.wants_json, text=lambda: text)
    return 0


def _told(report: FillReport) -> str:
    text = f"{report.notes} notes embedded, {report.embedded} passages"
    if report.removed:
        text += f", vectors of {report.removed} notes that are gone removed"
    return text + (f"; {report.left} notes are left: {report.stopped or 'they are changing'}" if report.left else "")


def _cut_short(report: FillReport) -> list[str]:
    return [f"{title} is very long; only its beginning can be found by meaning." for title in report.cut_short]


def _progress(context: Context) -> Callable[[FillProgress], None] | None:
    """A bar on a terminal, nothing elsewhere."""
    if context.wants_json or not sys.stderr.isatty():
        return None

    def show(now: FillProgress) -> None:
        filled = _WIDTH * now.done // max(now.total, 1)
        bar = "#" * filled + "." * (_WIDTH - filled)
        end = "\n" if now.done >= now.total else ""
        sys.stderr.write(f"\r[{bar}] {now.done}/{now.total}, {now.tokens_per_second:,.0f} tokens/s {end}")
        sys.stderr.flush()

    return show
