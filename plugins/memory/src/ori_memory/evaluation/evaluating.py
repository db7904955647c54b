"""One evaluation from beginning to end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ori_memory.evaluation.haystack import Opened, Trial
from ori_memory.evaluation.result import Evaluation, summarise
from ori_memory.evaluation.running import Progress, Run, run
from ori_memory.evaluation.systems import System, bm25, embedding, ours, random_order

__all__ = ["evaluate"]


def evaluate(
    trial: Trial,
    *,
    only: Sequence[str] | None = None,
    without: Sequence[str] = (),
    with_baselines: bool = True,
    with_ablations: bool = False,
    seed: int = 0,
    is_fast: bool = False,
    system: System | None = None,
    progress: Progress = lambda what, done, total: None,
) -> Evaluation:
    """Ask everything and sum up. `system`: another one in the place of ours."""
    main = system or ours(only, without, is_fast=is_fast)
    systems = [main, *(_baselines(main, without, seed) if with_baselines else ())]
    prepare = _preparation(systems, progress)
    runs = run(trial, systems, prepare=prepare, progress=progress)
    ablated: tuple[Run, ...] = ()
    if with_ablations:
        left_out = [ours(only, (*without, part), name=f"without {part}", is_fast=is_fast) for part in _ran(runs[0])]
        ablated = run(trial, left_out, progress=progress)
    return summarise(trial, runs, seed=seed, ablations=ablated)


def _baselines(main: System, without: Sequence[str], seed: int) -> list[System]:
    found = [random_order(seed), bm25()]
    # What was left out on purpose is not computed for a baseline; without vectors there is nothing to compare.
    return [*found, embedding()] if "vectors" in main.needs and "semantic" not in without else found


def _ran(run: Run) -> list[str]:
    """Parts that did something at least once, in their order."""
    reasons: dict[str, set[str]] = {}
    for asking in run.askings:
        for part, reason in asking.ranking.parts.items():
            reasons.setdefault(part, set()).add(reason)
    return [part for part, told in reasons.items() if "" in told]


def _preparation(systems: Sequence[System], progress: Progress) -> Callable[[Opened], None]:
    if not any("vectors" in system.needs for system in systems):
        return lambda opened: None
    from ori_memory.evaluation.filling import fill_vectors

    return lambda opened: fill_vectors(opened.memory, progress)
