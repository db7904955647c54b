"""The stage `qvalue`."""

from __future__ import annotations

import datetime

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.contracts import Credit, Experience, Found, Question, Skipped, StageFactory
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import RankingCase, ask, rank
from aries_kernel.testing.stage_suite import StageSuite
from ori_stage_qvalue.stage import QValue, QValueOptions
from ori_stage_qvalue.worth import q_value

ASKED = "oven temperature rye"
CORPUS = FakeCorpus(
    (
        FakeNote("Oven", "How to heat the oven for rye"),
        FakeNote("Heat", "Rye wants 250 degrees", useful_for=(ASKED, ASKED, ASKED)),
        FakeNote("Gas bill", "The oven took gas"),
        FakeNote("Anna", "Anna lives at the mill"),
        FakeNote("Rye", "Rye is a grain", useful_for=("where rye grows",)),
    )
)
RANKED = rank(CORPUS, {"Oven": 1.0, "Gas bill": 0.9, "Heat": 0.85, "Anna": 0.2, "Rye": 0.1})
STAGE = QValue(QValueOptions())


def order(
    text: str, corpus: FakeCorpus = CORPUS, stage: QValue = STAGE, ranked: tuple[Found, ...] = RANKED
) -> list[str]:
    return corpus.titles(found.note for found in applied(text, corpus, stage, ranked))


def applied(
    text: str, corpus: FakeCorpus = CORPUS, stage: QValue = STAGE, ranked: tuple[Found, ...] = RANKED
) -> list[Found]:
    given = stage.apply(ask(text), ranked, corpus)
    return list(ranked) if isinstance(given, Skipped) else list(given)


class TestQValue(StageSuite):
    @pytest.fixture
    def factory(self) -> StageFactory:
        return QValue

    @pytest.fixture
    def case(self) -> RankingCase:
        return RankingCase(ask(ASKED), CORPUS, RANKED)


