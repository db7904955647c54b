"""Vectors as a question needs them: mapped, with the index's number of each row's note; nothing is written."""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Collection, Mapping
from pathlib import Path

from attrs import frozen

from aries_kernel.contracts.corpus import Vectors
from ori_memory.index.peeking import ChangedMeanwhile, peeking
from ori_memory.vectors.rows import RowFile, RowsLost
from ori_memory.vectors.schema import APPLICATION_ID, CUTTING, NAME, VERSION

__all__ = ["Stretch", "load", "state_of", "stretches"]

_OWNED = (
    f"SELECT count(*), total(n.hash = o.hash AND n.title = o.title AND o.cutting = {CUTTING}), "
    "json_group_array(o.key), json_group_array(n.num) "
    "FROM main.owner o CROSS JOIN notes.note n ON "
)


@frozen
class Stretch:
    """Where in its note's body a passage stands."""

    start: int
    end: int


def load(index: sqlite3.Connection, folder: Path, fingerprint: str) -> Vectors | str:
    """The vectors of this model for the notes of `index`, or why there are none, in one clause.

    `folder`: the vault's state folder. Never raises for what the files are like.
    """
    place = next(row[2] for row in index.execute("PRAGMA database_list") if row[1] == "main")
    reason = "they are being rewritten"
    for _ in range(5):
        try:
            with peeking(folder / NAME, Path(place), name="notes") as connection:
                return _load(connection, folder, fingerprint)
        except ChangedMeanwhile:
            continue
        except RowsLost as error:
            reason = str(error)  # Unless the file has just been replaced by a smaller one.
        except (sqlite3.Error, OSError, ValueError) as error:
            if not (folder / NAME).exists():
                return "no note is embedded yet"
            reason = f"{NAME} cannot be read ({error})"
    return reason


def state_of(index: sqlite3.Connection, folder: Path) -> tuple[int, ...]:
    """Numbers that differ once anybody has changed the index or the store: `load` would give something else."""
    seen = [int(index.execute("PRAGMA data_version").fetchone()[0]), index.total_changes]
    for name in (NAME, f"{NAME}-wal"):
        try:
            status = (folder / name).stat()
            seen += [status.st_ino, status.st_mtime_ns, status.st_size]
        except OSError:
            seen += [0, 0, 0]
    return tuple(seen)


def stretches(folder: Path, rows: Collection[int]) -> Mapping[int, Stretch]:
    """Where the passages of rows stand; empty where that cannot be read."""
    try:
        with peeking(folder / NAME) as connection:
            query = "SELECT row, start, end FROM passage WHERE row IN (SELECT value FROM json_each(?))"
            found = connection.execute(query, (json.dumps(list(rows)),))
            return {row: Stretch(start, end) for row, start, end in found}
    except (sqlite3.Error, OSError, ChangedMeanwhile):
        return {}


def _load(connection: sqlite3.Connection, folder: Path, fingerprint: str) -> Vectors | str:
    connection.execute("BEGIN")
    kind = connection.execute("PRAGMA main.application_id").fetchone()[0]
    version = connection.execute("PRAGMA main.user_version").fetchone()[0]
    if (kind, version) != (APPLICATION_ID, VERSION):
        return "vectors.db is of another version; it is made anew in the background"
    meta = dict(connection.execute("SELECT key, value FROM main.meta"))
    if meta.get("fingerprint") != fingerprint:
        return "the notes are embedded with another model"
    end = int(meta["end"])
    covered, found, numbers = _owned(connection)
    owners = _owners(connection, end, numbers)
    file = RowFile(folder / meta["file"], int(meta["dimensions"]))
    rows = min(end, file.whole_rows())
    if not numbers or not rows:
        return "no note is embedded yet"
    return Vectors(file.map(rows), file.dimensions, owners[:rows], covered, found - covered)


def _owned(connection: sqlite3.Connection) -> tuple[int, int, Mapping[int, int]]:
    """Notes covered, notes found, and their numbers by our keys. JSON, since a row each would take twice the time."""
    known = connection.execute("SELECT count(*) FROM main.owner").fetchone()[0]
    for condition in ("n.num = o.num AND n.id = o.id", "n.id = o.id"):
        found, covered, keys, nums = connection.execute(_OWNED + condition).fetchone()
        if found == known:
            break
    return int(covered), int(found), dict(zip(json.loads(keys), json.loads(nums), strict=True))


def _owners(connection: sqlite3.Connection, end: int, numbers: Mapping[int, int]) -> array[int]:
    query = "SELECT json_group_array(row), json_group_array(owner) FROM main.passage WHERE row < ?"
    rows, keys = map(json.loads, connection.execute(query, (end,)).fetchone())
    found = [numbers.get(key, -1) for key in keys]
    if len(rows) == end and rows == list(range(end)):
        return array("q", found)
    owners = array("q", [-1]) * end
    for row, number in zip(rows, found, strict=True):
        owners[row] = number
    return owners
