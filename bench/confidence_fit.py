"""The weights of an answer's confidence, fitted to questions whose answers are known.

    uv run python bench/confidence_fit.py --data DIR [--sets NAME NAME]

Each question of two sets is asked of its own set's documents and of the other's, where nothing answers it, with vectors
and without. Printed are the weights of both regressions, as `ori_memory.retrieval.confidence` has them, how well they
foretell in five folds, and how well those foretell that are in use. Nothing is written.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from unittest import mock

import attrs
import numpy as np
from numpy.typing import NDArray

from ori_memory.evaluation.dataset import DataSet, read_dataset
from ori_memory.evaluation.filling import fill_vectors
from ori_memory.evaluation.haystack import Opened, trial_of
from ori_memory.retrieval import showing
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.confidence import Evidence, confidence_of

FOLDS, STEPS, RIDGE = 5, 60, 1e-3
NAMES = ("coverage", "similarity", "ahead", "said_first", "is_exact")
Floats = NDArray[np.float64]


@attrs.frozen
class Case:
    evidence: Evidence
    is_right: bool
    """The first note is gold."""
    claimed: float
    """By the weights in use."""


def cases_of(own: DataSet, other: DataSet, keep: Path | None) -> Iterator[Case]:
    """Of all questions to the documents of `own`; those of `other` have no answer there."""
    (haystack,) = trial_of(own, "pooled", folder=keep).haystacks
    with haystack.opening() as opened:
        fill_vectors(opened.memory, lambda what, done, total: None)
        for is_fast in (False, True):
            for query in haystack.queries:
                yield from asked(opened, query.text, is_fast, query.gold)
            for query in other.queries:
                yield from asked(opened, query.text, is_fast, ())


def asked(opened: Opened, text: str, is_fast: bool, gold: Sequence[str]) -> Iterator[Case]:
    seen: list[Evidence] = []

    def remember(evidence: Evidence) -> float:
        seen.append(evidence)
        return confidence_of(evidence)

    # The evidence is no part of an answer: it is taken where the answer takes its confidence from.
    with mock.patch.object(showing, "confidence_of", remember):
        answer = opened.memory.answer(Asked(text, is_fast=is_fast))
    for evidence in seen:
        is_right = bool(answer.hits) and opened.ids.get(answer.hits[0].path) in gold
        yield Case(evidence, is_right, answer.confidence)


def fitted(rows: Floats, right: Floats) -> Floats:
    """Logistic regression by Newton's method, with a little ridge."""
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        sure = foretold(rows, weights)
        bend = (rows * (sure * (1 - sure))[:, None]).T @ rows + RIDGE * len(right) * np.eye(len(weights))
        weights += 0.5 * np.linalg.solve(bend, rows.T @ (right - sure) - RIDGE * len(right) * weights)
    return weights


def foretold(rows: Floats, weights: Floats) -> Floats:
    return 1 / (1 + np.exp(-rows @ weights))


def error(claims: Floats, right: Floats) -> float:
    """Expected calibration error over ten bins."""
    bins = np.clip((claims * 10).astype(int), 0, 9)
    held = [bins == number for number in range(10) if (bins == number).any()]
    return float(sum(abs(claims[one].mean() - right[one].mean()) * one.mean() for one in held))


def tell(label: str, cases: Sequence[Case], inputs: Callable[[Evidence], tuple[float, ...]], names: str) -> None:
    rows = np.array([(1.0, *inputs(case.evidence)) for case in cases])
    right = np.array([float(case.is_right) for case in cases])
    folds = np.random.default_rng(0).permutation(len(cases)) % FOLDS
    claims = np.zeros(len(cases))
    for fold in range(FOLDS):
        claims[folds == fold] = foretold(rows[folds == fold], fitted(rows[folds != fold], right[folds != fold]))
    weights = ", ".join(f"{value:.2f}" for value in fitted(rows, right))
    used = np.array([case.claimed for case in cases])
    print(f"{label}: {len(cases)} answers, {right.mean():.2f} right; base, {names}: {weights}")
    for what, values in (("in folds", claims), ("in use", used)):
        brier = float(((values - right) ** 2).mean())
        print(f"  {what}: expected calibration error {error(values, right):.3f}, Brier {brier:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the confidence of answers.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sets", nargs=2, default=["hotpotqa-train100", "musique-train100"])
    parser.add_argument("--keep", type=Path, help="where vaults are kept; otherwise ori's cache folder")
    options = parser.parse_args()
    one, two = (read_dataset(options.data / name, "turn", name) for name in options.sets)
    cases = [*cases_of(one, two, options.keep), *cases_of(two, one, options.keep)]
    with_meaning = [case for case in cases if case.evidence.similarity is not None]
    without = [case for case in cases if case.evidence.similarity is None]
    tell(
        "with meaning",
        with_meaning,
        lambda e: (e.coverage, e.similarity or 0.0, e.ahead, e.said_first, e.is_exact),
        ", ".join(NAMES),
    )
    tell(
        "without",
        without,
        lambda e: (e.coverage, e.ahead, e.said_first, e.is_exact),
        ", ".join(name for name in NAMES if name != "similarity"),
    )


if __name__ == "__main__":
    main()
