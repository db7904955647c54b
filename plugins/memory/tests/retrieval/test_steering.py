"""The bandit: what it decides, what it learns, and that it leaves out nothing unless it is told to."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.retrieval.answer import Asked, PartState
from ori_memory.retrieval.bandit import FEATURES, Choice, Knowledge, Limits, decide, reward_of, sums_of
from ori_memory.retrieval.quality import concentration, quality
from ori_memory.retrieval.question import understand_question
from ori_memory.retrieval.steering import features_of

ONE = (1.0,) * FEATURES
SHORT = (1.0, *([0.0] * (FEATURES - 1)))
QUESTION = "what rye bread is"
LONG = (1.0, 1.0, *([0.0] * (FEATURES - 2)))


def known(reward: float, times: int = 40, features: tuple[float, ...] = ONE) -> Knowledge:
    made = Knowledge()
    for _ in range(times):
        made = made.with_(features, reward)
    return made


class TestDecide:
    def test_a_part_that_is_not_known_yet_runs(self) -> None:
        assert decide(known(-1.0, 14), ONE, drawn=0.9, elapsed=0).choice is Choice.RUN

    def test_a_part_that_costs_more_than_it_brings_is_left_out(self) -> None:
        assert decide(known(-1.0), ONE, drawn=0.9, elapsed=0).choice is Choice.ABSTAIN
        assert decide(known(1.0), ONE, drawn=0.9, elapsed=0).choice is Choice.RUN

    def test_what_is_left_out_is_tried_again_whatever_else_holds(self) -> None:
        """G.4-54: six of eight stages were dark for six days, since the budget was looked at first."""
        late = decide(known(-1.0), ONE, drawn=0.01, elapsed=10_000)
        assert (late.choice, late.reason) == (Choice.RUN, "it is tried out again")

    def test_a_late_question_goes_without(self) -> None:
        assert decide(known(1.0), ONE, drawn=0.9, elapsed=10_000).choice is Choice.SKIP

    def test_it_depends_on_the_question(self) -> None:
        made = known(-0.5, 60, SHORT)
        for _ in range(60):
            made = made.with_(LONG, 0.9)
        chosen = [decide(made, features, drawn=0.9, elapsed=0).choice for features in (SHORT, LONG)]
        assert chosen == [Choice.ABSTAIN, Choice.RUN]

    def test_the_decision_carries_what_it_was_made_by(self) -> None:
        """G.4-58: what is learned is learned of this question."""
        assert decide(Knowledge(), LONG, drawn=0.9, elapsed=0).features == LONG

    def test_a_share_of_the_questions_is_sampled(self) -> None:
        limits = Limits(sampled=0.05)
        draws = [number / 1000 for number in range(1000)]
        ran = sum(decide(known(-1.0), ONE, drawn=d, elapsed=0, limits=limits).choice is Choice.RUN for d in draws)
        assert ran == 50

    @given(st.lists(st.floats(0, 1), min_size=FEATURES, max_size=FEATURES), st.floats(-1, 1), st.integers(0, 200))
    def test_more_reward_never_makes_it_hope_for_less(self, features: list[float], reward: float, times: int) -> None:
        made = known(reward, times, tuple(features))
        assert made.with_(features, 1.0).expects(features) >= made.with_(features, -1.0).expects(features)

    def test_sums_of_another_shape_say_nothing(self) -> None:
        assert Knowledge.of(99, {"products": (1.0,), "rewards": ()}) == Knowledge()
        assert Knowledge.of(1, sums_of(ONE, 0.5)) == Knowledge().with_(ONE, 0.5)


class TestReward:
    def test_it_is_what_was_gained_less_the_time(self) -> None:
        assert reward_of(0.05, 0) == pytest.approx(0.5)
        assert reward_of(0.05, 100) == pytest.approx(0.3)
        assert (reward_of(5, 0), reward_of(-5, 0)) == (1, -1)

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.01, 100))
    def test_another_scale_changes_nothing(self, scores: list[float], scale: float) -> None:
        """G.4-55."""
        ordered = sorted(scores, reverse=True)
        assert concentration(ordered) == pytest.approx(concentration([scale * one for one in ordered]), abs=1e-6)

    def test_one_note_alone_is_the_most_and_all_alike_the_least(self) -> None:
        assert concentration([1.0, 0.0, 0.0]) == pytest.approx(1)
        assert concentration([0.5, 0.5, 0.5]) == pytest.approx(0)
        assert quality([1.0, 0.0], 1.0) == pytest.approx(1)
        assert quality([0.5, 0.5], 0.0) == pytest.approx(-0.25)
        assert quality([], None) == 0


class TestPipeline:
    def states(self, shelf: Any, mode: str, rewards: dict[str, float]) -> tuple[list[str], dict[str, PartState], Any]:
        shelf.fill({"Rye": "Rye bread of [[Sour]]", "Sour": "The dough", "Oven": "Hot [[Rye]]"})
        shelf.uses("keyword", "graph", stages='["qvalue"]', more=f"  steering: {mode}\n")
        memory = shelf.memory()
        features = features_of(understand_question(QUESTION, memory.now().date(), {}, 10), 3)
        for part, reward in rewards.items():
            for _ in range(40):
                memory.learned.record_arm(part, sums_of(features, reward))
        answer = memory.ask(Asked(QUESTION, explores=False))
        return [hit.title for hit in answer.hits], {part.name: part.state for part in answer.signals}, memory

    def test_off_it_learns_nothing(self, shelf: Any) -> None:
        _, states, memory = self.states(shelf, "off", {})
        assert states["graph"] is PartState.RAN
        assert memory.taught.steering is None
        assert memory.learned.arms() == {}

    def test_watching_it_learns_and_leaves_out_nothing(self, shelf: Any) -> None:
        _, states, memory = self.states(shelf, "watch", {"graph": -1.0})
        assert states["graph"] is PartState.RAN
        assert memory.learned.arms()["graph"].samples == 41

    def test_on_it_leaves_out_what_costs_more_than_it_brings_and_says_so(self, shelf: Any) -> None:
        _, states, memory = self.states(shelf, "on", {"graph": -1.0})
        assert states["graph"] is PartState.SKIPPED
        answer = memory.ask(Asked(QUESTION, explores=False))
        reason = next(part.reason for part in answer.signals if part.name == "graph")
        assert reason.startswith("left out by what was learned: it makes answers to such questions no better")

    def test_words_are_never_left_out(self, shelf: Any) -> None:
        titles, states, _ = self.states(shelf, "on", {"keyword": -1.0, "semantic": -1.0})
        assert states["keyword"] is PartState.RAN
        assert titles[0] == "Rye"
