"""Digests of what is known of files: they find every difference and claim none."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator

import pytest

from ori_memory.index.listing import differences, is_listed, relist
from ori_memory.scanning.walk import Row


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("CREATE TABLE note(path TEXT PRIMARY KEY, mtime_ns INTEGER, size INTEGER, inode INTEGER)")
    connection.execute("CREATE TABLE listing(first TEXT PRIMARY KEY, digest BLOB NOT NULL) WITHOUT ROWID")
    yield connection
    connection.close()


def stored(connection: sqlite3.Connection) -> set[Row]:
    return set(connection.execute("SELECT path, mtime_ns, size, inode FROM note"))


def changed(connection: sqlite3.Connection, rows: set[Row]) -> tuple[set[Row], set[Row]]:
    seen, known = differences(connection, sorted(rows))
    return seen - known, known - seen


def test_without_a_listing_all_rows_are_compared(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO note VALUES('a.md', 1, 2, 3)")
    assert not is_listed(connection)
    assert changed(connection, {("b.md", 1, 2, 3)}) == ({("b.md", 1, 2, 3)}, {("a.md", 1, 2, 3)})


def test_nothing_is_fetched_where_nothing_changed(connection: sqlite3.Connection) -> None:
    connection.executemany("INSERT INTO note VALUES(?, 1, 2, 3)", [(f"{number}.md",) for number in range(50)])
    relist(connection, ["0.md"], most=8)
    assert differences(connection, sorted(stored(connection))) == (set(), set())


@pytest.mark.parametrize("seed", range(20))
def test_after_any_changes_exactly_the_differences_are_found(connection: sqlite3.Connection, seed: int) -> None:
    chance = random.Random(seed)
    folders = ("", "a/", "\u00e9/", "部/", "\U0001f600")
    paths = [f"{chance.choice(folders)}{number}.md" for number in range(60)]
    for _ in range(40):
        touched = chance.sample(paths, chance.randint(1, 9))
        for path in touched:
            connection.execute("DELETE FROM note WHERE path = ?", (path,))
            if chance.random() < 0.6:
                row = (path, chance.randint(0, 1 << 62), chance.randint(0, 9), chance.randint(0, 1 << 62))
                connection.execute("INSERT INTO note VALUES(?, ?, ?, ?)", row)
        relist(connection, touched, most=chance.choice((2, 5, 8)))
        known = stored(connection)
        assert differences(connection, sorted(known)) == (set(), set())
        seen = {row for row in known if chance.random() < 0.95} | {(chance.choice(paths), 1, 1, 1)}
        assert changed(connection, seen) == (seen - known, known - seen)
