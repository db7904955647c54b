"""`ori eval`: how well retrieval finds, on this vault or on a data set."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import frozen

from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.memory import Memory

if TYPE_CHECKING:
    from ori_memory.evaluation.dataset import Unit
    from ori_memory.evaluation.haystack import Pool, Trial
    from ori_memory.evaluation.result import Evaluation
    from ori_memory.evaluation.running import Progress

__all__ = ["eval_command"]

_OWN_QUESTIONS = 200
_EVERY = 0.2

_UNIT = "What a document is: a row of corpus.jsonl, or of sessions.jsonl."
_POOL = "Search all documents, those of the question's group, or its own candidates; otherwise group if there are any."
_LIMIT = f"At most so many, drawn at random; of the own vault so many of each kind ({_OWN_QUESTIONS})."
_GATE = "Exit 1 when a metric is worse than in this result by more than chance explains."
_KEEP = "Where vaults made of data sets are kept; otherwise in the cache folder."


@click.command("eval")
@click.argument("dataset", required=False, type=click.Path(path_type=Path))
@click.option("--unit", type=click.Choice(["turn", "session"]), default="turn", show_default=True, help=_UNIT)
@click.option("--pool", type=click.Choice(["pooled", "group", "candidates"]), help=_POOL)
@click.option("--limit-questions", "limit", type=click.IntRange(min=1), help=_LIMIT)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of samples and intervals.")
@click.option("--baselines/--no-baselines", default=True, show_default=True, help="Random, BM25, plain embedding.")
@click.option("--only", multiple=True, metavar="SIGNAL", help="Use this signal, and others that are named so.")
@click.option("--without", multiple=True, metavar="PART", help="Leave out a signal or stage; semantic: embed nothing.")
@click.option("--explore", is_flag=True, help="Also ask `ori explore`, which takes its time.")
@click.option("--ablate", is_flag=True, help="Also leave out each part in turn.")
@click.option("--gate", metavar="FILE", type=click.Path(path_type=Path), help=_GATE)
@click.option("--save", metavar="FILE", type=click.Path(path_type=Path), help="Write the result as JSON.")
@click.option("--keep", metavar="DIR", type=click.Path(path_type=Path), help=_KEEP)
@answering
def eval_command(
    context: Context,
    dataset: Path | None,
    unit: Unit,
    pool: Pool | None,
    limit: int | None,
    seed: int,
    baselines: bool,
    only: tuple[str, ...],
    without: tuple[str, ...],
    explore: bool,
    ablate: bool,
    gate: Path | None,
    save: Path | None,
    keep: Path | None,
) -> int:
    """Ask questions whose answers are known and count what is found.

    DATASET is a folder with corpus.jsonl and queries.jsonl. Without it the questions come from the notes of this
    vault: descriptions, telling words of sentences (known-item), and sentences around a link, without the link's
    words (masked-link). Nothing is learned from them.
    """
    from ori_memory.evaluation.evaluating import evaluate

    chosen = _Chosen(context, dataset, unit, pool, limit, seed, keep)
    stored = _stored(context.cwd / gate) if gate else ()
    with chosen.trial() as trial:
        result = evaluate(
            trial,
            only=only or None,
            without=without,
            with_baselines=baselines,
            with_ablations=ablate,
            with_exploration=explore,
            seed=seed,
            progress=_progress(context),
        )
    return _finish(context, result, stored if gate else None, context.cwd / save if save else None)


@frozen
class _Chosen:
    context: Context
    dataset: Path | None
    unit: Unit
    pool: Pool | None
    limit: int | None
    seed: int
    keep: Path | None

    @contextlib.contextmanager
    def trial(self) -> Iterator[Trial]:
        if self.dataset is not None:
            yield self._of_files(self.context.cwd / self.dataset)
            return
        from ori_memory.evaluation.own_vault import own_trial

        with Memory.open(self.context.vault()) as memory:
            yield own_trial(memory, self.limit or _OWN_QUESTIONS, self.seed)

    def _of_files(self, folder: Path) -> Trial:
        from ori_memory.evaluation.dataset import read_dataset
        from ori_memory.evaluation.haystack import trial_of

        dataset = read_dataset(folder, self.unit).sampled(self.limit, self.seed)
        return trial_of(dataset, self.pool, folder=self.context.cwd / self.keep if self.keep else None)


def _stored(path: Path) -> tuple[Evaluation, ...]:
    """Read before anything takes minutes."""
    from ori_memory.evaluation.storing import read_evaluations

    return read_evaluations(path)


def _finish(context: Context, result: Evaluation, stored: tuple[Evaluation, ...] | None, save: Path | None) -> int:
    from ori_memory.evaluation.gate import falls, matching
    from ori_memory.evaluation.report import report_text
    from ori_memory.evaluation.storing import as_data, save_evaluation

    if save is not None:
        save_evaluation(result, save)
    fallen = falls(matching(stored, result), result) if stored is not None else ()
    print_answer(
        as_data(result, with_values=False),
        as_json=context.wants_json,
        text=lambda: report_text(result),
        warnings=[*result.warnings, *map(str, fallen)],
        success=not fallen,
    )
    return 1 if fallen else 0


def _progress(context: Context) -> Progress:
    """A line on a terminal, nothing elsewhere."""
    if context.wants_json or not sys.stderr.isatty():
        return lambda what, done, total: None

    shown = 0.0

    def show(what: str, done: int, total: int) -> None:
        nonlocal shown
        if time.monotonic() - shown >= _EVERY or done >= total:
            shown = time.monotonic()
            sys.stderr.write(f"\r\033[K{what} {done}/{total}" + ("\n" if done >= total else ""))
            sys.stderr.flush()

    return show
