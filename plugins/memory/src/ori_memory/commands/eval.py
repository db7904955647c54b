"""`ori eval`: how well retrieval finds, on this vault or on a data set."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ori_memory.answer import print_answer
from ori_memory.app import Context, answering

if TYPE_CHECKING:
    from ori_memory.evaluation.dataset import Unit
    from ori_memory.evaluation.haystack import Pool, Trial
    from ori_memory.evaluation.running import Progress

__all__ = ["eval_command"]


@click.command("eval")
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--unit", type=click.Choice(["turn", "session"]), default="turn", show_default=True)
@click.option("--pool", type=click.Choice(["pooled", "group", "candidates"]), help="Otherwise from the data set.")
@click.option("--limit-questions", "limit", type=click.IntRange(min=1), help="At most so many, drawn at random.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--baselines/--no-baselines", default=True, show_default=True)
@click.option("--keep", metavar="DIR", type=click.Path(path_type=Path), help="Where vaults of data sets are kept.")
@answering
def eval_command(
    context: Context,
    dataset: Path,
    unit: Unit,
    pool: Pool | None,
    limit: int | None,
    seed: int,
    baselines: bool,
    keep: Path | None,
) -> int:
    """Ask questions whose answers are known and count what is found; DATASET is a folder with corpus.jsonl and
    queries.jsonl."""
    from ori_memory.evaluation.evaluating import evaluate
    from ori_memory.evaluation.report import report_text

    trial = _dataset_trial(context.cwd / dataset, unit, pool, limit, seed, context.cwd / keep if keep else None)
    result = evaluate(trial, with_baselines=baselines, seed=seed, progress=_progress(context))
    print_answer(result, as_json=context.wants_json, text=lambda: report_text(result), warnings=result.warnings)
    return 0


def _dataset_trial(
    folder: Path, unit: Unit, pool: Pool | None, limit: int | None, seed: int, keep: Path | None
) -> Trial:
    from ori_memory.evaluation.dataset import read_dataset
    from ori_memory.evaluation.haystack import trial_of

    return trial_of(read_dataset(folder, unit).sampled(limit, seed), pool, folder=keep)


def _progress(context: Context) -> Progress:
    """A line on a terminal, nothing elsewhere."""
    if context.wants_json or not sys.stderr.isatty():
        return lambda what, done, total: None

    def show(what: str, done: int, total: int) -> None:
        if done % 10 == 0 or done >= total:
            sys.stderr.write(f"\r\033[K{what} {done}/{total}" + ("\n" if done >= total else ""))
            sys.stderr.flush()

    return show
