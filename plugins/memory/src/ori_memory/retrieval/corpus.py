"""The index as signals see it: one question asked of one state of it."""

from __future__ import annotations

import datetime
import json
import math
import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import evolve, field

from aries_kernel.contracts import Credit, Earlier, Experience, Figures, NoteView, Place, Tie, Vectors
from aries_kernel.values import define
from ori_memory.index.asking import any_of, inside_any, phrase
from ori_memory.index.entities import entity_keys
from ori_memory.index.records import fetch_records
from ori_memory.index.stored import StoredText, unpack
from ori_memory.index.words import is_unsegmented
from ori_memory.retrieval.dated import newest_day, notes_of_days
from ori_memory.retrieval.kept import Kept
from ori_memory.retrieval.ordering import in_steady_order

if TYPE_CHECKING:
    from ori_memory.learned.crediting import Credited
    from ori_memory.model import NoteRecord
    from ori_memory.retrieval.earlier import AskedBefore
    from ori_memory.retrieval.together import Together

__all__ = ["IndexCorpus", "Sources"]

T = TypeVar("T")

_WEIGHTS = (2.0, 2.0, 1.5, 1.5, 1.0, 0.5)
"""Of `schema.FTS_COLUMNS`. A word in a title counts twice; more would let titles outvote what notes say."""
_PIECES_SHARE = 0.3
"""A word has about a third as many letters as three-letter pieces to match."""
_MOST_HOLDERS = 30
"""A name that more notes hold connects nothing."""
_RANKED = "SELECT rowid, -bm25({call}) AS score FROM {table} WHERE {table} MATCH ?1{{}} ORDER BY score DESC LIMIT ?2"
_WITHIN = " AND rowid IN (SELECT value FROM json_each(?3))"
_WORDS = _RANKED.format(table="words", call="words, " + ", ".join(map(str, _WEIGHTS)))
_WINDOWS = _RANKED.format(table="windows", call="windows")
_PIECES = _RANKED.format(table="pieces", call="pieces")
_HOLDERS = (
    "SELECT json_group_array(json((SELECT json_group_array(note) FROM "
    f"(SELECT note FROM entity WHERE key = k.value LIMIT {_MOST_HOLDERS + 1})))) FROM json_each(?) k"
)
"""One text for all: a row for every name and note would take most of the time."""
_HOLDING = "SELECT json_group_array(rowid) FROM words WHERE words MATCH ?"
_WORD_SIGN = re.compile(r"\w")
_MOST_MATCHES = 10_000
"""Notes that are looked at for the words of a question: beyond, the commonest words cost most and say least."""


@define(frozen=True)
class Sources:
    """What the corpus takes from outside the index, each asked for when it is first needed."""

    vectors: Callable[[sqlite3.Connection], Vectors | str]
    embed: Callable[[str], bytes]
    boosts: Callable[[], Mapping[str, float]]
    """By note id."""
    figures: Callable[[], Mapping[str, tuple[float, float, int]]]
    """Importance, vitality and community by note id."""
    asked_before: Callable[[Sequence[str]], AskedBefore | None] = lambda words: None
    """Earlier questions, at least those that share one of the words; None where nothing was learned yet."""
    uses: Callable[[Collection[str]], Mapping[str, Sequence[Credited]]] = lambda ids: {}
    """What these notes earned, by id; without those that earned nothing."""
    experience: Callable[[], Experience] = Experience
    """What all earlier questions tell."""
    together: Callable[[], Together | None] = lambda: None
    """Which notes were used together; None as before."""
    exposures: Callable[[], Mapping[str, int]] = dict
    """How often each note was shown, by its id; those that never were are left out."""