class TestWhatUseDoes:
    def test_a_note_comes_first_where_it_was_of_use_for_the_same_question(self) -> None:
        assert order(ASKED) == ["Heat", "Oven", "Gas bill", "Anna", "Rye"]

    def test_before_anything_was_of_use_the_list_stays_as_it_is(self) -> None:
        corpus = CORPUS.with_notes(useful_for=())
        reason = "none of these notes proved useful, nor any for a question that shares a word with this one"
        assert STAGE.apply(ask(ASKED), RANKED, corpus) == Skipped(reason)

    def test_a_question_about_something_else_is_not_touched(self) -> None:
        """G.4-59: what is of use often does not come up everywhere."""
        assert order("Anna's address at the mill") == CORPUS.titles(found.note for found in RANKED)
        many = evolve(CORPUS, notes=tuple(evolve(n, useful_for=(ASKED,) * 1_000) for n in CORPUS.notes))
        assert isinstance(STAGE.apply(ask("Anna's address at the mill"), RANKED, many), Skipped)

    def test_one_common_word_does_not_make_two_questions_alike(self) -> None:
        corpus = FakeCorpus(
            (
                *(FakeNote(f"Note {n}", f"rye and thing{n}") for n in range(40)),
                FakeNote("Used", "rye field", useful_for=("rye harvest machine repair",)),
            )
        )
        ranked = rank(corpus, [f"Note {n}" for n in range(5)] + ["Used"])
        assert order("rye thing3 crust colour", corpus, ranked=ranked) == corpus.titles(found.note for found in ranked)
        assert _gain(applied("rye thing3 crust colour", corpus, ranked=ranked), corpus, "Used") < 0.02

    def test_the_explanation_names_the_question_and_the_gain(self) -> None:
        first = applied(ASKED)[0]
        assert len(first.why) == 1
        assert first.why[0].startswith("+0.") and f"'{ASKED}', alike 1.00" in first.why[0]
        assert not any(found.why for found in applied(ASKED) if CORPUS.titles([found.note]) == ["Oven"])

    def test_a_note_that_nothing_found_comes_in_and_is_marked_where_the_settings_say_so(self) -> None:
        ranked = tuple(found for found in RANKED if CORPUS.titles([found.note]) != ["Heat"])
        given = applied(ASKED, ranked=ranked, stage=QValue(QValueOptions(pulled=1)))
        marks = {CORPUS.titles([found.note])[0]: found.mark for found in given}
        assert marks == {"Oven": "", "Gas bill": "", "Anna": "", "Rye": "", "Heat": "learned"}
        assert order(ASKED, ranked=ranked) == ["Oven", "Gas bill", "Anna", "Rye"]

    def test_no_more_notes_come_in_than_the_settings_say(self) -> None:
        corpus = FakeCorpus(tuple(FakeNote(f"N{n}", "x", useful_for=(ASKED,) * 5) for n in range(9)))
        stage = QValue(QValueOptions(pulled=3, pull_from=0))
        assert len(applied(ASKED, corpus, stage, rank(corpus, ["N0"]))) == 4

    def test_use_counts_more_the_less_sure_the_list_is(self) -> None:
        usual, never = ([self.gain_beside(low, doubt) for low in (0.1, 0.5, 0.85, 0.9)] for doubt in (2.5, 1.0))
        assert usual[0] == usual[1] < usual[2] < usual[3]
        assert never == pytest.approx([usual[0]] * 4)

    def gain_beside(self, rivals: float, doubt: float) -> float:
        """What `Heat` gains, as a multiple of the score that `Oven` has, which gains nothing."""
        ranked = rank(CORPUS, {"Oven": 1.0, "Heat": 0.9, "Gas bill": rivals, "Anna": rivals})
        given = applied(ASKED, ranked=ranked, stage=QValue(QValueOptions(doubt=doubt)))
        scores = {CORPUS.titles([found.note])[0]: found.score for found in given}
        return scores["Heat"] / scores["Oven"]

    def test_it_tells_how_far_use_has_proven_a_note(self) -> None:
        proven = {CORPUS.titles([found.note])[0]: found.proven for found in applied(ASKED)}
        assert proven.pop("Heat") > 0.5 and set(proven.values()) == {0.0}
        once = CORPUS.with_notes(useful_for=())
        once = evolve(
            once, notes=tuple(evolve(n, useful_for=(ASKED,) if n.title == "Heat" else ()) for n in once.notes)
        )
        assert 0 < applied(ASKED, once)[0].proven < applied(ASKED)[0].proven <= 1

    def test_what_is_less_relevant_gains_less(self) -> None:
        lists = (rank(CORPUS, {"Heat": score, "Gas bill": 0.1}) for score in (0.8, 0.2))
        first, last = (_ratio(applied(ASKED, ranked=ranked)) for ranked in lists)
        assert first > last > 2


