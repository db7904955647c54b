"""What a brief tells of the vault: how many notes, which are warm. From the index as it is, in a few milliseconds."""

from __future__ import annotations

import datetime
import json
import sqlite3
from pathlib import Path

from attrs import frozen

from aries_kernel.errors import AriesError
from ori_memory.index.peeking import ChangedMeanwhile, peeking
from ori_memory.index.schema import APPLICATION_ID, VERSION

__all__ = ["Glance", "WarmNote", "glance_at"]

_FORGOTTEN = ("archived", "superseded", "released")


@frozen
class WarmNote:
    """A note that use has warmed."""

    path: str
    title: str
    boost: float


@frozen
class Glance:
    """The vault at the last sync of its index."""

    notes: int
    inbox: int
    dangling: int
    """Distinct targets that no note answers to."""
    orphans: int
    unreadable: int
    warm: tuple[WarmNote, ...]
    """The warmest first; none that was archived, superseded or released."""
    synced: datetime.datetime
    problem: str = ""
    """Why nothing is known of warmth, in one clause."""


def glance_at(index: Path, learned: Path, now: datetime.datetime, most: int) -> Glance | str:
    """A glance, or why there is none, in one clause. Never raises for what the files are like."""
    for _ in range(3):
        try:
            synced = datetime.datetime.fromtimestamp(index.stat().st_mtime, datetime.UTC)
            boosts, problem = _boosts(learned, now)
            with peeking(index) as connection:
                return _glance(connection, boosts, most, synced, problem)
        except FileNotFoundError:
            return "there is no index yet"
        except ChangedMeanwhile:
            continue
        except (sqlite3.Error, OSError) as error:
            return f"the index cannot be read ({error})"
    return "the index is being written to"


def _boosts(learned: Path, now: datetime.datetime) -> tuple[dict[str, float], str]:
    if not learned.exists():
        return {}, ""
    from ori_memory.learned.database import Damaged
    from ori_memory.learned.store import LearnedStore

    try:
        with LearnedStore(learned) as store:
            return store.boosts(now), " ".join(store.warnings).rstrip(".")
    except (Damaged, sqlite3.Error, AriesError, OSError) as error:
        return {}, f"the learned store cannot be read ({error})"


def _glance(
    connection: sqlite3.Connection, boosts: dict[str, float], most: int, synced: datetime.datetime, problem: str
) -> Glance | str:
    kind = connection.execute("PRAGMA main.application_id").fetchone()[0]
    version = connection.execute("PRAGMA main.user_version").fetchone()[0]
    if (kind, version) != (APPLICATION_ID, VERSION):
        return "the index is of another version"
    notes, inbox, dangling, orphans, unreadable = connection.execute(
        """SELECT (SELECT count(*) FROM main.note), (SELECT count(*) FROM main.note WHERE space = 'inbox'),
        (SELECT count(DISTINCT target) FROM main.link WHERE dst IS NULL AND NOT is_attachment),
        (SELECT count(*) FROM main.note n WHERE n.space = 'notes' AND NOT EXISTS
            (SELECT 1 FROM main.link l WHERE l.dst = n.num AND l.src <> n.num)),
        (SELECT count(*) FROM main.quarantine)"""
    ).fetchone()
    return Glance(notes, inbox, dangling, orphans, unreadable, _warm(connection, boosts, most), synced, problem)


def _warm(connection: sqlite3.Connection, boosts: dict[str, float], most: int) -> tuple[WarmNote, ...]:
    ids = json.dumps(sorted(boosts))
    rows = connection.execute(
        "SELECT id, path, title, status FROM main.note WHERE id IN (SELECT value FROM json_each(?))", (ids,)
    )
    notes = [WarmNote(path, title, boosts[id]) for id, path, title, status in rows if status not in _FORGOTTEN]
    return tuple(sorted(notes, key=lambda note: (-note.boost, note.path))[:most])
