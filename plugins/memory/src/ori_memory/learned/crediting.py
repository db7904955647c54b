"""What use earned notes, and for which questions: the statements of credit, exposure, pairs and stages."""

from __future__ import annotations

import datetime
import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from aries_kernel.digests import blake2b
from aries_kernel.values import frozen
from ori_memory.learned.asked_words import keep_words, topics_about
from ori_memory.learned.schema import stamp

if TYPE_CHECKING:
    from ori_memory.learned.connecting import Connection

__all__ = [
    "Arm",
    "Credit",
    "Credited",
    "NoteCredit",
    "Pair",
    "Shown",
    "SourceCount",
    "add_credits",
    "add_pairs",
    "add_shown",
    "add_to_arm",
    "arms",
    "count_evidence",
    "credits_among",
    "credits_for",
    "credits_of",
    "evidence_counts",
    "latest_credits",
    "note_credits",
    "pairs",
    "put_credit",
    "shown",
    "topic_of",
]


@frozen
class Credit:
    """One note proved useful for one question."""

    note_id: str
    words: tuple[str, ...]
    """What the question is about, as `Question.words` has it. None: it was used without having been asked for."""
    reward: float
    """More than 0; what the kind of evidence is worth."""
    source: str
    """The kind of evidence, such as `citation`."""


class Credited(NamedTuple):
    """What one note earned by questions about one thing, on all machines."""

    note_id: str
    topic: str
    words: tuple[str, ...]
    reward: float
    uses: int
    first: datetime.datetime
    last: datetime.datetime


@frozen
class NoteCredit:
    """As `Credited`, with where it came from."""

    topic: str
    words: tuple[str, ...]
    reward: float
    uses: int
    sources: Mapping[str, int]
    first: datetime.datetime
    last: datetime.datetime


class Shown(NamedTuple):
    """How often answers brought a note, on all machines."""

    times: int
    last: datetime.datetime


class Pair(NamedTuple):
    """In how many sessions two notes were used together, on all machines; `note_a` is the smaller id."""

    note_a: str
    note_b: str
    sessions: int
    last: datetime.datetime


class Arm(NamedTuple):
    """What is known of a stage, on all machines together."""

    samples: int
    sums: Mapping[str, tuple[float, ...]]
    """Whatever is learned by adding up, such as the matrix and the vector of a bandit, by name."""
    updated: datetime.datetime


class SourceCount(NamedTuple):
    """What one kind of evidence has given, on all machines."""

    sessions: int
    """Sessions that it looked at."""
    credits: int
    last: datetime.datetime


def topic_of(words: Iterable[str]) -> str:
    """The key of all questions about these words, in whatever order."""
    text = " ".join(sorted(set(words)))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def add_credits(connection: Connection, origin: str, credits: Iterable[Credit], at: str) -> None:
    """Add to this origin's sums. Inside a write transaction, as all changes here."""
    sums: dict[tuple[str, str], list[Credit]] = {}
    for credit in credits:
        sums.setdefault((credit.note_id, topic_of(credit.words)), []).append(credit)
    moment = _read(at)
    for (note_id, topic), found in sums.items():
        sources = Counter(credit.source for credit in found)
        reward = sum(credit.reward for credit in found)
        given = NoteCredit(topic, found[0].words, reward, len(found), sources, moment, moment)
        put_credit(connection, note_id, origin, given)


def put_credit(connection: Connection, note_id: str, origin: str, given: NoteCredit) -> None:
    """Add all that another note earned with one topic."""
    row = {"note_id": note_id, "topic": given.topic, "origin": origin}
    known = connection.execute(
        "SELECT sources FROM credit WHERE note_id = :note_id AND topic = :topic AND origin = :origin", row
    ).fetchone()
    sources = Counter[str](json.loads(known[0]) if known else {}) + Counter[str](given.sources)
    connection.execute(
        """INSERT INTO credit (note_id, topic, origin, reward, uses, sources, first, last, words)
        VALUES (:note_id, :topic, :origin, :reward, :uses, :sources, :first, :last, :words)
        ON CONFLICT (note_id, topic, origin) DO UPDATE SET reward = credit.reward + excluded.reward,
            uses = credit.uses + excluded.uses, sources = excluded.sources,
            first = CASE WHEN excluded.first < credit.first THEN excluded.first ELSE credit.first END,
            last = CASE WHEN excluded.last > credit.last THEN excluded.last ELSE credit.last END""",
        {
            **row,
            "reward": given.reward,
            "uses": given.uses,
            "sources": _written(sources),
            "first": stamp(given.first),
            "last": stamp(given.last),
            "words": _joined(given.words),
        },
    )
    keep_words(connection, given.topic, _joined(given.words).split())


