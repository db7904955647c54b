"""Credit, exposure, pairs and what is known of stages, through the store."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from aries_kernel.contracts import Experience
from aries_kernel.errors import UserError
from aries_kernel.word_roots import root_of
from ori_memory.learned.crediting import Arm, Credit, Credited, Pair, Shown, SourceCount
from ori_memory.learned.events import Event
from ori_memory.learned.journal import Lesson
from ori_memory.learned.statements import keep_note
from ori_memory.learned.store import LearnedStore

NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
MakeStore = Callable[..., LearnedStore]
DAY = datetime.timedelta(days=1)
TEA = ("green", "tea", "water")


def earned(note: str, words: tuple[str, ...] = TEA, reward: float = 1.0, source: str = "citation") -> Credit:
    return Credit(note, words, reward, source)


def test_credit_is_kept_by_what_was_asked_about_whatever_the_order_of_its_words(make: MakeStore) -> None:
    with make() as store:
        store.record_credits([earned("a"), earned("a", TEA[::-1], 0.5, "edit"), earned("b")])
        store.record_credits([earned("a", ("coffee",), 0.4, "again")], NOON + DAY)
        tea, coffee = sorted((one for one in store.credits() if one.note_id == "a"), key=lambda one: -one.reward)
        assert tea == Credited("a", tea.topic, TEA, 1.5, 2, NOON, NOON)
        assert coffee == Credited("a", coffee.topic, ("coffee",), 0.4, 1, NOON + DAY, NOON + DAY)
        assert tea.topic != coffee.topic


def test_a_note_tells_which_evidence_it_earned_by(make: MakeStore) -> None:
    with make() as store:
        store.record_credits([earned("a"), earned("a"), earned("a", reward=0.5, source="edit"), earned("b")])
        (told,) = store.credits_of("a")
        assert (told.sources, told.uses, told.reward) == ({"citation": 2, "edit": 1}, 3, 2.5)
        assert store.credits_of("nobody") == ()


def test_one_question_needs_only_the_credit_of_questions_that_share_a_word(make: MakeStore) -> None:
    with make() as store:
        store.record_credits(
            [earned("a"), earned("b", ("100%", "sure_fire")), earned("c", ("teapots",)), earned("d", ())]
        )
        assert {asked: about(store, asked) for asked in ("tea", "teapot", "ea", "%", "100%", "sure_fire")} == {
            "tea": ["a"],
            "teapot": ["c"],
            "ea": [],
            "%": [],
            "100%": ["b"],
            "sure_fire": ["b"],
        }
        assert about(store, "coffee", "water", "100%") == ["a", "b"]
        assert store.credits_about([], 9) == ()


def test_of_many_questions_those_with_the_rarest_words_are_read(make: MakeStore) -> None:
    with make() as store:
        store.record_credits([earned(f"n{n}", ("tea", f"question{n:02}")) for n in range(30)])
        store.record_credits([earned("it", ("tea", "samovar"))])
        assert [one.note_id for one in store.credits_about(["samova", "tea"], 1)] == ["it"]
        assert len(store.credits_about(["samova", "tea"], 10)) == 10


def test_credit_of_another_store_is_found_by_its_words(make: MakeStore) -> None:
    with make("one.db") as one, make("two.db") as two:
        one.record_credits([earned("a", ("samovar", "repair"))])
        two.import_(one.export())
        assert about(two, "samovar") == ["a"]


def test_words_of_forgotten_and_reset_credit_find_nothing_until_it_comes_back(make: MakeStore) -> None:
    with make() as store:
        store.record_credits([earned("a", ("samovar",)), earned("b", ("teapot",))])
        store.forget("a")
        assert (about(store, "samovar"), about(store, "teapot")) == ([], ["b"])
        store.reset()
        assert about(store, "teapot") == []
        store.undo_reset()
        assert (about(store, "samovar"), about(store, "teapot")) == ([], ["b"])


def test_credit_of_some_notes_is_read_alone(make: MakeStore) -> None:
    with make() as store:
        store.record_credits([earned("a"), earned("a", ("samovar",)), earned("b"), earned("c")])
        assert sorted((one.note_id, one.words[0]) for one in store.credits_among(["a", "c", "z"])) == [
            ("a", "green"),
            ("a", "samovar"),
            ("c", "green"),
        ]
        assert store.credits_among([]) == ()


def test_what_questions_tell_is_kept_until_something_is_learned(make: MakeStore) -> None:
    with make() as store, make() as other:
        assert store.experience() is None
        store.record_credits([earned("a")])
        store.keep_experience(told := Experience(2.5, 0.125, 3.0, 1.0 / 3))
        assert store.experience() == other.experience() == told
        other.record_credits([earned("a")])
        assert store.experience() is None


def test_what_an_earlier_version_kept_of_questions_is_found_out_anew(make: MakeStore) -> None:
    with make() as store:
        store.record_credits([earned("a")])
        store.keep_experience(Experience(2.5, 0.125))
        store._keeper.write(lambda connection, _: keep_note(connection, "experience", "credit", "2.5 0.125"))
        assert store.experience() is None


def about(store: LearnedStore, *words: str) -> list[str]:
    """Notes that were of use for questions with one of these words."""
    return [one.note_id for one in store.credits_about([root_of(word) for word in words], 99)]


def test_kept_rows_are_read_anew_after_another_process_changed_them(make: MakeStore) -> None:
    with make() as reader, make() as writer:
        writer.record_credits([earned("a")])
        writer.record_shown({"a": 2})
        first = reader.credits()
        assert reader.credits() is first
        writer.record_shown({"a": 1, "b": 0})
        assert reader.credits() is first
        assert reader.shown() == {"a": Shown(3, NOON)}
        writer.record_credits([earned("b")])
        assert [one.note_id for one in reader.credits()] == ["a", "b"]


def test_events_that_came_while_another_process_looked_are_kept_until_somebody_looks_at_them(make: MakeStore) -> None:
    old = NOON - datetime.timedelta(days=2)
    seen, late = (Event(name, old, "opened", {"note": "a"}) for name in ("seen", "late"))
    one, other = make(), make()
    one.record_events([seen])
    looked_at = tuple(event.id for event in one.open_events())
    other.record_events([late])
    one.learn(Lesson(looked_at=looked_at), NOON)
    assert [event.session for event in other.open_events()] == ["late"]


def test_pairs_count_sessions_and_no_note_goes_with_itself(make: MakeStore) -> None:
    with make() as store:
        store.record_pairs([("b", "a"), ("a", "b"), ("a", "a"), ("b", "c")])
        store.record_pairs([("a", "b")], NOON + DAY)
        assert store.pairs() == (Pair("a", "b", 2, NOON + DAY), Pair("b", "c", 1, NOON))


def test_what_is_known_of_a_stage_adds_up(make: MakeStore) -> None:
    with make() as store:
        store.record_arm("graph", {"b": [1.0, -2.0], "reward": [0.5]})
        store.record_arm("graph", {"b": [0.5, 0.5]}, 3, NOON + DAY)
        assert store.arms() == {"graph": Arm(4, {"b": (1.5, -1.5), "reward": (0.5,)}, NOON + DAY)}
        with pytest.raises(ValueError, match="finite"):
            store.record_arm("graph", {"b": [float("nan"), 1.0]})
        assert store.arms()["graph"].samples == 4


def teach(store: LearnedStore, times: int) -> None:
    for number in range(times):
        store.record_credits([earned("a"), earned(f"n{number}", ("x",), 0.4, "again")])
        store.record_shown({"a": 2})
        store.record_pairs([("a", f"n{number}")])
        store.record_arm("graph", {"b": [1.0]})
        store.learn(Lesson(sources=("citation",)), NOON)


def test_two_machines_merge_what_they_learned_without_loss_or_double_count(make: MakeStore) -> None:
    with make("one.db") as one, make("two.db") as two:
        teach(one, 3)
        teach(two, 2)
        for _ in range(2):
            two.import_(one.export())
            one.import_(two.export())
        teach(one, 1)
        two.import_(one.export())
        one.import_(two.export())
        assert one.export() == two.export()
        credit = {row.note_id: row for row in two.credits()}
        assert (credit["a"].reward, credit["a"].uses) == (6.0, 6)
        assert two.shown()["a"].times == 12
        assert [pair.sessions for pair in two.pairs()] == [3, 2, 1]
        assert (two.arms()["graph"].samples, two.arms()["graph"].sums["b"]) == (6, (6.0,))
        assert two.evidence() == {"citation": SourceCount(0, 0, NOON)}


def test_forgetting_takes_credit_exposure_and_pairs_away(make: MakeStore) -> None:
    with make() as store:
        store.record_credits([earned("the-secret-one"), earned("b")])
        store.record_shown({"the-secret-one": 2})
        store.record_pairs([("the-secret-one", "z"), ("a", "the-secret-one"), ("a", "b")])
        text = store.export()
        assert store.forget("the-secret-one").remaining == ()
        store.import_(text)
        assert [one.note_id for one in store.credits()] == ["b"]
        assert (store.shown(), [pair.note_b for pair in store.pairs()]) == ({}, ["b"])


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("credit", "sources", '{"citation":-1}'),
        ("credit", "sources", "[]"),
        ("credit", "reward", -0.5),
        ("credit", "reward", float("inf")),
        ("credit", "reward", 10**400),
        ("credit", "uses", 1.5),
        ("stage_arm", "state", '{"b":[null]}'),
        ("stage_arm", "state", '{"b":[1e999]}'),
        ("stage_arm", "state", "[" * 100_000),
    ],
)
def test_a_bad_row_is_refused_with_its_line(make: MakeStore, table: str, column: str, value: object) -> None:
    row = {"_t": table, "note_id": "a", "topic": "t", "origin": "o", "reward": 1.0, "uses": 1, "sources": "{}"}
    row |= {"first": "2026-01-01T00:00:00.000000Z", "last": "2026-01-01T00:00:00.000000Z", "words": "", "count": 1}
    row |= {"stage": "graph", "state": "{}", "updated": "2026-01-01T00:00:00.000000Z", column: value}
    text = '{"_format":"ori-learned","version":1}\n' + json.dumps(row)
    with make() as store, pytest.raises(UserError, match=f"Line 2.*'{column}'"):
        store.import_(text)


# PostgreSQL keeps no zero bytes; no word of a question has one.
SIGNS = some.characters(exclude_characters="\0", exclude_categories=["Cs"])
WORDS = some.lists(some.text(SIGNS, min_size=1, max_size=6).filter(str.strip), max_size=4).map(tuple)


@settings(max_examples=25, deadline=None)
@given(some.lists(some.tuples(some.sampled_from("abc"), WORDS, some.floats(0.01, 1)), min_size=1, max_size=8))
def test_whatever_was_asked_about_comes_back_through_an_export(
    tmp_path_factory: pytest.TempPathFactory, told: list[tuple[str, tuple[str, ...], float]]
) -> None:
    folder = tmp_path_factory.mktemp("learned")
    with LearnedStore(folder / "one.db") as one, LearnedStore(folder / "two.db") as two:
        one.record_credits([earned(*row) for row in told])
        two.import_(one.export())
        assert two.credits() == one.credits()
        assert sum(row.reward for row in two.credits()) == pytest.approx(sum(row[2] for row in told))
        assert {row.note_id for row in two.credits()} == {row[0] for row in told}