class TestFavour:
    """Of notes that fit about equally well the one comes first that has been of use for whatever it was."""

    NOTES = tuple(
        FakeNote(f"N{n}", "about the mill", useful_for=("where rye grows",) if n == 1 else ()) for n in range(4)
    )

    def places(
        self, scores: dict[str, float], notes: tuple[FakeNote, ...] = NOTES, text: str = "the old mill"
    ) -> list[str]:
        corpus = FakeCorpus(notes)
        return order(text, corpus, ranked=rank(corpus, scores))

    def test_it_decides_between_notes_that_fit_equally_well(self) -> None:
        assert self.places({"N0": 1.0, "N1": 0.995, "N2": 0.1}) == ["N1", "N0", "N2"]
        given = applied(
            "the old mill", FakeCorpus(self.NOTES), ranked=rank(FakeCorpus(self.NOTES), {"N0": 1, "N1": 0.9})
        )
        assert [found.why for found in given] == [(), ("+0.01: it has been of use",)]

    def test_a_note_that_fits_clearly_better_stays_first(self) -> None:
        assert self.places({"N0": 1.0, "N1": 0.9, "N2": 0.1}) == ["N0", "N1", "N2"]

    def test_a_note_that_was_of_use_for_everything_gets_no_more_of_it(self) -> None:
        """G.4-59: whoever is cited all the time does not come up everywhere."""
        once, often = (
            tuple(evolve(n, useful_for=questions) if n.title == "N1" else n for n in self.NOTES)
            for questions in (("rye?",) * 9, tuple(f"question {n}" for n in range(99) for _ in range(9)))
        )
        gains = [
            _gain(applied("the old mill", corpus, ranked=rank(corpus, {"N0": 1.0, "N1": 0.9})), corpus, "N1")
            for corpus in (FakeCorpus(once), FakeCorpus(often))
        ]
        assert gains[0] == gains[1] > 0

    def test_it_decides_more_where_several_notes_fit_about_as_well_as_the_first(self) -> None:
        sure, unsure = (self.places({"N0": 1.0, "N1": 0.98, "N2": others, "N3": others}) for others in (0.5, 0.98))
        assert (sure[0], unsure[0]) == ("N0", "N1")

    def test_where_all_have_been_of_use_it_says_nothing(self) -> None:
        notes = tuple(evolve(n, useful_for=("where rye grows",)) for n in self.NOTES)
        corpus = FakeCorpus(notes)
        assert isinstance(STAGE.apply(ask("the old mill"), rank(corpus, {"N0": 1.0, "N1": 0.9}), corpus), Skipped)

    def test_the_settings_switch_it_off(self) -> None:
        corpus = FakeCorpus(self.NOTES)
        stage = QValue(QValueOptions(favour=0))
        assert isinstance(stage.apply(ask("the old mill"), rank(corpus, {"N0": 1.0, "N1": 0.9}), corpus), Skipped)


class TestNamed:
    NOTES = FakeCorpus(
        (FakeNote("Anna", "Anna lives here"), FakeNote("Mill", "Anna had a wheel"), FakeNote("Gas", "x"))
    )
    RANKED = rank(NOTES, {"Anna": 1.0, "Mill": 0.98, "Gas": 0.2})

    def order(self, told: Experience, named: float = 1.0, **options: float) -> list[str]:
        corpus = evolve(self.NOTES, experienced=told)
        question = ask("wheel of Anna", named={self.RANKED[0].note: named} if named else {})
        given = QValue(QValueOptions(**options)).apply(question, self.RANKED, corpus)
        return corpus.titles(one.note for one in (self.RANKED if isinstance(given, Skipped) else given))

    def test_what_is_named_comes_after_what_fits_as_well_where_use_was_of_others(self) -> None:
        assert self.order(Experience(unnamed=9)) == ["Mill", "Anna", "Gas"]

    @pytest.mark.parametrize("told", [Experience(), Experience(named=9), Experience(named=30, unnamed=4)])
    def test_it_stays_first_where_use_was_mostly_of_what_was_named(self, told: Experience) -> None:
        assert self.order(told) == ["Anna", "Mill", "Gas"]

    def test_one_or_two_such_uses_prove_nothing(self) -> None:
        assert self.order(Experience(named=4, unnamed=1)) == self.order(Experience()) == ["Anna", "Mill", "Gas"]

    def test_a_question_that_names_none_of_the_notes_stays_as_it_is(self) -> None:
        assert self.order(Experience(unnamed=9), named=0) == ["Anna", "Mill", "Gas"]

    def test_the_settings_switch_it_off(self) -> None:
        assert self.order(Experience(unnamed=9), aside=0) == ["Anna", "Mill", "Gas"]

    def test_no_note_comes_to_stand_before_one_that_fits_much_better(self) -> None:
        ranked = rank(self.NOTES, {"Anna": 1.0, "Mill": 0.8, "Gas": 0.2})
        corpus = evolve(self.NOTES, experienced=Experience(unnamed=1000))
        given = STAGE.apply(ask("wheel of Anna", named={ranked[0].note: 1.0}), ranked, corpus)
        assert not isinstance(given, Skipped)
        assert corpus.titles(one.note for one in given) == ["Anna", "Mill", "Gas"]


