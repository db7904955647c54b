"""What a learned store promises, kept in a file or by a server."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable

import pytest

from aries_kernel.errors import UserError
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
