"""Votes as one list, computed by hand."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import Scores
from ori_memory.retrieval.fusion import Vote, fuse_ranks, fuse_scores, led


def vote(scores: dict[int, float], weight: float = 1.0, confidence: float = 1.0) -> Vote:
    return Vote("any", weight, Scores(scores, confidence))


class TestByScores:
    def test_the_scores_are_averaged_and_a_note_that_is_missing_has_zero(self) -> None:
        assert fuse_scores([vote({1: 1.0, 2: 0.5}), vote({2: 1.0, 3: 0.2})]) == pytest.approx({1: 0.5, 2: 0.75, 3: 0.1})

    def test_weights_and_confidences_are_multiplied(self) -> None:
        votes = [vote({1: 1.0}, weight=3.0), vote({2: 1.0}, weight=2.0, confidence=0.5)]
        assert fuse_scores(votes) == pytest.approx({1: 0.75, 2: 0.25})

    def test_a_vote_without_confidence_changes_nothing(self) -> None:
        sure = vote({1: 1.0, 2: 0.4})
        assert fuse_scores([sure, vote({2: 1.0, 3: 1.0}, confidence=0.0)]) == pytest.approx({1: 1.0, 2: 0.4, 3: 0.0})

    def test_where_nobody_is_sure_every_note_has_zero(self) -> None:
        assert fuse_scores([vote({1: 1.0}, confidence=0.0)]) == {1: 0.0}

    def test_without_votes_there_is_nothing(self) -> None:
        assert fuse_scores([]) == {}

    def test_a_clear_margin_of_one_beats_a_narrow_one_of_the_other(self) -> None:
        fused = fuse_scores([vote({1: 1.0, 2: 0.2}), vote({2: 1.0, 1: 0.9})])
        assert fused[1] > fused[2]


class TestByRanks:
    def test_scores_are_divided_by_their_rank_and_k(self) -> None:
        # 1: 1/(10+1); 2: 0.5/(10+2) + 1/(10+1)
        one, two = 1 / 11, 0.5 / 12 + 1 / 11
        assert fuse_ranks([vote({1: 1.0, 2: 0.5}), vote({2: 1.0})], k=10) == pytest.approx({1: one / two, 2: 1.0})

    def test_ranks_are_by_score_and_not_by_the_order_given(self) -> None:
        assert fuse_ranks([vote({1: 0.5, 2: 1.0})], k=1) == pytest.approx({2: 1.0, 1: (0.5 / 3) / (1 / 2)})

    def test_weight_and_confidence_count(self) -> None:
        votes = [vote({1: 1.0}, weight=2.0, confidence=0.5), vote({2: 1.0}, weight=3.0)]
        assert fuse_ranks(votes, k=60) == pytest.approx({1: 1 / 3, 2: 1.0})

    @pytest.mark.parametrize("votes", [[], [vote({1: 0.0})], [vote({1: 1.0}, confidence=0.0)]])
    def test_where_nothing_counts_there_is_nothing(self, votes: list[Vote]) -> None:
        assert fuse_ranks(votes, k=10) == {}


class TestLed:
    def test_a_ranker_has_the_share_of_its_confidence(self) -> None:
        given = led({1: 0.8, 2: 0.4}, Scores({2: 1.0, 3: 0.5}, 0.5))
        assert given == pytest.approx({1: 0.5, 2: 0.5 * 0.5 + 0.5, 3: 0.25})

    def test_one_that_is_sure_decides_alone(self) -> None:
        assert led({1: 0.8, 2: 0.4}, Scores({2: 1.0}, 1.0)) == {1: 0.0, 2: 1.0}

    def test_one_that_is_not_sure_at_all_changes_no_order(self) -> None:
        assert led({1: 0.8, 2: 0.4}, Scores({2: 1.0, 3: 1.0}, 0.0)) == pytest.approx({1: 1.0, 2: 0.5, 3: 0.0})

    def test_where_nothing_was_found_it_leads_nothing(self) -> None:
        assert led({}, Scores({}, 1.0)) == {}