@define
class IndexCorpus:
    """Implements `aries_kernel.contracts.Corpus`. Not to be kept beyond one question."""

    connection: sqlite3.Connection
    today: datetime.date
    sources: Sources
    within: frozenset[int] | None = None
    """Notes that are asked for alone; None: all. Links may still lead through the others."""
    kept: Kept = field(factory=Kept)
    """Of this state of the index."""
    most_matches: int = _MOST_MATCHES
    note_count: int = field(init=False)
    _vectors: Vectors | str | None = field(default=None, init=False)
    _embedded: dict[str, bytes] = field(factory=dict, init=False)
    _texts: dict[int, StoredText] = field(factory=dict, init=False)
    _boosts: dict[int, float] | None = field(default=None, init=False)
    _figures: Figures | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        if self.kept.note_count is None:
            self.kept.note_count = int(self.connection.execute("SELECT count(*) FROM note").fetchone()[0])
        self.note_count = self.kept.note_count

    def describe(self, notes: Collection[int]) -> Mapping[int, NoteView]:
        """See the contract; the same holds for all that follows."""
        known = self.kept.views
        for num, one in self.records([num for num in notes if num not in known]).items():
            known[num] = NoteView(
                id=one.id,
                path=one.path,
                title=one.title,
                aliases=one.aliases,
                type=one.type,
                status=one.status,
                projects=one.projects,
                created=one.created,
                modified=one.modified.date() if one.modified else None,
                is_pinned=one.is_pinned,
                words=one.words,
            )
        found = [(num, known[num]) for num in dict.fromkeys(notes) if num in known]
        return dict(sorted(found, key=lambda one: one[1].path))

    def records(self, notes: Collection[int]) -> dict[int, NoteRecord]:
        """What the index knows of these notes, in no order."""
        known = self.kept.records
        if missing := [num for num in notes if num not in known]:
            known.update(fetch_records(self.connection, missing))
        return {num: known[num] for num in notes if num in known}

    def texts(self, notes: Collection[int]) -> Mapping[int, str]:
        return {num: text.body for num, text in self._stored(notes).items()}

    def whole_texts(self, notes: Collection[int]) -> Mapping[int, str]:
        """All that can be asked for: names and properties too."""
        return {num: text.whole() for num, text in self._stored(notes).items()}

    def _stored(self, notes: Collection[int]) -> dict[int, StoredText]:
        missing = [num for num in notes if num not in self._texts]
        if missing:
            rows = self._rows("SELECT note, text FROM stored WHERE note IN ({})", missing)
            self._texts.update((num, unpack(data)) for num, data in rows)
        return {num: self._texts[num] for num in notes if num in self._texts}

    def lists(self, notes: Collection[int]) -> Collection[int]:
        """Those that list others."""
        return {num for (num,) in self._rows("SELECT num FROM note WHERE is_list AND num IN ({})", notes)}

    def lengths(self, notes: Collection[int]) -> Mapping[int, int]:
        return dict(self._rows("SELECT num, words FROM note WHERE num IN ({})", notes))

    def rank_words(self, words: Sequence[str], limit: int) -> Mapping[int, float]:
        asked = any_of(self._telling(words))
        return dict(self._ranked(_WORDS, asked, limit))

    def rank_windows(self, words: Sequence[str], limit: int) -> Mapping[int, float]:
        asked = any_of(self._telling(words)) if self._has_threads() else None
        return dict(self._ranked(_WINDOWS, asked, limit))

    def rank_pieces(self, words: Sequence[str], limit: int) -> Mapping[int, float]:
        asked = inside_any(words)
        return {num: _PIECES_SHARE * score for num, score in self._ranked(_PIECES, asked, limit)}

    def rarity(self, words: Sequence[str]) -> Mapping[str, float]:
        held = {word: count for word in words if (count := self.count(word))}
        return {word: math.log(1 + (self.note_count - count + 0.5) / (count + 0.5)) for word, count in held.items()}

    def holding(self, words: Sequence[str], at_most: int) -> Mapping[str, Collection[int]]:
        few = {word: any_of([word]) for word in words if 0 < self.count(word) <= at_most}
        return {
            word: json.loads(self.connection.execute(_HOLDING, (asked,)).fetchone()[0]) for word, asked in few.items()
        }

    def newest_day(self) -> datetime.date | None:
        """The last day up to today that a note says it is of."""
        return newest_day(self.connection, self.today)

    def dated(self, first: datetime.date, last: datetime.date, at_most: int) -> Collection[int]:
        return notes_of_days(self.connection, first, last, at_most, self.within)

    def hold_phrase(self, phrase_: str, limit: int) -> Collection[int]:
        asked = phrase(phrase_)
        if asked is None:
            return []
        # The index knows stems; the text itself says whether it is exactly this.
        rows = self.connection.execute("SELECT rowid FROM words WHERE words MATCH ? LIMIT ?", (asked, 20 * limit))
        found = [row[0] for row in rows]
        wanted = _as_written(phrase_)
        texts = self.whole_texts(found)
        held = [num for num in found if wanted.search(_flat(texts.get(num, "")))]
        return held[:limit]

    def places(self, notes: Collection[int]) -> Mapping[int, Place]:
        if not self._has_threads():
            return {}
        rows = self._rows("SELECT note, thread, position, speaker FROM seat WHERE note IN ({})", notes)
        return {num: Place(*rest) for num, *rest in rows}

    def members(self, threads: Collection[int]) -> Mapping[int, Sequence[int]]:
        found: dict[int, list[int]] = {}
        rows = self._rows("SELECT thread, note FROM seat WHERE thread IN ({}) ORDER BY thread, position", threads)
        for thread, num in rows:
            found.setdefault(thread, []).append(num)
        return found

    def speakers(self) -> Collection[str]:
        rows = self.connection.execute(
            "SELECT speaker FROM seat WHERE speaker != '' GROUP BY speaker HAVING count(*) > 1"
        )
        return frozenset(row[0] for row in rows)

    def ties(self, notes: Collection[int], *, with_context: bool = True) -> Mapping[int, Sequence[Tie]]:
        if with_context:
            return self.kept.ties.with_context(self.connection, notes, self.texts)
        return self.kept.ties.of(self.connection, notes)

    def few_ties(self, notes: Collection[int], at_most: int) -> Mapping[int, Sequence[Tie]]:
        return self.kept.ties.of(self.connection, notes, at_most)

    def companions(self, notes: Collection[int]) -> Mapping[int, Mapping[int, float]]:
        from ori_memory.retrieval.coupling import coupled

        found = coupled(self.connection, notes)
        together = self.sources.together()
        if together is not None and together.pairs:
            rows = self._rows("SELECT num, id FROM note WHERE num IN ({})", notes)
            used = {num: others for num, id in rows if (others := together.of(id))}
            numbers = self._numbers({other for others in used.values() for other in others}, inside=False)
            for num, others in used.items():
                known = found.setdefault(num, {})
                known |= {numbers[other]: weight for other, weight in others.items() if other in numbers}
        return found

    def entities(self, notes: Collection[int]) -> Mapping[int, Sequence[int]]:
        found: dict[int, list[int]] = {}
        for num, key in self._rows("SELECT note, key FROM entity WHERE note IN ({}) ORDER BY note, key", notes):
            found.setdefault(num, []).append(key)
        return found

    def entities_in(self, text: str) -> Sequence[int]:
        return entity_keys(text)

    def holders(self, entities: Collection[int]) -> Mapping[int, Sequence[int]]:
        known = self.kept.holders
        missing = [key for key in entities if key not in known]
        if missing:
            (found,) = self.connection.execute(_HOLDERS, (json.dumps(missing),)).fetchone()
            known.update(zip(missing, json.loads(found), strict=True))
        return {key: nums for key in entities if 2 <= len(nums := known[key]) <= _MOST_HOLDERS}

    def vectors(self) -> Vectors | str:
        if self._vectors is None:
            found = self.sources.vectors(self.connection)
            if self.within is not None and isinstance(found, Vectors):
                found = evolve(found, owners=[num if num in self.within else -1 for num in found.owners])
            self._vectors = found
        return self._vectors

    def embed(self, text: str) -> bytes:
        if text not in self._embedded:
            self._embedded[text] = self.sources.embed(text)
        return self._embedded[text]

    def similarity(self, text: str, note: int) -> float | None:
        """Of a question that was embedded and a note; None where either has no vector."""
        if text not in self._embedded or not isinstance(self._vectors, Vectors):
            return None
        from ori_memory.retrieval.similarity import closest

        return closest(self._vectors, self._embedded[text], note)

    def boosts(self) -> Mapping[int, float]:
        if self._boosts is None:
            boosts = self.sources.boosts()
            # Many notes are warm, and the store gives the same for a minute.
            if self.kept.warm is None or self.kept.warm[0] is not boosts:
                self.kept.warm = boosts, self._by_number(boosts)
            self._boosts = self.kept.warm[1]
        return self._boosts

    def earlier(self, words: Sequence[str]) -> Sequence[Earlier]:
        known = self.sources.asked_before(words)
        before = known.sharing(words) if known is not None else ()
        if not before:
            return ()
        numbers = self._numbers({credit.note_id for one in before for credit in one.credits})
        found = []
        for one in before:
            credits = tuple(
                Credit(number, credit.reward, credit.uses, credit.last.date())
                for credit in one.credits
                if (number := numbers.get(credit.note_id)) is not None
            )
            if credits:
                found.append(Earlier(one.words, credits))
        return found

    def uses(self, notes: Collection[int]) -> Mapping[int, Sequence[Credit]]:
        numbers = {id: num for num, id in self._rows("SELECT num, id FROM note WHERE num IN ({})", notes)}
        return {
            numbers[id]: [Credit(numbers[id], one.reward, one.uses, one.last.date()) for one in credits]
            for id, credits in self.sources.uses(list(numbers)).items()
        }

    def experience(self) -> Experience:
        return self.sources.experience()

    def exposures(self, notes: Collection[int]) -> Mapping[int, int]:
        shown = self.sources.exposures()
        if not shown:
            return {}
        rows = self._rows("SELECT num, id FROM note WHERE num IN ({})", notes)
        return {num: shown[id] for num, id in rows if id in shown}

    def figures(self) -> Figures:
        if self._figures is None:
            known = self._by_number(self.sources.figures())
            columns = [{num: row[place] for num, row in known.items()} for place in range(3)]
            communities = {num: int(value) for num, value in columns[2].items()}
            self._figures = Figures(importance=columns[0], vitality=columns[1], community=communities)
        return self._figures

    def _by_number(self, by_id: Mapping[str, T]) -> dict[int, T]:
        return {num: by_id[id] for id, num in self._numbers(by_id.keys(), inside=False).items()}

    def _numbers(self, ids: Collection[str], *, inside: bool = True) -> dict[str, int]:
        """Of the notes that are there; `inside`: and are asked for."""
        rows = self._rows("SELECT id, num FROM note WHERE id IN ({})", ids)
        within = self.within if inside else None
        return {id: num for id, num in rows if within is None or num in within}

    def _telling(self, words: Sequence[str]) -> Sequence[str]:
        """The rarest of the words, as many as the notes that hold them allow; at least one."""
        if self.note_count <= self.most_matches:
            return words
        kept: set[str] = set()
        total = 0
        for word in sorted(words, key=self.count):
            total += self.count(word)
            if total > self.most_matches and any(map(self.count, kept)):
                break
            kept.add(word)
        return [word for word in words if word in kept]

    def count(self, word: str) -> int:
        """Notes that hold a word."""
        known = self.kept.counts
        if word not in known:
            asked = any_of([word])
            query = "SELECT count(*) FROM words WHERE words MATCH ?"
            known[word] = int(self.connection.execute(query, (asked,)).fetchone()[0]) if asked else 0
        return known[word]

    def _ranked(self, query: str, asked: str | None, limit: int) -> list[tuple[int, float]]:
        if not asked:
            return []
        if self.within is None:
            rows = self.connection.execute(query.format(""), (asked, limit)).fetchall()
        else:
            chosen = json.dumps(sorted(self.within))
            rows = self.connection.execute(query.format(_WITHIN), (asked, limit, chosen)).fetchall()
        return list(in_steady_order(self.connection, rows, self.kept.paths))

    def _has_threads(self) -> bool:
        if self.kept.has_threads is None:
            self.kept.has_threads = self.connection.execute("SELECT 1 FROM seat LIMIT 1").fetchone() is not None
        return self.kept.has_threads

    def _rows(self, query: str, values: Iterable[object]) -> list[tuple[Any, ...]]:
        chosen = json.dumps(list(values), ensure_ascii=False)
        return self.connection.execute(query.format("SELECT value FROM json_each(?)"), (chosen,)).fetchall()


def _as_written(phrase_: str) -> re.Pattern[str]:
    """`knead` does not stand in `kneaded`; in a script without spaces words do not end anywhere."""
    text = _flat(phrase_)
    before = r"(?<!\w)" if _is_in_word(text[0]) else ""
    after = r"(?!\w)" if _is_in_word(text[-1]) else ""
    return re.compile(before + re.escape(text) + after)


def _is_in_word(sign: str) -> bool:
    return _WORD_SIGN.match(sign) is not None and not is_unsegmented(sign)


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())
