"""PageRank against graphs solved by hand."""

from __future__ import annotations

from typing import Any

import pytest

from ori_memory.graph.graph import LinkWeights, NoteGraph
from ori_memory.graph.ranking import pagerank, personalised_pagerank


def test_what_a_note_without_links_out_holds_goes_to_all(make: Any) -> None:
    # a = .15/2 + .85 b/2, a + b = 1
    found = pagerank(make("a>b")).values
    assert found == {"a": pytest.approx(0.5 / 1.425), "b": pytest.approx(1 - 0.5 / 1.425)}


def test_weights_divide_what_a_note_passes_on(make: Any) -> None:
    # a = .05 + .85 (b + c); b = .05 + .85 a / 1.3; c = .05 + .85 a .3 / 1.3
    found = pagerank(make("a>b a~c b>a c>a", weights=LinkWeights(suggested=0.3))).values
    a = 0.9 / 1.85
    assert found == {
        "a": pytest.approx(a),
        "b": pytest.approx(0.05 + 0.85 * a / 1.3),
        "c": pytest.approx(0.05 + 0.85 * a * 0.3 / 1.3),
    }


def test_alpha_is_used(make: Any) -> None:
    # a = .5/2 + .5 b/2
    assert pagerank(make("a>b"), alpha=0.5).values["a"] == pytest.approx(0.5 / 1.25)


def test_unlinked_notes_share_and_the_sum_is_1(make: Any) -> None:
    found = pagerank(make("a>b b>c c>a d>a", extra="x y z")).values
    assert sum(found.values()) == pytest.approx(1, abs=1e-9)
    assert found["x"] == found["y"] < found["b"]


def test_seeds_restart_and_get_back_what_ends_nowhere(make: Any) -> None:
    # a = .15 + .85 b, b = .85 a
    found = personalised_pagerank(make("a>b"), {"a": 7}).values
    assert found == {"a": pytest.approx(1 / 1.85), "b": pytest.approx(0.85 / 1.85)}


def test_seeds_keep_their_weights(make: Any) -> None:
    # a = .15/4 + .85 b
    found = personalised_pagerank(make("a>b b>a"), {"a": 1, "b": 3}).values
    assert found == {"a": pytest.approx(0.8875 / 1.85), "b": pytest.approx(0.9625 / 1.85)}


def test_notes_out_of_reach_of_the_seeds_get_nothing_and_mass_is_kept(make: Any) -> None:
    found = personalised_pagerank(make("a>b c>d"), {"a": 1e308, "b": 1e308}).values
    assert (found["c"], found["d"]) == (0, 0)
    assert sum(found.values()) == pytest.approx(1)


@pytest.mark.parametrize("seeds", [{}, {"nobody": 1}, {"a": 0}, {"a": -1}, {"a": float("nan")}])
def test_seeds_that_count_for_nothing_are_said(make: Any, seeds: dict[str, float]) -> None:
    found = personalised_pagerank(make("a>b"), seeds)
    assert (found.values, found.skipped) == ({}, "no seeds")


@pytest.mark.parametrize(
    ("text", "extra", "reason"), [("", "", "no notes"), ("", "a b", "no edges"), ("a>a", "", "no edges")]
)
def test_without_links_there_is_no_rank(make: Any, text: str, extra: str, reason: str) -> None:
    graph: NoteGraph = make(text, extra)
    assert (pagerank(graph).values, pagerank(graph).skipped) == ({}, reason)
    assert personalised_pagerank(graph, {"a": 1}).skipped == reason