def _ratio(found: list[Found]) -> float:
    """How many times the score of `Gas bill` the first note has."""
    return found[0].score / next(one.score for one in found if CORPUS.titles([one.note]) == ["Gas bill"])


def _gain(found: list[Found], corpus: FakeCorpus, title: str) -> float:
    return next(
        (float(one.why[0].split(":")[0]) for one in found if one.why and corpus.titles([one.note]) == [title]), 0
    )


class TestAgreement:
    QUESTION = "oven temperature for rye loaves"

    def gain(self, agreed: float, differed: float, text: str = QUESTION) -> float:
        return _gain(applied(text, evolve(CORPUS, experienced=Experience(agreed, differed))), CORPUS, "Heat")

    def test_where_like_questions_had_the_same_notes_likeness_counts_more(self) -> None:
        assert self.gain(50, 0) > self.gain(6, 3) > self.gain(0, 0) == self.gain(0, 50) > 0

    def test_the_same_question_agrees_with_itself_everywhere(self) -> None:
        assert self.gain(0, 50, ASKED) == pytest.approx(self.gain(50, 0, ASKED), rel=0.2)

    def test_earlier_questions_that_name_different_notes_say_little_about_any(self) -> None:
        asked = ("oven temperature rye crust", "oven temperature rye crumb", "oven temperature rye flour")
        spread = tuple(FakeNote(f"N{n}", "rye oven", useful_for=(text,) * 9) for n, text in enumerate(asked))
        one = tuple(FakeNote(f"N{n}", "rye oven", useful_for=asked * 3 if n == 0 else ()) for n in range(3))
        together, apart = (
            _gain(applied("oven temperature rye", corpus, ranked=rank(corpus, {"N1": 0.5, "N0": 0.5})), corpus, "N0")
            for corpus in (FakeCorpus(one), FakeCorpus(spread))
        )
        assert together > apart


@given(
    st.lists(st.sampled_from([ASKED, "rye bread", "oven"]), max_size=12), st.sampled_from([ASKED, "oven", "rye bread"])
)
def test_one_more_use_never_makes_a_note_sink(before: list[str], more: str) -> None:
    """G.4-46, 51: neither the first use nor any other lowers a note."""

    def places(useful: list[str]) -> int:
        notes = tuple(evolve(n, useful_for=tuple(useful)) if n.title == "Oven" else n for n in CORPUS.notes)
        ranked = rank(CORPUS, {"Gas bill": 1.0, "Heat": 0.9, "Oven": 0.5, "Rye": 0.1})
        return order(ASKED, evolve(CORPUS, notes=notes), ranked=ranked).index("Oven")

    assert places([*before, more]) <= places(before)


class TestWorth:
    DAY = datetime.date(2024, 6, 1)

    def value(self, reward: float, days: int = 0) -> float:
        return q_value(Credit(1, reward, 1, self.DAY), self.DAY + datetime.timedelta(days), 0.1, 0.007)

    def test_it_begins_at_nothing_and_each_use_adds_a_share_of_what_is_left(self) -> None:
        """C.13 (b): q += rate * r * (1 - q)."""
        expected = 0.0
        for count in range(6):
            assert self.value(count) == pytest.approx(expected)
            expected += 0.1 * (1 - expected)

    def test_what_decays_is_the_evidence(self) -> None:
        """G.4-49: a note that was never of use has nothing to lose."""
        assert self.value(0, 1_000) == 0
        assert self.value(3) > self.value(3, 30) > self.value(3, 300) > 0

    def test_a_use_in_the_future_counts_as_one_of_today(self) -> None:
        assert self.value(2, -5) == self.value(2)


def test_a_question_without_words_has_nothing_like_it() -> None:
    assert isinstance(STAGE.apply(Question("?!"), RANKED, CORPUS), Skipped)
