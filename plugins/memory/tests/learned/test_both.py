"""What a learned store promises, kept in a file or by a server."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable

import pytest

from aries_kernel.errors import UserError
from ori_memory.learned.crediting import Credit
from ori_memory.learned.events import Event
from ori_memory.learned.store import Access, LearnedStore

MakeStore = Callable[..., LearnedStore]
NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)


def test_uses_are_counted_with_their_first_and_last_moment(make: MakeStore) -> None:
    with make() as store:
        store.record_access(["a", "b", "a"])
        store.record_access(["a"], NOON + DAY)
        assert store.accesses() == {"a": Access(3, NOON, NOON + DAY), "b": Access(1, NOON, NOON)}


def test_a_reader_sees_what_a_writer_that_is_still_open_has_written(make: MakeStore) -> None:
    with make() as writer:
        writer.record_access(["a"])
        assert make().accesses()["a"].count == 1


def test_boosts_merge_and_decay(make: MakeStore) -> None:
    with make() as store:
        store.add_boosts({"a": 0.9, "b": 0.02, "c": 0.0}, "s1")
        assert store.boosts() == {"a": pytest.approx(0.05), "b": pytest.approx(0.02)}
        later = NOON + 7 * DAY
        rate = 0.1 / (1 + 0.2 * math.log(2) + 0.3 * math.log(2))
        left = 0.05 * math.exp(-7 * rate)
        assert store.boosts(later)["a"] == pytest.approx(left)
        store.add_boosts({"a": 0.03}, "s2", later)
        assert store.boosts(later)["a"] == pytest.approx(1 - (1 - left) * 0.97)
        assert store.boosts(NOON + 4000 * DAY) == {}


@pytest.mark.parametrize(
    "names", [("s1", "s2", "s3"), ('a", "b', "c"), ('x", ',), ('",', '", "', '\\", "'), ("é", "長い"), (",", " ", "[]")]
)
def test_warmth_lasts_by_the_number_of_sessions_whatever_they_are_called(
    make: MakeStore, names: tuple[str, ...]
) -> None:
    with make() as store:
        for name in names:
            store.add_boosts({"a": 0.05}, name)
        rate = 0.1 / (1 + 0.2 * math.log1p(len(names)) + 0.3 * math.log1p(len(names)))
        left = store.boosts(NOON + 7 * DAY)["a"] / store.boosts(NOON)["a"]
        assert left == pytest.approx(math.exp(-7 * rate))


def test_warmth_that_somebody_else_adds_or_forgets_is_seen_at_once(make: MakeStore) -> None:
    with make() as reader, make() as writer:
        assert reader.boosts() == {}
        writer.add_boosts({"a": 0.05, "b": 0.05}, "s1")
        assert reader.boosts() == {"a": pytest.approx(0.05), "b": pytest.approx(0.05)}
        writer.add_boosts({"b": 0.05}, "s2")
        assert reader.boosts()["b"] == pytest.approx(0.0975)
        writer.forget("a")
        assert reader.boosts().keys() == {"b"}
        assert reader.boosts(NOON + 4000 * DAY) == {} and reader.boosts().keys() == {"b"}


def test_new_connections_keep_the_latest_moment(make: MakeStore) -> None:
    with make() as store:
        store.record_connections(["a", "b"], NOON)
        store.record_connections(["a"], NOON + DAY)
        store.record_connections(["a"], NOON - DAY)
        assert store.connections() == {"a": NOON + DAY, "b": NOON}


def test_ids_without_a_note_are_listed_and_kept(make: MakeStore) -> None:
    with make() as store:
        store.record_access(["a", "b"])
        store.record_connections(["c"])
        assert store.orphans(["a"]) == ("b", "c")
        assert store.accesses()["b"].count == 1


def test_exports_of_equal_stores_are_equal_and_end_in_an_equal_store(make: MakeStore) -> None:
    with make("one.db") as one, make("two.db") as two:
        one.record_access(["b", "a", "ü\n\u2028"])
        one.add_boosts({"a": 0.04}, "s")
        one.record_connections(["x"])
        text = one.export()
        report = two.import_(text)
        assert two.export() == text == one.export()
        assert {name: n for name, n in report.changed.items() if n} == {"access": 3, "boost": 1, "connection": 1}
        assert two.accesses() == one.accesses()


def test_importing_again_changes_nothing(make: MakeStore) -> None:
    with make() as store:
        store.record_access(["a"])
        store.add_boosts({"a": 0.04}, "s")
        text = store.export()
        assert set(store.import_(text).changed.values()) == {0}
        assert store.export() == text


def test_two_machines_merge_without_loss_or_double_count(make: MakeStore) -> None:
    with make("one.db") as one, make("two.db") as two:
        one.record_access(["a"] * 3)
        two.record_access(["a"] * 2)
        for _ in range(2):
            two.import_(one.export())
            one.import_(two.export())
        one.record_access(["a"])
        two.record_access(["a"] * 4)
        two.import_(one.export())
        one.import_(two.export())
        assert one.accesses()["a"].count == two.accesses()["a"].count == 10
        assert one.export() == two.export()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("{", "Line 1"),
        ("[1]", "Line 1"),
        ('{"_format":"other","version":1}', "_format"),
        ('{"_format":"ori-learned"}', "version"),
        ('{"_format":"ori-learned","version":2}', "Update ori"),
        ('{"_format":"ori-learned","version":1}\n{"note_id":"a"}', "Line 2"),
        ('{"_format":"ori-learned","version":1}\n{"_t":"access","note_id":"a"}', "'origin'"),
        ("HEAD" + '{"_t":"access","note_id":"a","origin":"o","count":-1,"first":"F","last":"F"}', "'count'"),
        ("HEAD" + '{"_t":"access","note_id":"a","origin":"o","count":true,"first":"F","last":"F"}', "'count'"),
        ("HEAD" + '{"_t":"access","note_id":"a","origin":"o","count":1,"first":"yesterday","last":"F"}', "'first'"),
        ("HEAD" + '{"_t":"access","note_id":"\\ud800","origin":"o","count":1,"first":"F","last":"F"}', "'note_id'"),
        (
            "HEAD" + '{"_t":"boost","note_id":"a","origin":"o","boost":NaN,"updated":"F","accesses":1,"sessions":"[]"}',
            "'boost'",
        ),
        (
            "HEAD" + '{"_t":"boost","note_id":"a","origin":"o","boost":0.1,"updated":"F","accesses":1,"sessions":"{}"}',
            "'sessions'",
        ),
    ],
)
def test_a_bad_export_is_refused_whole(make: MakeStore, text: str, said: str) -> None:
    good = '{"_t":"connection","note_id":"a","last":"2026-01-01T00:00:00.000000Z"}\n'
    text = text.replace("HEAD", '{"_format":"ori-learned","version":1}\n' + good)
    with make() as store, pytest.raises(UserError, match=said):
        store.import_(text.replace('"F"', '"2026-01-01T00:00:00.000000Z"'))
    assert make().connections() == {}


def test_rows_of_unknown_tables_are_counted_and_skipped(make: MakeStore) -> None:
    with make() as store:
        report = store.import_('{"_format":"ori-learned","version":1}\n{"_t":"q"}\n{"_t":"q"}\n')
    assert report.skipped == {"q": 2}


def test_an_old_export_does_not_bring_a_forgotten_note_back_but_new_use_counts(make: MakeStore) -> None:
    with make("one.db") as one, make("two.db") as two:
        one.record_access(["a"] * 3, NOON - DAY)
        old = one.export()
        two.import_(old)
        one.forget("a")
        one.import_(old)
        assert one.accesses() == {}
        two.import_(one.export())
        assert two.accesses() == {}
        one.record_access(["a"], NOON + DAY)
        two.import_(one.export())
        assert two.accesses()["a"].count == 1


def test_what_was_learned_of_one_note_is_reset_everywhere_and_taken_back_with_what_came_since(make: MakeStore) -> None:
    one, other = make("one.db"), make("other.db")
    later = NOON + datetime.timedelta(hours=1)
    credit = Credit("a", ("tea",), 1.0, "citation")
    one.record_credits([credit, credit, Credit("b", ("tea",), 1.0, "citation")])
    one.record_pairs([("a", "b"), ("b", "c")])
    one.record_events([Event("s", NOON, "opened", {"note": "b"})])
    before = one.export()
    other.import_(before)
    with pytest.raises(UserError, match="Nothing was learned of this note"):
        one.reset("unknown")
    done = one.reset("a")
    assert ([row.note_id for row in one.credits()], [pair[:2] for pair in one.pairs()]) == (["b"], [("b", "c")])
    assert done.kept.is_file() and done.rows == 2
    assert [event.session for event in one.open_events()] == ["s"]
    one.import_(before)
    other.import_(one.export())
    assert [row.note_id for row in one.credits()] == [row.note_id for row in other.credits()] == ["b"]
    make("one.db", later).record_credits([credit])
    assert one.credits_of("a")[0].uses == 1
    one.undo_reset("a")
    assert {row.note_id: row.uses for row in one.credits()} == {"a": 3, "b": 1}
    other.import_(one.export())
    other.import_(before)
    assert other.credits() == one.credits() and other.pairs() == one.pairs()
    with pytest.raises(UserError, match="nothing to take back"):
        one.undo_reset("a")
    with pytest.raises(UserError, match="nothing to take back"):
        one.undo_reset()


def test_a_reset_by_a_machine_whose_clock_is_ahead_takes_nothing_away_that_is_learned_later(make: MakeStore) -> None:
    ahead, other = make("ahead.db", NOON + 400 * DAY), make("other.db", NOON + DAY)
    credit = Credit("a", ("tea",), 1.0, "citation")
    for reset in (lambda: ahead.reset(), lambda: ahead.reset("a")):
        ahead.record_credits([credit])
        reset()
        other.import_(ahead.export())
        assert other.credits() == ()
        make("other.db", NOON + 2 * DAY).record_credits([credit])
        later = make("other.db", NOON + 3 * DAY)
        later.import_(ahead.export())
        assert [row.note_id for row in later.credits()] == ["a"]
        later.reset("a")
