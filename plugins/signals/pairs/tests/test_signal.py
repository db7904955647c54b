"""The signal `pairs`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from attrs import evolve

from aries_kernel.contracts import Scores, SignalFactory, Skipped
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, rank
from aries_kernel.testing.signal_suite import SignalSuite
from ori_signal_pairs.signal import Options, Pairs

RIVER = FakeNote("River", "The Bubye is a river of Zimbabwe.")
FALLS = FakeNote("Falls", "A waterfall of Zimbabwe.")
ELSEWHERE = FakeNote("Elsewhere", "A waterfall of Laos.")
OTHERS = tuple(FakeNote(f"Other {place}", "Nothing of it.") for place in range(8))
CORPUS = FakeCorpus((RIVER, FALLS, ELSEWHERE, *OTHERS))
QUESTION = "the waterfall in the country of the Bubye river"
FOUND = {"River": 1.0, "Elsewhere": 0.5, "Falls": 0.4}


class TestPairs(SignalSuite):
    @pytest.fixture
    def factory(self) -> SignalFactory:
        return Pairs

    @pytest.fixture
    def case(self) -> RankingCase:
        return RankingCase(ask(QUESTION), CORPUS, rank(CORPUS, FOUND))


def score(
    corpus: FakeCorpus, found: Mapping[str, float], text: str = QUESTION, options: Options | None = None
) -> Scores | Skipped:
    numbers = {corpus.number(title): value for title, value in found.items()}
    return Pairs(options or Options()).score(ask(text), corpus, numbers)


def order(
    corpus: FakeCorpus, found: Mapping[str, float], text: str = QUESTION, options: Options | None = None
) -> list[str]:
    said = score(corpus, found, text, options)
    assert isinstance(said, Scores), said
    return corpus.titles(sorted(said.scores, key=lambda note: -said.scores[note]))


class TestSecondNotes:
    def test_what_says_the_rest_and_shares_a_name_comes_before_what_only_says_the_rest(self) -> None:
        assert order(CORPUS, FOUND) == ["River", "Falls", "Elsewhere"]

    def test_a_link_leads_to_it_as_well(self) -> None:
        linked = evolve(RIVER, body="The Bubye is a river.", links=("Falls",))
        assert order(FakeCorpus((linked, FALLS, ELSEWHERE, *OTHERS)), FOUND) == ["River", "Falls", "Elsewhere"]

    def test_a_note_that_nothing_found_comes_in(self) -> None:
        assert "Falls" in order(CORPUS, {"River": 1.0, "Elsewhere": 0.5})

    def test_a_mention_leads_less_than_a_link(self) -> None:
        plain = FakeNote("River", "The Bubye is a river.")
        scores = []
        for one in (evolve(plain, links=("Falls",)), evolve(plain, suggested=("Falls",))):
            said = score(FakeCorpus((one, FALLS, *OTHERS)), {"River": 1.0})
            assert isinstance(said, Scores)
            scores.append(dict(zip(CORPUS.titles([101, 102]), said.scores.values(), strict=True))["Falls"])
        assert scores[0] > scores[1] > 0

    def test_what_says_nothing_more_gains_nothing(self) -> None:
        again = FakeNote("Again", "The Bubye river of Zimbabwe again.")
        corpus = FakeCorpus((RIVER, again, ELSEWHERE, *OTHERS))
        said = score(corpus, {"River": 1.0, "Again": 0.3})
        assert said == Skipped("nothing that has to do with the best notes says more of the question")

    def test_a_name_that_few_notes_hold_leads_farther_than_one_of_many(self) -> None:
        rare = FakeNote("Rare", "A waterfall on the Limpopo.")
        usual = FakeNote("Usual", "A waterfall in Africa.")
        river = FakeNote("River", "The Bubye is a river by the Limpopo in Africa.")
        many = tuple(evolve(note, body="Now in Africa.") for note in OTHERS[:5])
        corpus = FakeCorpus((river, rare, usual, *many, *OTHERS[5:], *(FakeNote(f"More {n}") for n in range(20))))
        assert order(corpus, {"River": 1.0, "Usual": 0.4, "Rare": 0.4})[:2] == ["River", "Rare"]


class TestFirstNotes:
    def test_the_first_keeps_its_place_whatever_the_second_gains(self) -> None:
        said = score(CORPUS, {"River": 0.2, "Falls": 0.19}, options=Options(gain=50.0))
        assert isinstance(said, Scores) and CORPUS.titles(said.surest) == ["River"]

    def test_in_the_second_round_what_came_in_leads_on(self) -> None:
        corpus = FakeCorpus(
            (
                FakeNote("Song", "A song.", links=("Singer",)),
                FakeNote("Singer", "A singer.", links=("Town",)),
                FakeNote("Town", "It has an airport."),
                *OTHERS,
            )
        )
        text, found = "airport of the town of the singer of the song", {"Song": 1.0}
        assert "Town" not in order(corpus, found, text, Options(rounds=1))
        assert order(corpus, found, text) == ["Song", "Singer", "Town"]

    def test_of_a_note_with_ties_to_the_whole_vault_nothing_leads_on(self) -> None:
        hub = FakeNote("River", "The Bubye is a river.", links=("Falls", "Elsewhere"))
        few = score(FakeCorpus((hub, FALLS, ELSEWHERE)), FOUND, options=Options(name=0.0))
        many = score(FakeCorpus((hub, FALLS, ELSEWHERE, *OTHERS)), FOUND, options=Options(name=0.0))
        assert isinstance(few, Scores) and isinstance(many, Scores)
        assert few.scores[102] < many.scores[102]

    def test_names_that_are_said_in_a_talk_lead_nowhere(self) -> None:
        talk = CORPUS.with_notes(thread="a")
        assert score(talk, FOUND) == Skipped("nothing that has to do with the best notes says more of the question")


def test_a_question_that_the_best_note_says_nearly_whole_is_left_as_it_was() -> None:
    text = "the Bubye is a river of Zimbabwe"
    assert score(CORPUS, FOUND, text) == Skipped("the best note says nearly all of the question")


@pytest.mark.parametrize("found", [{}, {"River": 0.0}])
def test_where_nothing_was_found_it_says_so(found: dict[str, float]) -> None:
    assert score(CORPUS, found) == Skipped("nothing was found to start from")


@pytest.mark.parametrize("text", ["waterfall", "waterfall zyxwv", "zyxwv"])
def test_a_question_of_one_known_word_has_no_second_note(text: str) -> None:
    assert score(CORPUS, FOUND, text) == Skipped("the question has too few words to be said by two notes")