def credits_of(connection: Connection, beginnings: Sequence[str] = ()) -> tuple[Credited, ...]:
    """Credit by note and topic; where `beginnings` are given, of questions with a word that begins so."""
    asked = {f"b{number}": f"% {_literal(text)}%" for number, text in enumerate(beginnings)}
    return _credited(connection, " OR ".join(f"' ' || words LIKE :{name} ESCAPE '!'" for name in asked), asked)


def credits_among(connection: Connection, note_ids: Collection[str]) -> tuple[Credited, ...]:
    """Credit of these notes."""
    values = {f"n{number}": id for number, id in enumerate(note_ids)}
    return _credited(connection, f"note_id IN ({', '.join(f':{name}' for name in values)})", values) if values else ()


def credits_for(connection: Connection, roots: Sequence[str], most: int) -> tuple[Credited, ...]:
    """Credit of the questions that share one of these words, of so many at most."""
    topics = topics_about(connection, roots, most)
    values = {f"t{number}": topic for number, topic in enumerate(topics)}
    return _credited(connection, f"topic IN ({', '.join(f':{name}' for name in values)})", values) if values else ()


def latest_credits(connection: Connection, questions: int) -> tuple[Credited, ...]:
    """Credit of those questions that something was of use for last."""
    latest = """SELECT topic FROM credit WHERE words <> '' GROUP BY topic
        ORDER BY max(last) DESC, topic LIMIT :questions"""
    return _credited(connection, f"topic IN ({latest})", {"questions": questions})


def _credited(connection: Connection, where: str, values: Mapping[str, object]) -> tuple[Credited, ...]:
    # Grouping is done here, since it costs the database twice as long as all the rest.
    rows = connection.execute(
        f"""SELECT note_id, topic, words, reward, uses, first, last FROM credit
        {f"WHERE {where}" if where else ""} ORDER BY note_id, topic, origin""",
        values,
    ).fetchall()
    found: list[Credited] = []
    for note_id, topic, words, reward, uses, first, last in rows:
        one = Credited(
            note_id, topic, tuple(words.split(" ")) if words else (), reward, uses, _read(first), _read(last)
        )
        if found and found[-1][:2] == one[:2]:
            one = _together(found.pop(), one)
        found.append(one)
    return tuple(found)


def note_credits(connection: Connection, note_id: str) -> tuple[NoteCredit, ...]:
    """What one note earned, the most first."""
    found: dict[str, NoteCredit] = {}
    for topic, words, reward, uses, told, first, last in connection.execute(
        """SELECT topic, words, reward, uses, sources, first, last FROM credit
        WHERE note_id = :id ORDER BY topic, origin""",
        {"id": note_id},
    ).fetchall():
        old = found.get(topic)
        sources = Counter[str](json.loads(told)) + Counter[str](old.sources if old else {})
        since, until = _read(first), _read(last)
        if old is not None:
            reward, uses = reward + old.reward, uses + old.uses
            since, until = min(since, old.first), max(until, old.last)
        about = tuple(words.split(" ")) if words else ()
        found[topic] = NoteCredit(topic, about, reward, uses, dict(sorted(sources.items())), since, until)
    return tuple(sorted(found.values(), key=lambda one: (-one.reward, one.topic)))


def add_shown(connection: Connection, origin: str, counts: Mapping[str, int], at: str) -> None:
    """Count that answers brought these notes."""
    rows = [{"note_id": id, "origin": origin, "count": n, "at": at} for id, n in sorted(counts.items()) if n > 0]
    connection.executemany(
        """INSERT INTO shown (note_id, origin, count, last) VALUES (:note_id, :origin, :count, :at)
        ON CONFLICT (note_id, origin) DO UPDATE SET count = shown.count + excluded.count,
            last = CASE WHEN excluded.last > shown.last THEN excluded.last ELSE shown.last END""",
        rows,
    )


def shown(connection: Connection) -> dict[str, Shown]:
    """How often each note was shown."""
    rows = connection.execute("SELECT note_id, sum(count), max(last) FROM shown GROUP BY note_id").fetchall()
    return {note_id: Shown(int(count), _read(last)) for note_id, count, last in rows}


def add_pairs(connection: Connection, origin: str, found: Iterable[tuple[str, str]], at: str) -> None:
    """These were used together in one more session; the order of the two does not matter, a note with itself does
    not count."""
    kept = sorted({(min(pair), max(pair)) for pair in found if pair[0] != pair[1]})
    connection.executemany(
        """INSERT INTO pair (note_a, note_b, origin, count, last) VALUES (:a, :b, :origin, 1, :at)
        ON CONFLICT (note_a, note_b, origin) DO UPDATE SET count = pair.count + 1,
            last = CASE WHEN excluded.last > pair.last THEN excluded.last ELSE pair.last END""",
        [{"a": a, "b": b, "origin": origin, "at": at} for a, b in kept],
    )


