"""The baselines, and that each question is asked of each system."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from ori_memory.evaluation.dataset import DataSet, Document, Query
from ori_memory.evaluation.haystack import Haystack, Opened, Trial, trial_of
from ori_memory.evaluation.running import run
from ori_memory.evaluation.systems import Ranking, System, bm25, explored, random_order
from ori_memory.evaluation.words import stemmed_words, units_of, words_of

DOCUMENTS = [
    Document("tea", "Tea", "Leaves are brewed in hot water."),
    Document("cup", "Cups", "A cup holds water."),
    Document("zh", "", "黑豹队的防守"),
    Document("empty", "", ""),
    Document("more", "Brewing", "Brewing beer takes weeks."),
]


def trial_with(*queries: Query) -> Trial:
    opened = Opened(None, {f"{one.id}.md": one.id for one in DOCUMENTS}, lambda: DOCUMENTS)  # type: ignore[arg-type]
    stack = Haystack("x", queries, len(DOCUMENTS), lambda: contextlib.nullcontext(opened))
    return Trial("x", "document", "pooled", (stack,))


def test_words_of_several_scripts() -> None:
    assert list(words_of("Élan vital, x_y 12°C")) == ["élan", "vital", "x", "y", "12", "c"]
    assert list(words_of("黑豹队 ok")) == ["黑豹", "豹队", "ok"]
    assert list(words_of("पैंथर्स ने")) == ["पैंथर्स", "ने"]
    assert list(units_of("黑豹队的防守 ok")) == ["黑豹队的", "防守", "ok"]
    assert stemmed_words("The brewing of brewed teas") == ["brew", "brew", "tea"]


def test_bm25_finds_stems_and_characters_and_leaves_out_what_matches_nothing() -> None:
    queries = [
        Query("1", "who brews tea", ("tea",)),
        Query("2", "防守", ("zh",)),
        Query("3", "the of a", ("tea",)),
        Query("4", "cups of water", ("tea",), excluded=("cup",)),
    ]
    [found] = run(trial_with(*queries), [bm25()])
    assert [one.ranking.ids for one in found.askings] == [("tea", "more"), ("zh",), (), ("tea",)]


def test_chance_is_a_mean_of_draws_and_the_same_for_the_same_seed() -> None:
    trial = trial_with(Query("1", "x", ("tea",)), Query("2", "y", ("tea", "cup"), excluded=("zh",)))
    [first], [again] = run(trial, [random_order(3)]), run(trial, [random_order(3)])
    assert [one.values for one in first.askings] == [one.values for one in again.askings]
    assert 0 < first.askings[0].values[0] < 0.6 and first.askings[0].values[1] == 1
    assert "zh" not in first.askings[1].ranking.ids


def test_every_system_gets_every_question_and_progress_is_told() -> None:
    seen: list[tuple[str, int, int]] = []
    known = System("known", lambda opened: lambda query, limit: Ranking(query.gold, 0.5))
    runs = run(
        trial_with(Query("1", "x", ("tea",)), Query("2", "y", ("cup",))),
        [known, random_order(0)],
        progress=lambda *what: seen.append(what),
    )
    assert [(one.system, [asking.query.id for asking in one.askings]) for one in runs] == [
        ("known", ["1", "2"]),
        ("random", ["1", "2"]),
    ]
    assert seen[-1] == ("x: random", 4, 4)
    assert runs[0].askings[0].values == (1, 1, 1, 1, 1, 1) and runs[0].askings[0].is_first_gold


@pytest.mark.parametrize("text", ["", "…", "\U0001f375"])
def test_a_question_without_words_finds_nothing(text: str) -> None:
    [found] = run(trial_with(Query("1", text, ("tea",))), [bm25()])
    assert found.askings[0].ranking.ids == ()


def test_explorations_are_judged_like_answers(tmp_path: Path) -> None:
    dataset = DataSet("tiny", tuple(DOCUMENTS[:2]), (Query("1", "brewed leaves", ("tea",)),), "document")
    [found] = run(trial_of(dataset, folder=tmp_path), [explored(is_fast=True)])
    assert found.askings[0].ranking.ids[0] == "tea"
