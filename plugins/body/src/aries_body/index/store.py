"""The cache on the disk: facts by content and the state of the last index, one SQLite file a project.

It may be deleted at any time, used by several processes at once, and left by one that was killed: what is missing or
damaged is made again. Nothing in it is the only copy of anything.
"""

from __future__ import annotations

import contextlib
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

from attrs import define, field

from aries_body.index.facts import Damaged, Parts, pack_value, unpack_value
from aries_body.index.reading import Summary

__all__ = ["Store", "place_of"]

_FORMAT = 3
_LARGEST = 512 << 20
_DAY = 86_400
_KEPT_DAYS = 30
_OTHER = "the file holds something else"
_TABLES = (
    """CREATE TABLE facts (key BLOB PRIMARY KEY, summary BLOB, definitions BLOB, links BLOB, uses BLOB,
    day INTEGER NOT NULL)""",
    """CREATE TABLE bound (id INTEGER PRIMARY KEY AUTOINCREMENT, rest BLOB, answers BLOB,
    day INTEGER NOT NULL)""",
    "CREATE TABLE profiles (key BLOB PRIMARY KEY, profile BLOB)",
    "CREATE TABLE state (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID",
)


def place_of(folder: Path, root: Path) -> Path:
    """The cache file of the project at `root`. Another Python or another format has its own."""
    name = blake2b(str(root).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
    return folder / "graph" / f"{name}-{_FORMAT}-{sys.version_info[0]}{sys.version_info[1]}.db"


@define
class Store:
    """The open cache. Without a folder that can be written it lives in memory for as long as this process does."""

    place: Path | None
    note: str = ""
    """Why nothing is kept, where that is so."""
    _connection: sqlite3.Connection = field(init=False, repr=False)
    _day: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._day = int(time.time()) // _DAY
        if self.place is not None:
            try:
                self.place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._connection = self._opened(self.place)
                return
            except (OSError, sqlite3.Error) as error:
                self.note = f"the cache {self.place} cannot be used ({error}); nothing is kept"
                self.place = None
        self._connection = _tables(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False))

    def _opened(self, place: Path) -> sqlite3.Connection:
        try:
            return _tables(_connect(place))
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
        _remove(place)
        return _tables(_connect(place))

    def close(self) -> None:
        """Let go of the file, after removing what nobody used for a month where it grew large."""
        with contextlib.suppress(sqlite3.Error, OSError):
            self._shrink()
        self._connection.close()

    def summaries(self, keys: Sequence[bytes]) -> dict[bytes, Summary]:
        """Of those facts that are kept."""
        found: dict[bytes, Summary] = {}
        with self._mending():
            for chunk in _chunks(keys):
                marks = ",".join("?" * len(chunk))
                rows = self._connection.execute(f"SELECT key, summary FROM facts WHERE key IN ({marks})", chunk)
                for key, value in rows:
                    with contextlib.suppress(Damaged, ValueError, TypeError):
                        found[key] = Summary(*unpack_value(value))
        return found

    def parts(self, key: bytes) -> Parts | None:
        """Facts by their key; None where they are not kept."""
        with self._mending():
            row = self._connection.execute(
                "SELECT definitions, links, uses FROM facts WHERE key = ?", (key,)
            ).fetchone()
            return None if row is None else Parts(*row)
        return None

    def definitions(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The part of facts with the definitions, of many files at once."""
        found: dict[bytes, bytes] = {}
        with self._mending():
            for chunk in _chunks(keys):
                marks = ",".join("?" * len(chunk))
                found |= dict(
                    self._connection.execute(f"SELECT key, definitions FROM facts WHERE key IN ({marks})", chunk)
                )
        return found

    def profiles(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What judgement knows of files, by the keys of their facts."""
        found: dict[bytes, bytes] = {}
        with self._mending():
            for chunk in _chunks(keys):
                marks = ",".join("?" * len(chunk))
                found |= dict(
                    self._connection.execute(f"SELECT key, profile FROM profiles WHERE key IN ({marks})", chunk)
                )
        return found

    def keep_profiles(self, profiles: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep what judgement knows of files."""
        with self._mending(), self._writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO profiles VALUES (?, ?)", profiles)

    def has_facts(self) -> bool:
        """Whether any are kept: without, looking each one up is of no use."""
        with self._mending():
            return self._connection.execute("SELECT 1 FROM facts LIMIT 1").fetchone() is not None
        return False

    def keep(self, readings: Iterable[tuple[bytes, Summary, Parts]]) -> None:
        """Keep facts by their keys."""
        rows = [(key, pack_value(tuple(summary)), *parts, self._day) for key, summary, parts in readings]
        with self._mending(), self._writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?, ?, ?)", rows)

    def touch(self, keys: Iterable[bytes]) -> None:
        """These facts are in use today."""
        with self._mending(), self._writing() as connection:
            connection.executemany(
                "UPDATE facts SET day = ? WHERE key = ? AND day < ?", [(self._day, key, self._day) for key in keys]
            )

    def keep_bound(self, rows: Iterable[tuple[bytes, bytes]]) -> list[int]:
        """Keep what was bound: what it rests on, and what references mean. Gives an id for each, never used again."""
        ids: list[int] = []
        with self._mending(), self._writing() as connection:
            for rest, answers in rows:
                cursor = connection.execute(
                    "INSERT INTO bound (rest, answers, day) VALUES (?, ?, ?)", (rest, answers, self._day)
                )
                ids.append(int(cursor.lastrowid or 0))
        return ids

    def bound_rest(self, identifier: int) -> bytes | None:
        """What bound uses rest on; None where it is gone."""
        with self._mending():
            row = self._connection.execute("SELECT rest FROM bound WHERE id = ?", (identifier,)).fetchone()
            return None if row is None else bytes(row[0])
        return None

    def bound_answers(self, identifier: int) -> bytes | None:
        """What bound references mean; None where that is gone."""
        with self._mending():
            row = self._connection.execute("SELECT answers FROM bound WHERE id = ?", (identifier,)).fetchone()
            return None if row is None else bytes(row[0])
        return None

    def state(self, name: str) -> object:
        """What was kept under a name; None where nothing was, or it is damaged."""
        with self._mending():
            row = self._connection.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
            try:
                return None if row is None else unpack_value(row[0])
            except (Damaged, ValueError, EOFError, TypeError):
                return None
        return None

    def keep_state(self, values: Mapping[str, object], bound: Iterable[int]) -> None:
        """Replace what is kept by names, all or nothing. `bound`: the ids that are in use by it."""
        used = set(bound)
        with self._mending(), self._writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO state VALUES (?, ?)", [(name, pack_value(one)) for name, one in values.items()]
            )
            # Another process may still use those of yesterday's state.
            old = connection.execute("SELECT id FROM bound WHERE day < ?", (self._day - 1,)).fetchall()
            connection.executemany("DELETE FROM bound WHERE id = ?", [row for row in old if row[0] not in used])

    def keep_value(self, name: str, value: object) -> None:
        """Keep one more value under a name, beside what `keep_state` kept."""
        with self._mending(), self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, pack_value(value)))

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextlib.contextmanager
    def _mending(self) -> Iterator[None]:
        """A cache that turns out to be damaged, full or locked is left behind: from then on it lives in memory."""
        try:
            yield
        except sqlite3.Error as error:
            self.note = f"the cache failed ({error}); nothing is kept until the next start"
            damaged = self.place if _is_damage(error) else None
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = _tables(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False))
            self.place = None
            if damaged is not None:
                _remove(damaged)

    def _shrink(self) -> None:
        if self.place is None or self.place.stat().st_size < _LARGEST:
            return
        with self._writing() as connection:
            connection.execute("DELETE FROM facts WHERE day < ?", (self._day - _KEPT_DAYS,))
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            free = connection.execute("PRAGMA freelist_count").fetchone()[0]
            size = (pages - free) * connection.execute("PRAGMA page_size").fetchone()[0]
            if size > _LARGEST:
                # Still too large with a month's facts: only those of today stay.
                connection.execute("DELETE FROM facts WHERE day < ?", (self._day,))
            connection.execute("DELETE FROM profiles WHERE key NOT IN (SELECT key FROM facts)")
        self._connection.execute("VACUUM")


def _connect(place: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(place, timeout=10.0, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    # A power cut may cost the cache, which is then made again; every commit waiting for the disk would cost each edit.
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def _tables(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Raises: sqlite3.DatabaseError for a file that holds something else."""
    # All at once: another process may be doing the same.
    connection.execute("BEGIN IMMEDIATE")
    is_new = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if not is_new and version != _FORMAT:
        connection.close()
        raise sqlite3.DatabaseError(_OTHER)
    if is_new:
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {_FORMAT}")
    connection.execute("COMMIT")
    return connection


def _is_damage(error: sqlite3.Error) -> bool:
    name = getattr(error, "sqlite_errorname", "") or ""
    return name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or str(error) == _OTHER


def _remove(place: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(OSError):
            place.with_name(place.name + ending).unlink(missing_ok=True)


def _chunks(values: Sequence[bytes] | Sequence[int]) -> Iterator[list[bytes | int]]:
    for start in range(0, len(values), 500):
        yield list(values[start : start + 500])