def pairs(connection: Connection) -> tuple[Pair, ...]:
    """All pairs, by their ids."""
    rows = connection.execute(
        "SELECT note_a, note_b, sum(count), max(last) FROM pair GROUP BY note_a, note_b ORDER BY note_a, note_b"
    )
    return tuple(Pair(a, b, int(count), _read(last)) for a, b, count, last in rows.fetchall())


def add_to_arm(
    connection: Connection, origin: str, stage: str, sums: Mapping[str, Sequence[float]], count: int, at: str
) -> None:
    """Add to this origin's sums of a stage. Sums of another length take the place of the old ones."""
    row = {"stage": stage, "origin": origin}
    known = connection.execute("SELECT state FROM stage_arm WHERE stage = :stage AND origin = :origin", row).fetchone()
    old = _sums(known[0]) if known else {}
    state = {**old, **{name: _added(old.get(name, ()), sums[name]) for name in sums}}
    connection.execute(
        """INSERT INTO stage_arm (stage, origin, count, state, updated)
        VALUES (:stage, :origin, :count, :state, :at)
        ON CONFLICT (stage, origin) DO UPDATE SET count = stage_arm.count + excluded.count, state = excluded.state,
            updated = CASE WHEN excluded.updated > stage_arm.updated
                THEN excluded.updated ELSE stage_arm.updated END""",
        {**row, "count": count, "at": at, "state": json.dumps(state, separators=(",", ":"), sort_keys=True)},
    )


def arms(connection: Connection) -> dict[str, Arm]:
    """By stage; of sums whose lengths differ between machines the longer ones."""
    found: dict[str, Arm] = {}
    rows = connection.execute("SELECT stage, count, state, updated FROM stage_arm ORDER BY stage, origin")
    for stage, count, state, updated in rows.fetchall():
        sums, at = _sums(state), _read(updated)
        if stage in found:
            old = found[stage]
            names = sorted({*old.sums, *sums})
            sums = {name: _joint(old.sums.get(name, ()), sums.get(name, ())) for name in names}
            count, at = count + old.samples, max(at, old.updated)
        found[stage] = Arm(int(count), sums, at)
    return found


def count_evidence(connection: Connection, origin: str, given: Mapping[str, int], sessions: int, at: str) -> None:
    """These sources looked at so many more sessions, and gave so many credits each."""
    counts = {"origin": origin, "sessions": sessions, "at": at}
    connection.executemany(
        """INSERT INTO evidence (source, origin, sessions, credits, last)
        VALUES (:source, :origin, :sessions, :credits, :at)
        ON CONFLICT (source, origin) DO UPDATE SET sessions = evidence.sessions + excluded.sessions,
            credits = evidence.credits + excluded.credits,
            last = CASE WHEN excluded.last > evidence.last THEN excluded.last ELSE evidence.last END
        WHERE excluded.sessions > 0 OR excluded.credits > 0""",
        [{**counts, "source": name, "credits": credits} for name, credits in sorted(given.items())],
    )


def evidence_counts(connection: Connection) -> dict[str, SourceCount]:
    """By source."""
    rows = connection.execute("SELECT source, sum(sessions), sum(credits), max(last) FROM evidence GROUP BY source")
    return {source: SourceCount(int(seen), int(given), _read(last)) for source, seen, given, last in rows.fetchall()}


def _sums(text: str) -> dict[str, tuple[float, ...]]:
    return {name: tuple(map(float, values)) for name, values in json.loads(text).items()}


def _added(old: Sequence[float], new: Sequence[float]) -> tuple[float, ...]:
    """Raises: ValueError where a sum would be no number."""
    if not all(map(math.isfinite, new)):
        raise ValueError("sums of a stage must be finite numbers")
    return tuple(a + b for a, b in zip(old, new, strict=True)) if len(old) == len(new) else tuple(map(float, new))


def _joint(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
    return _added(one, other) if len(one) == len(other) else max(one, other, key=len)


def _joined(words: Iterable[str]) -> str:
    return " ".join(word for word in dict.fromkeys(words) if word and " " not in word)


def _together(one: Credited, other: Credited) -> Credited:
    first, last = min(one.first, other.first), max(one.last, other.last)
    return one._replace(reward=one.reward + other.reward, uses=one.uses + other.uses, first=first, last=last)


def _literal(text: str) -> str:
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")


def _written(counts: Mapping[str, int]) -> str:
    return json.dumps(dict(sorted(counts.items())), separators=(",", ":"), ensure_ascii=False)


def _read(text: str) -> datetime.datetime:
    # Ten thousand at once: `strptime` would take 80 ms.
    return datetime.datetime.fromisoformat(text)
