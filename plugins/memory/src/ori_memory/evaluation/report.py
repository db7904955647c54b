"""An evaluation as text for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from aries_kernel.console.table import table
from ori_memory.evaluation.bootstrap import Estimate
from ori_memory.evaluation.calibration import Calibration
from ori_memory.evaluation.metrics import METRICS
from ori_memory.evaluation.result import Evaluation, PartUse

__all__ = ["report_text"]

_SHORT = ("recall@5", "mrr@10", "ndcg@10")
"""Where there is no room for all."""
_MOST_REASONS, _LONGEST = 3, 80


def report_text(result: Evaluation) -> str:
    """Several tables, each with a line that says what it is."""
    return "\n".join(_lines(result)) + "\n"


def _lines(result: Evaluation) -> Iterator[str]:
    vaults = "one vault" if result.vaults == 1 else f"{result.vaults} vaults"
    yield f"{result.name}: {result.questions} questions, {result.documents} documents in {vaults}"
    yield (
        f"unit {result.unit}, pool {result.pool}, k {result.k}, 95 % intervals from {result.resamples} resamples of "
        f"the questions, seed {result.seed}"
    )
    left_out = ", ".join(f"{count} {reason}" for reason, count in result.left_out.items())
    yield f"left out: {left_out or 'none'}"
    yield ""
    rows = [(metric, *(_cell(one.total.metrics[metric]) for one in result.systems)) for metric in METRICS]
    yield table(("METRIC", *(one.system for one in result.systems)), rows)
    times = (f"{one.system} {one.median_cpu_ms:g} ({one.median_ms:g})" for one in result.systems)
    yield "median CPU (and wall) ms a question: " + ", ".join(times)
    empty = ", ".join(f"{one.system} {one.unanswered}" for one in result.systems if one.unanswered)
    if empty:
        yield f"questions without any note in the answer: {empty}"
    first = result.systems[0]
    if len(first.categories) > 1:
        yield f"\n{first.system}, by category"
        counted = [(name, one.questions, *_cells(one.metrics)) for name, one in first.categories.items()]
        yield table(("CATEGORY", "N", *_SHORT), counted)
    if result.comparisons:
        yield f"\nwhat {first.system} has more than (paired; * the interval does not hold 0)"
        yield table(("THAN", *_SHORT), [(one.second, *_cells(one.metrics, True)) for one in result.comparisons])
    if result.parts:
        yield ""
        rows_of_parts = [(name, use.used, _reasons(use)) for name, use in result.parts.items()]
        yield table(("PART", "DID SOMETHING", "ELSE"), rows_of_parts)
    if result.calibration is not None:
        yield from _calibration(result.calibration)


def _reasons(use: PartUse) -> str:
    shown = "; ".join(f"{count} {reason}" for reason, count in list(use.idle.items())[:_MOST_REASONS])
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


def _calibration(found: Calibration) -> Iterator[str]:
    yield f"\nconfidence: expected calibration error {found.error:.3f}, Brier {found.brier:.3f}"
    rows = [(f"{one.low:.1f}-{one.high:.1f}", one.questions, one.confidence, one.right) for one in found.bins]
    for name, use in found.verdicts.items():
        yield f"answers that say '{name}': {use.questions}; first note gold in {_number(use.right, False)} of them"
    yield table(("BIN", "N", "CLAIMED", "FIRST IS GOLD"), rows)


def _cells(metrics: Mapping[str, Estimate], is_difference: bool = False) -> list[str]:
    return [_cell(metrics[name], is_difference) for name in _SHORT]


def _cell(one: Estimate, is_difference: bool = False) -> str:
    mean, low, high = (_number(value, is_difference) for value in (one.mean, one.low, one.high))
    mark = "*" if is_difference and (one.low > 0 or one.high < 0) else ""
    return f"{mean} [{low} {high}]{mark}"


def _number(value: float, is_signed: bool) -> str:
    """Without the zero before the point."""
    text = f"{value:+.3f}" if is_signed else f"{value:.3f}"
    return text.replace("0.", ".", 1)
