"""What happened in sessions that are not over: kept until what it teaches was counted, then deleted."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import field

from aries_kernel.values import frozen
from ori_memory.learned.crediting import (
    Credit,
    add_credits,
    add_pairs,
    add_shown,
    count_evidence,
    note_credits,
    put_credit,
)
from ori_memory.learned.events import Event
from ori_memory.learned.schema import moment, stamp

if TYPE_CHECKING:
    from ori_memory.learned.connecting import Connection

__all__ = [
    "MOST_EVENTS",
    "Earned",
    "Lesson",
    "add_events",
    "forget_events",
    "inherit",
    "learn",
    "open_events",
]

_KEPT = datetime.timedelta(days=60)
"""So long it is known what was counted."""
MOST_EVENTS = 5_000
"""So many are looked at together."""


@frozen
class Earned:
    """A credit, with what keeps it from being given twice."""

    key: str
    credit: Credit
    at: datetime.datetime


@frozen
class Lesson:
    """What a look at the journal teaches."""

    earned: tuple[Earned, ...] = ()
    pairs: Mapping[tuple[str, str], str] = field(factory=dict)
    """Notes that were used together, each with its key."""
    sources: tuple[str, ...] = ()
    """Kinds of evidence that looked."""
    looked_at: tuple[str, ...] = ()
    """Ids of the events; another process may have brought more meanwhile, which nobody has looked at."""


def add_events(connection: Connection, origin: str, events: Sequence[Event], now: datetime.datetime) -> None:
    """Write down what happened, each thing once, and count what answers showed. Inside a write transaction."""
    counts = Counter[str]()
    for event in events:
        data = json.dumps(event.data)
        # A client's hooks tell the same words again and again, until the talk is over.
        id = _digest(event.session, data) if event.kind == "said" else event.id
        if not _is_first(connection, id, now):
            continue
        is_question = event.kind == "asked"
        counts.update(event.data["notes"] if is_question else ())
        row: dict[str, str | int] = {"session": event.session, "origin": origin, "client": event.client}
        row |= {"id": id, "at": stamp(event.at), "questions": int(is_question), "kind": event.kind, "data": data}
        connection.execute(
            """INSERT INTO session (id, origin, client, questions, first, last)
            VALUES (:session, :origin, :client, :questions, :at, :at)
            ON CONFLICT (id, origin) DO UPDATE
            SET questions = session.questions + excluded.questions,
                first = CASE WHEN excluded.first < session.first THEN excluded.first ELSE session.first END,
                last = CASE WHEN excluded.last > session.last THEN excluded.last ELSE session.last END""",
            row,
        )
        connection.execute(
            """INSERT INTO session_event (id, session, origin, at, kind, data)
            VALUES (:id, :session, :origin, :at, :kind, :data)""",
            row,
        )
    add_shown(connection, origin, counts, stamp(now))


def open_events(connection: Connection, origin: str, *, is_latest: bool = False) -> list[Event]:
    """What was not counted for good, in the order in which it happened: the earliest `MOST_EVENTS`, or the latest.

    Sessions that came here with a copy of the store are dropped: they are counted where they were held.
    """
    values = {"origin": origin, "most": MOST_EVENTS}
    for table in ("session", "session_event"):
        connection.execute(f"DELETE FROM {table} WHERE origin <> :origin", values)
    way = "DESC" if is_latest else "ASC"
    rows = connection.execute(
        f"""SELECT session, at, kind, data, id FROM session_event WHERE origin = :origin
        ORDER BY at {way}, id {way} LIMIT :most""",
        values,
    ).fetchall()
    found = [Event(session, moment(at), kind, json.loads(data), id=id) for session, at, kind, data, id in rows]
    return found[::-1] if is_latest else found


def learn(
    connection: Connection, origin: str, lesson: Lesson, before: datetime.datetime, now: datetime.datetime
) -> tuple[Earned, ...]:
    """Count what was not counted yet, and end the sessions in which nothing happened since `before`.

    Gives what was counted. All of it happens or nothing: whoever is killed in between has counted nothing, and whoever
    looks at the same journal again counts nothing more.
    """
    fresh = tuple(
        one
        for one in lesson.earned
        if _is_first(connection, one.key, one.at) and _is_first(connection, one.key, one.at, "credited")
    )
    for one in fresh:
        add_credits(connection, origin, [one.credit], stamp(one.at))
    pairs = [pair for pair, key in lesson.pairs.items() if _is_first(connection, key, now)]
    add_pairs(connection, origin, pairs, stamp(now))
    ended = _end_sessions(connection, before, lesson.looked_at)
    given = Counter(one.credit.source for one in fresh)
    count_evidence(connection, origin, {name: given[name] for name in lesson.sources}, ended, stamp(now))
    for table in ("given", "credited"):
        connection.execute(f"DELETE FROM {table} WHERE at < :before", {"before": stamp(now - _KEPT)})
    return fresh


def inherit(connection: Connection, origin: str, old: str, new: str, now: datetime.datetime) -> None:
    """Pass on what a note earned, and its company, to one that took its place; once for these two."""
    if old == new or not _is_first(connection, _digest("inherit", old, new), now):
        return
    for one in note_credits(connection, old):
        put_credit(connection, new, origin, one)
    found = connection.execute(
        "SELECT note_a, note_b, count, last FROM pair WHERE note_a = :old OR note_b = :old", {"old": old}
    ).fetchall()
    for a, b, count, last in found:
        other = b if a == old else a
        for _ in range(int(count) if other != new else 0):
            add_pairs(connection, origin, [(new, other)], last)


def forget_events(connection: Connection, note_id: str) -> int:
    """Delete what happened with a note, and everything that was said: it may speak of it."""
    gone = [
        {"id": id}
        for id, kind, data in connection.execute("SELECT id, kind, data FROM session_event").fetchall()
        if kind == "said" or json.dumps(note_id) in data
    ]
    connection.executemany("DELETE FROM session_event WHERE id = :id", gone)
    return len(gone)


def _is_first(connection: Connection, key: str, at: datetime.datetime, table: str = "given") -> bool:
    """Here; in the table `credited` on all machines whose exports were merged."""
    added = connection.execute(
        f"INSERT INTO {table} (key, at) VALUES (:key, :at) ON CONFLICT (key) DO NOTHING", {"key": key, "at": stamp(at)}
    )
    return added.rowcount > 0


def _end_sessions(connection: Connection, before: datetime.datetime, looked_at: Iterable[str]) -> int:
    """How many with a question in them ended. What happened earlier has nothing to do with what will, and goes too."""
    values = {"before": stamp(before)}
    rows = [{**values, "id": id} for id in looked_at]
    connection.executemany("DELETE FROM session_event WHERE id = :id AND at < :before", rows)
    is_over = "last < :before AND id NOT IN (SELECT session FROM session_event)"
    ended = connection.execute(f"SELECT count(*) FROM session WHERE questions > 0 AND {is_over}", values)
    count = int(ended.fetchone()[0])
    connection.execute(f"DELETE FROM session WHERE {is_over}", values)
    return count


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
