"""Asking all questions of all systems."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from attrs import frozen

from ori_memory.evaluation.dataset import Query
from ori_memory.evaluation.haystack import Opened, Trial
from ori_memory.evaluation.metrics import DEPTH, measure
from ori_memory.evaluation.systems import Ranker, Ranking, System

__all__ = ["Asking", "Progress", "Run", "run"]

Progress = Callable[[str, int, int], None]
"""What is being done, how much of it is done, out of how much."""


@frozen
class Asking:
    """One question and what a system made of it."""

    query: Query
    values: tuple[float, ...]
    """In the order of METRICS."""
    ranking: Ranking
    milliseconds: float = 0.0
    """What it took, by the wall clock."""
    cpu_milliseconds: float = 0.0
    """The same by the processor's, which a busy machine does not change."""

    @property
    def is_first_gold(self) -> bool:
        return bool(self.ranking.ids) and self.ranking.ids[0] in self.query.gold


@frozen
class Run:
    """All questions, asked of one system, in their order."""

    system: str
    askings: tuple[Asking, ...]


def run(
    trial: Trial,
    systems: Sequence[System],
    *,
    prepare: Callable[[Opened], None] = lambda opened: None,
    progress: Progress = lambda what, done, total: None,
) -> tuple[Run, ...]:
    """Every question of every vault, asked of every system; each vault is opened once.

    `prepare` is called with each vault before it is asked.
    """
    answers: dict[str, list[Asking]] = {system.name: [] for system in systems}
    done, total = 0, trial.question_count * len(systems)
    for haystack in trial.haystacks:
        with haystack.opening() as opened:
            prepare(opened)
            for system in systems:
                ranker = system.start(opened)
                for query in haystack.queries:
                    answers[system.name].append(_ask(ranker, system.draws, query))
                    done += 1
                    progress(f"{haystack.label}: {system.name}", done, total)
    return tuple(Run(name, tuple(found)) for name, found in answers.items())


def _ask(ranker: Ranker, draws: int, query: Query) -> Asking:
    start, cpu = time.perf_counter(), time.process_time()
    rankings = [ranker(query, DEPTH) for _ in range(draws)]
    took = ((time.perf_counter() - start) / draws * 1_000, (time.process_time() - cpu) / draws * 1_000)
    rows = [measure(one.ids, query.gold) for one in rankings]
    return Asking(query, tuple(sum(column) / draws for column in zip(*rows, strict=True)), rankings[0], *took)
