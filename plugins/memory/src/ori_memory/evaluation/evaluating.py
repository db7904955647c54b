"""One evaluation from beginning to end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aries_kernel.errors import UnknownName
from ori_memory.evaluation.haystack import Opened, Trial
from ori_memory.evaluation.result import Evaluation, summarise
from ori_memory.evaluation.running import Progress, Run, run
from ori_memory.evaluation.systems import System, bm25, embedding, explored, ours, random_order
from ori_memory.vault.config import Retrieval

__all__ = ["evaluate"]


def evaluate(
    trial: Trial,
    *,
    only: Sequence[str] | None = None,
    without: Sequence[str] = (),
    with_baselines: bool = True,
    with_ablations: bool = False,
    with_exploration: bool = False,
    seed: int = 0,
    is_fast: bool = False,
    system: System | None = None,
    progress: Progress = lambda what, done, total: None,
) -> Evaluation:
    """Ask everything and sum up. `system`: another one in the place of ours.

    `with_exploration`: `ori explore` beside it, which takes several times as long.

    Raises: UnknownName for a signal or stage that is nowhere.
    """
    _refuse_unknown(only or (), without)
    main = system or ours(only, without, is_fast=is_fast)
    others = [explored(is_fast=is_fast)] if with_exploration else []
    systems = [main, *others, *(_baselines(main, without, seed) if with_baselines else ())]
    prepare = _preparation(systems, progress)
    runs = run(trial, systems, prepare=prepare, progress=progress)
    ablated: tuple[Run, ...] = ()
    if with_ablations:
        left_out = [ours(only, (*without, part), name=f"without {part}", is_fast=is_fast) for part in _ran(runs[0])]
        ablated = run(trial, left_out, progress=progress)
    return summarise(trial, runs, seed=seed, ablations=ablated)


def _refuse_unknown(only: Sequence[str], without: Sequence[str]) -> None:
    """A name that is mistyped in `without` would leave nothing out, and the figures would look right."""
    from ori_memory.app import plugins
    from ori_memory.retrieval.parts import SIGNALS, STAGES

    settings = Retrieval()
    signals = {*plugins().drivers.names(SIGNALS), *settings.signals}
    stages = {*plugins().drivers.names(STAGES), *settings.stages}
    for name in only:
        if name not in signals:
            raise UnknownName("signal", name, signals)
    for name in without:
        if name not in signals | stages:
            raise UnknownName("signal or stage", name, signals | stages)


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
