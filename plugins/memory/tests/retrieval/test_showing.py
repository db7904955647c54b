"""What of a ranked list is shown: limit, budget, marks, confidence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ori_memory.retrieval.answer import Answer, Verdict
from ori_memory.retrieval.confidence import Evidence, confidence_of, verdict_of
from ori_memory.retrieval.showing import tokens_of


@pytest.fixture
def many(shelf: Any) -> Any:
    """Twelve notes of rye, each linked to one that nothing finds."""
    for number in range(12):
        shelf.write(f"Rye {number}.md", f"Rye is good. {'It keeps long. ' * 25} Number {number}. [[Far {number}]]")
        shelf.write(f"Far {number}.md", f"Beyond number {number}.")
    shelf.uses("keyword")
    return shelf


def cost(answer: Answer) -> int:
    return sum(tokens_of(json.dumps([hit.path, hit.title, hit.snippet], ensure_ascii=False)) for hit in answer.hits)


class TestLimit:
    @pytest.mark.parametrize("limit", [1, 3, 12])
    def test_it_is_kept(self, many: Any, limit: int) -> None:
        assert len(many.ask("rye", limit=limit).hits) == limit

    def test_a_smaller_limit_gives_the_beginning_of_the_same_list(self, many: Any) -> None:
        assert many.titles("rye good", limit=3) == many.titles("rye good", limit=10)[:3]


class TestBudget:
    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(budget=st.integers(1, 3_000))
    def test_any_budget_is_kept_but_for_the_first_note_which_is_always_there(self, many: Any, budget: int) -> None:
        answer = many.ask("rye", budget=budget)
        assert answer.hits[0].title == many.titles("rye")[0]
        assert len(answer.hits) + answer.left_out == 10
        assert len(answer.hits) == 1 or cost(answer) <= budget

    def test_a_larger_budget_never_shows_fewer_notes(self, many: Any) -> None:
        counts = [len(many.ask("rye", budget=budget).hits) for budget in (1, 100, 200, 400, 800, 1_600)]
        assert counts == sorted(counts) and counts[0] == 1 and counts[-1] == 10

    def test_snippets_are_shortened_before_a_note_is_left_out(self, many: Any) -> None:
        whole = many.ask("rye", limit=3)
        short = many.ask("rye", limit=3, budget=cost(whole) + 60)
        assert [hit.title for hit in short.hits] == [hit.title for hit in whole.hits]
        assert short.hits[0].snippet == whole.hits[0].snippet
        assert len(short.hits[2].snippet) < len(whole.hits[2].snippet) and short.left_out == 0

    def test_without_a_budget_nothing_is_left_out(self, many: Any) -> None:
        assert many.ask("rye").left_out == 0

    @pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("面包", 2), ("é", 1)])
    def test_tokens_are_counted_rather_high(self, text: str, tokens: int) -> None:
        assert tokens_of(text) == tokens


class TestExploration:
    @pytest.fixture
    def exploring(self, many: Any) -> Any:
        many.uses("keyword", stages="[exploration]", more="  options: {exploration: {share: 1}}\n")
        return many

    def test_what_nobody_asked_for_is_marked_comes_last_and_takes_no_place(self, exploring: Any) -> None:
        without = exploring.titles("rye", explores=False)
        answer = exploring.ask("rye")
        assert [hit.title for hit in answer.hits[:-1]] == without and len(without) == 10
        last = answer.hits[-1]
        assert (last.mark, last.score, last.signals) == ("exploration", 0.0, {}) and last.title.startswith("Far ")

    def test_a_short_list_gets_none(self, exploring: Any) -> None:
        assert [hit.mark for hit in exploring.ask("rye", limit=5).hits] == [""] * 5


class TestHits:
    def test_scores_fall_from_one(self, many: Any) -> None:
        scores = [hit.score for hit in many.ask("rye 3").hits]
        assert scores[0] == 1.0 and scores == sorted(scores, reverse=True)

    def test_a_hit_says_what_is_known_of_its_note(self, shelf: Any) -> None:
        shelf.write("a/Rye.md", "---\nid: rye\nstatus: draft\ncreated: 2024-05-03\n---\n\nOf rye.\n")
        [hit] = shelf.ask("rye").hits
        assert (hit.path, hit.id, hit.title, hit.status, str(hit.created)) == (
            "a/Rye.md", "rye", "Rye", "draft", "2024-05-03",
        )  # fmt: skip
        assert (hit.snippet, hit.line, hit.signals, hit.mark) == ("Of rye.", 7, {"keyword": 1.0}, "")

    def test_an_empty_note_has_no_line(self, shelf: Any) -> None:
        shelf.write("Rye.md", "")
        [hit] = shelf.ask("rye").hits
        assert (hit.snippet, hit.line) == ("", 0)


class TestConfidence:
    def test_nonsense_is_nothing_relevant(self, many: Any) -> None:
        answer = many.ask("zqxv wvutt")
        assert (answer.verdict, answer.confidence, answer.hits) == (Verdict.NOTHING, 0.0, ())

    def test_one_word_of_many_is_not_enough(self, many: Any) -> None:
        answer = many.ask("good quantum entanglement of photons")
        assert answer.hits and answer.verdict is Verdict.NOTHING and answer.confidence < 0.2

    @pytest.mark.parametrize(
        ("text", "near", "other"),
        [
            ("what is the recipe for an apple pie", "The recipe: apples, then pies.", "The recipe: apply a piece."),
            ("how do we feed the starter", "We fed starters and feeding.", "We feedforward the startup."),
        ],
    )
    def test_a_word_that_only_begins_alike_is_not_held(self, shelf: Any, text: str, near: str, other: str) -> None:
        sure = []
        for body in (near, other):
            shelf.write("Note.md", body)
            sure.append(shelf.ask(text).confidence)
        assert sure[0] > sure[1] + 0.1

    def test_words_that_are_put_together_are_held_where_a_language_does_so(self, shelf: Any) -> None:
        shelf.write("Note.md", "Das Optimierungsproblem ist konvex.")
        assert shelf.ask("wie ist die konvexe Optimierung").confidence > 0.2

    @pytest.mark.parametrize("text", ["konvexe Hülle", "konvexe huelle"])
    def test_a_letter_with_dots_may_be_spelled_out(self, shelf: Any, text: str) -> None:
        shelf.fill({"Konvexe Hülle": "Die kleinste Menge.", "Lineare Hülle": "Eine andere.", "Kegel": "x"})
        answer = shelf.ask(text)
        assert (answer.hits[0].title, answer.verdict) == ("Konvexe Hülle", Verdict.RELEVANT)

    @pytest.mark.parametrize("text", ["journal of 5 May 2024", "what did I do on 2024-05-05", "Notiz vom 5. Mai 2024"])
    def test_the_page_of_a_day_answers_a_question_for_that_day(self, shelf: Any, text: str) -> None:
        more = {f"2024_04_{day:02}": "slept, the journal of 2024" for day in range(1, 20)}
        shelf.fill({"2024_05_05": "Mowed the lawn.", "Clocks": "They go on.", **more})
        answer = shelf.ask(text)
        assert answer.hits[0].path == "2024_05_05.md" and answer.verdict is not Verdict.NOTHING

    def test_parts_of_a_name_with_underscores_are_words(self, shelf: Any) -> None:
        shelf.fill({"ring_buffer": "Overwrites the oldest.", "Tea": "hot"})
        assert shelf.ask("what is the buffer of a ring").verdict is Verdict.RELEVANT

    def test_a_question_that_a_note_answers_word_by_word_is_surer_than_one_it_touches(self, many: Any) -> None:
        many.write("Levain.md", "The levain is fed with wheat twice a day.")
        whole, touched = many.ask("levain fed wheat twice"), many.ask("levain photons twice telescopes")
        assert whole.confidence > touched.confidence

    def test_a_name_that_the_first_note_does_not_hold_makes_it_no_surer(self, shelf: Any) -> None:
        # Links give it the first place, which is not to hold literally what was asked for.
        shelf.fill({"Rye": "A good bread. See [[Oven]].", "Oven": "A good one."})
        answer = shelf.ask("good quantum entanglement of photons BX-7")
        assert answer.hits and answer.confidence < 0.2

    def test_a_note_that_is_named_is_relevant(self, many: Any) -> None:
        many.write("Quarterly budget review.md", "Numbers.")
        assert many.ask("quarterly budget review").verdict is Verdict.RELEVANT

    def test_what_a_diary_says_of_the_day_that_is_named_is_no_nonsense(self, shelf: Any) -> None:
        shelf.uses("keyword", "time")
        shelf.write("Tiles.md", "---\ncreated: 2024-05-03\n---\n\nWe talked of the roof.")
        shelf.write("Rye.md", "Rye and oats.")
        assert shelf.ask("was haben wir am 3. Mai 2024 besprochen").verdict is not Verdict.NOTHING
        assert shelf.ask("was haben wir besprochen").verdict is Verdict.NOTHING

    def test_what_hides_everything_leaves_nothing_relevant(self, many: Any) -> None:
        (many.root / "elsewhere").mkdir()
        answer = many.ask("rye", folder="elsewhere")
        assert (answer.verdict, answer.confidence, answer.hits) == (Verdict.NOTHING, 0.0, ())

    @pytest.mark.parametrize("better", ["coverage", "similarity", "ahead", "said_first", "is_exact", "proven"])
    def test_every_piece_of_evidence_makes_it_surer(self, better: str) -> None:
        weak = {"coverage": 0.2, "similarity": 0.2, "ahead": 0.1, "said_first": 0.1, "is_exact": False, "proven": 0.0}
        strong = {**weak, better: True if better == "is_exact" else 0.9}
        assert confidence_of(Evidence(**strong)) > confidence_of(Evidence(**weak))  # type: ignore[arg-type]

    @given(
        st.floats(0, 1),
        st.none() | st.floats(-1, 1),
        st.floats(0, 1),
        st.floats(-1, 1),
        st.booleans(),
        st.floats(0, 1),
    )
    def test_it_is_a_chance(
        self,
        coverage: float,
        similarity: float | None,
        ahead: float,
        said_first: float,
        is_exact: bool,
        proven: float,
    ) -> None:
        evidence = Evidence(coverage, similarity, ahead, said_first, is_exact, proven=proven)
        assert 0 < confidence_of(evidence) < 1

    @pytest.mark.parametrize(
        ("confidence", "verdict"),
        [
            (1.0, Verdict.RELEVANT),
            (0.5, Verdict.RELEVANT),
            (0.49, Verdict.UNSURE),
            (0.2, Verdict.UNSURE),
            (0.19, Verdict.NOTHING),
            (0.0, Verdict.NOTHING),
        ],
    )
    def test_a_verdict_is_its_confidence_in_words(self, confidence: float, verdict: Verdict) -> None:
        assert verdict_of(confidence) is verdict
