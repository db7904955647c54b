"""Summing up, storing, comparing: with systems whose answers are known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest

from aries_kernel.errors import UserError
from ori_memory.evaluation.bootstrap import Estimate
from ori_memory.evaluation.calibration import Bin, VerdictUse, calibration_of
from ori_memory.evaluation.dataset import Query
from ori_memory.evaluation.gate import falls, matching
from ori_memory.evaluation.haystack import Trial
from ori_memory.evaluation.metrics import measure
from ori_memory.evaluation.report import report_text
from ori_memory.evaluation.result import Evaluation, PartUse, summarise
from ori_memory.evaluation.running import Asking, Run
from ori_memory.evaluation.storing import read_evaluations, save_evaluation
from ori_memory.evaluation.systems import Ranking

TRIAL = Trial("tiny", "document", "pooled", (), {"adversarial": 2})


def asked(place: int, is_right: bool, confidence: float | None = None) -> Asking:
    query = Query(f"q{place}", "x", ("gold",), "even" if place % 2 == 0 else "odd")
    ids = ("gold", "other") if is_right else ("other", "gold")
    parts = {"keyword": "" if is_right else "no word", "graph": "no links"}
    ranking = Ranking(ids, confidence, parts, "relevant" if place % 2 else "unsure")
    return Asking(query, measure(ids, query.gold), ranking, 1.5)


def evaluation(rights: Sequence[bool], others: Sequence[bool] | None = None) -> Evaluation:
    runs = [Run("ori", tuple(asked(place, right, 0.9 if right else 0.2) for place, right in enumerate(rights)))]
    if others is not None:
        runs.append(Run("bm25", tuple(asked(place, right) for place, right in enumerate(others))))
    return summarise(attrs.evolve(TRIAL), runs, seed=1)


def test_totals_categories_differences_and_parts() -> None:
    found = evaluation([True, True, True, False], [True, False, True, False])
    ours = found.systems[0]
    assert (ours.total.questions, ours.total.metrics["recall@1"].mean, ours.median_ms) == (4, 0.75, 1.5)
    assert {name: one.metrics["recall@1"].mean for name, one in ours.categories.items()} == {"even": 1, "odd": 0.5}
    [difference] = found.comparisons
    assert (difference.first, difference.second, difference.metrics["recall@1"].mean) == ("ori", "bm25", 0.25)
    assert dict(found.parts) == {"keyword": PartUse(3, {"no word": 1}), "graph": PartUse(0, {"no links": 4})}
    assert found.values["q3"][0] == 0


def test_the_same_answers_differ_by_nothing() -> None:
    [difference] = evaluation([True, False] * 5, [True, False] * 5).comparisons
    assert set(difference.metrics.values()) == {Estimate(0, 0, 0)}


def test_calibration_against_figures_worked_out_by_hand() -> None:
    askings = [asked(0, True, 0.95), asked(1, True, 0.85), asked(2, False, 0.85), asked(3, False, 1.0)]
    found = calibration_of(askings)
    assert found is not None
    assert found.bins == (Bin(0.8, 0.9, 2, 0.85, 0.5), Bin(0.9, 1.0, 2, 0.975, 0.5))
    assert found.error == pytest.approx((2 * 0.35 + 2 * 0.475) / 4, abs=1e-4)
    assert found.brier == pytest.approx((0.05**2 + 0.15**2 + 0.85**2 + 1) / 4, abs=1e-4)
    assert dict(found.verdicts) == {"unsure": VerdictUse(2, 0.5), "relevant": VerdictUse(2, 0.5)}
    assert calibration_of([asked(0, True)]) is None


def test_a_saved_result_is_read_again_as_it_was(tmp_path: Path) -> None:
    result = evaluation([True, False, True], [True, True, True])
    save_evaluation(result, tmp_path / "deep" / "result.json")
    assert read_evaluations(tmp_path / "deep" / "result.json") == (result,)
    bench = {"machine": {}, "sets": [json.loads((tmp_path / "deep" / "result.json").read_text(encoding="utf-8"))]}
    (tmp_path / "bench.json").write_text(json.dumps(bench), encoding="utf-8")
    assert read_evaluations(tmp_path / "bench.json") == (result,)


@pytest.mark.parametrize("text", ["{", "{}", "[]", '{"sets": [3]}'])
def test_a_file_that_is_no_result_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match="no result of ori eval"):
        read_evaluations(tmp_path / "x.json")
    with pytest.raises(UserError, match="cannot be read"):
        read_evaluations(tmp_path / "missing.json")


class TestGate:
    def test_the_same_result_passes(self) -> None:
        assert falls(evaluation([True] * 20), evaluation([True] * 20)) == ()

    def test_a_fall_beyond_chance_is_named_with_its_interval(self) -> None:
        before, now = evaluation([True] * 20), evaluation([True] * 12 + [False] * 8)
        assert [one.metric for one in falls(before, now)] == ["recall@1", "mrr@10", "ndcg@10"]
        assert str(falls(before, now)[0]).startswith("recall@1 fell from 1.000 to 0.600: the difference is -0.400 [-")

    def test_one_question_of_twenty_is_chance(self) -> None:
        assert falls(evaluation([True] * 20), evaluation([True] * 19 + [False])) == ()

    def test_a_gain_passes(self) -> None:
        assert falls(evaluation([False] * 20), evaluation([True] * 20)) == ()

    def test_without_stored_values_the_stored_interval_decides(self) -> None:
        before = attrs.evolve(evaluation([True, False] * 10), values={})
        assert falls(before, evaluation([True, False] * 10)) == ()
        [first, *_] = falls(before, evaluation([False] * 20))
        assert "the stored interval begins at" in first.why

    def test_other_conditions_are_refused(self) -> None:
        now = evaluation([True])
        assert matching([attrs.evolve(now, pool="group"), now], now) is now
        with pytest.raises(UserError, match="tiny, unit document, pool candidates, k 10"):
            matching([attrs.evolve(now, pool="candidates")], now)


def test_the_report_says_under_which_conditions_and_fits_a_terminal() -> None:
    text = report_text(evaluation([True, False, True, True], [True, False, True, False]))
    assert text.splitlines()[:3] == [
        "tiny: 4 questions, 0 documents in 0 vaults",
        "unit document, pool pooled, k 10, 95 % intervals from 1000 resamples of the questions, seed 1",
        "left out: 2 adversarial",
    ]
    assert "keyword  3              1 no word\ngraph    0              4 no links\n" in text
    assert max(map(len, text.splitlines())) <= 100
