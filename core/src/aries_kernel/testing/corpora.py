"""A vault in memory for tests of signals and stages: the whole `Corpus`, made from a few notes given as values.

corpus = FakeCorpus((
    FakeNote("Rye bread", "Water, rye and [[Sourdough]].", links=("Sourdough",), created=date(2024, 5, 3)),
    FakeNote("Sourdough", "Feed it daily.", boost=0.2),
))
corpus.rank_words(["rye"], limit=10) == {corpus.number("Rye bread"): ...}
"""

from __future__ import annotations

import datetime
import math
import re
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from aries_kernel.contracts.corpus import Credit, Earlier, Experience, Figures, NoteView, Place, Tie, Vectors

__all__ = ["FakeCorpus", "FakeNote"]

_FIRST = 101
"""Numbers of notes mean nothing, so they do not begin where an index into a list does."""
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"\b[A-Z]\w+(?: [A-Z]\w+)*")
_SPEAKER = re.compile(r"(\w[\w ]{0,30}): ")
_TITLE_WEIGHT = 2
_WINDOW = 2
"""Neighbours on either side."""


@frozen
class FakeNote:
    """A note as a test gives it; what is not given is not known of it."""

    title: str
    body: str = ""
    path: str = ""
    """Made from the title where it is empty."""
    aliases: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    """Titles of the notes it links to; they must be there."""
    suggested: tuple[str, ...] = ()
    """The same for links that were only suggested, at a weight of 0.3."""
    type: str = ""
    status: str = ""
    projects: tuple[str, ...] = ()
    created: datetime.date | None = None
    modified: datetime.date | None = None
    is_pinned: bool = False
    thread: str = ""
    """Notes of one thread follow each other as they are given."""
    boost: float = 0.0
    useful_for: tuple[str, ...] = ()
    """Questions asked before for which it proved useful, today, once each time that one is named."""
    shown: int = 0
    used_with: Mapping[str, float] = field(factory=dict)
    """Titles of notes that were used in the same sessions, and how much that ties them; it leads both ways."""
    vectors: tuple[tuple[float, ...], ...] = ()
    """One a passage; they are made to have length 1."""
    importance: float | None = None
    vitality: float | None = None
    community: int | None = None

    @property
    def text(self) -> str:
        """Title and body."""
        return f"{self.title}\n{self.body}"

    @property
    def speaker(self) -> str:
        """Who speaks, in small letters, where the body begins with a name and a colon."""
        found = _SPEAKER.match(self.body) if self.thread else None
        return found[1].lower() if found else ""

    def view(self) -> NoteView:
        """Its properties as a corpus gives them."""
        slug = re.sub(r"[^\w]+", "-", self.title.lower()).strip("-")
        return NoteView(
            id=f"id-{slug}",
            path=self.path or f"notes/{slug}.md",
            title=self.title,
            aliases=self.aliases,
            type=self.type,
            status=self.status,
            projects=self.projects,
            created=self.created,
            modified=self.modified,
            is_pinned=self.is_pinned,
            words=len(_WORD.findall(self.body)),
        )


@define
class FakeCorpus:
    """A vault in memory. Every answer is new, so that changing one changes nothing here."""

    notes: Sequence[FakeNote] = ()
    today: datetime.date = datetime.date(2024, 6, 1)
    embedded: Mapping[str, Sequence[float]] = field(factory=dict)
    """Vectors of questions; another text has a vector of zeros."""
    experienced: Experience = Experience()
    """What `experience` gives."""
    vectors_missing: str = "no note has a vector"
    """Why, where no note was given one."""
    _numbers: dict[str, int] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self._numbers |= {note.title: number for number, note in enumerate(self.notes, _FIRST)}
        assert len(self._numbers) == len(self.notes), "titles of a FakeCorpus must differ"

    def number(self, title: str) -> int:
        """The number of the note with this title."""
        return self._numbers[title]

    def titles(self, notes: Iterable[int]) -> list[str]:
        """Titles of numbers, in their order."""
        return [self._note(number).title for number in notes]

    def with_notes(self, **changes: Any) -> FakeCorpus:
        """The same vault, these properties being the same for every note."""
        return evolve(self, notes=tuple(evolve(note, **changes) for note in self.notes))

    @property
    def note_count(self) -> int:
        return len(self.notes)

    def describe(self, notes: Collection[int]) -> Mapping[int, NoteView]:
        return {number: note.view() for number, note in self._chosen(notes)}

    def texts(self, notes: Collection[int]) -> Mapping[int, str]:
        return {number: note.body for number, note in self._chosen(notes)}

    def lengths(self, notes: Collection[int]) -> Mapping[int, int]:
        return {number: view.words for number, view in self.describe(notes).items()}

    def rank_words(self, words: Sequence[str], limit: int) -> Mapping[int, float]:
        return _bm25({number: _field_words(note) for number, note in self._all()}, words, limit)

    def rank_windows(self, words: Sequence[str], limit: int) -> Mapping[int, float]:
        windows = {}
        for thread in self._threads.values():
            counts = [_field_words(self._note(number)) for number in thread]
            for position, number in enumerate(thread):
                around = counts[max(0, position - _WINDOW) : position + _WINDOW + 1]
                windows[number] = sum(around, counts[position])
        return _bm25(windows, words, limit)

    def rank_pieces(self, words: Sequence[str], limit: int) -> Mapping[int, float]:
        pieces = [piece for word in words for piece in _pieces(word)]
        documents = {number: Counter(_pieces(note.text)) for number, note in self._all()}
        return _bm25(documents, pieces, limit)

    def rarity(self, words: Sequence[str]) -> Mapping[str, float]:
        held = {word: sum(word in _field_words(note) for _, note in self._all()) for word in words}
        return {word: math.log(1 + self.note_count / count) for word, count in held.items() if count}

    def holding(self, words: Sequence[str], at_most: int) -> Mapping[str, Collection[int]]:
        held = {word: [number for number, note in self._all() if word in _field_words(note)] for word in words}
        return {word: notes for word, notes in held.items() if 0 < len(notes) <= at_most}

    def dated(self, first: datetime.date, last: datetime.date, at_most: int) -> Collection[int]:
        found = [number for number, note in self._all() if note.created and first <= note.created <= last]
        return found if len(found) <= at_most else []

    def hold_phrase(self, phrase: str, limit: int) -> Collection[int]:
        wanted = re.compile(rf"(?<!\w){re.escape(phrase.casefold())}(?!\w)")
        held = [number for number, note in self._all() if wanted.search(note.text.casefold())]
        return held[:limit] if phrase.strip() else []

    def places(self, notes: Collection[int]) -> Mapping[int, Place]:
        placed = {}
        for thread, members in self._threads.items():
            for position, number in enumerate(members):
                if number in notes:
                    placed[number] = Place(thread, position, self._note(number).speaker)
        return placed

    def members(self, threads: Collection[int]) -> Mapping[int, Sequence[int]]:
        return {thread: tuple(members) for thread, members in self._threads.items() if thread in threads}

    def speakers(self) -> Collection[str]:
        return {note.speaker for note in self.notes} - {""}

    def ties(self, notes: Collection[int], *, with_context: bool = True) -> Mapping[int, Sequence[Tie]]:
        found = {number: tuple(ties) for number, ties in self._ties.items() if number in notes}
        if with_context:
            return found
        return {number: tuple(tie._replace(context="") for tie in ties) for number, ties in found.items()}

    def few_ties(self, notes: Collection[int], at_most: int) -> Mapping[int, Sequence[Tie]]:
        found = self.ties(notes, with_context=False)
        return {number: ties for number, ties in found.items() if len({tie.note for tie in ties}) <= at_most}

    def companions(self, notes: Collection[int]) -> Mapping[int, Mapping[int, float]]:
        found: dict[int, dict[int, float]] = {}
        for number, note in self._all():
            for title, weight in note.used_with.items():
                found.setdefault(number, {})[self.number(title)] = weight
                found.setdefault(self.number(title), {})[number] = weight
        return {number: others for number, others in found.items() if number in notes}

    def entities(self, notes: Collection[int]) -> Mapping[int, Sequence[int]]:
        held = {number: self.entities_in(note.text) for number, note in self._chosen(notes)}
        return {number: names for number, names in held.items() if names}

    def entities_in(self, text: str) -> Sequence[int]:
        return sorted({self._names[name] for name in _NAME.findall(text) if name in self._names})

    def holders(self, entities: Collection[int]) -> Mapping[int, Sequence[int]]:
        held = self.entities([number for number, _ in self._all()])
        return {name: [number for number, names in held.items() if name in names] for name in sorted(set(entities))}

    def vectors(self) -> Vectors | str:
        rows = [(number, row) for number, note in self._all() for row in note.vectors]
        if not rows:
            return self.vectors_missing
        data = array("f", [part for _, row in rows for part in _unit(row)])
        owners = tuple(number for number, _ in rows)
        return Vectors(memoryview(data), len(rows[0][1]), owners, covered=len(set(owners)), stale=0)

    def embed(self, text: str) -> bytes:
        given = self.vectors()
        dimensions = 1 if isinstance(given, str) else given.dimensions
        return array("f", _unit(self.embedded.get(text, (0.0,) * dimensions))).tobytes()

    def boosts(self) -> Mapping[int, float]:
        return {number: note.boost for number, note in self._all() if note.boost}

    def earlier(self, words: Sequence[str]) -> Sequence[Earlier]:
        useful: dict[str, Counter[int]] = {}
        for number, note in self._all():
            for question in note.useful_for:
                useful.setdefault(question, Counter())[number] += 1
        return [
            Earlier(
                tuple(dict.fromkeys(_WORD.findall(question.lower()))),
                tuple(Credit(number, float(count), count, self.today) for number, count in notes.items()),
            )
            for question, notes in sorted(useful.items())
            if set(_WORD.findall(question.lower())) & set(words)
        ]

    def uses(self, notes: Collection[int]) -> Mapping[int, Sequence[Credit]]:
        return {
            number: [Credit(number, float(times), times, self.today) for _, times in sorted(Counter(useful).items())]
            for number, note in self._chosen(notes)
            if (useful := note.useful_for)
        }

    def experience(self) -> Experience:
        return self.experienced

    def exposures(self, notes: Collection[int]) -> Mapping[int, int]:
        return {number: note.shown for number, note in self._chosen(notes) if note.shown}

    def figures(self) -> Figures:
        return Figures(
            importance={number: note.importance for number, note in self._all() if note.importance is not None},
            vitality={number: note.vitality for number, note in self._all() if note.vitality is not None},
            community={number: note.community for number, note in self._all() if note.community is not None},
        )

    def _note(self, number: int) -> FakeNote:
        return self.notes[number - _FIRST]

    def _all(self) -> Iterator[tuple[int, FakeNote]]:
        return iter(enumerate(self.notes, _FIRST))

    def _chosen(self, notes: Collection[int]) -> Iterator[tuple[int, FakeNote]]:
        return ((number, note) for number, note in self._all() if number in notes)

    @property
    def _threads(self) -> Mapping[int, Sequence[int]]:
        names: dict[str, list[int]] = {}
        for number, note in self._all():
            if note.thread:
                names.setdefault(note.thread, []).append(number)
        return dict(enumerate(names.values(), 1))

    @property
    def _ties(self) -> Mapping[int, Sequence[Tie]]:
        ties: dict[int, list[Tie]] = {}
        for number, note in self._all():
            for kind, weight, titles in (("written", 1.0, note.links), ("suggested", 0.3, note.suggested)):
                for title in titles:
                    other = self.number(title)
                    ties.setdefault(number, []).append(Tie(other, kind, weight, title))
                    ties.setdefault(other, []).append(Tie(number, kind, weight, title))
        return ties

    @property
    def _names(self) -> Mapping[str, int]:
        """Names in at least two notes."""
        held = Counter(name for note in self.notes for name in set(_NAME.findall(note.text)))
        return {name: number for number, name in enumerate(sorted(name for name in held if held[name] > 1), 1)}


def _field_words(note: FakeNote) -> Counter[str]:
    return Counter(_WORD.findall(f"{f'{note.title} ' * _TITLE_WEIGHT}{note.body}".lower()))


def _pieces(text: str) -> list[str]:
    plain = "".join(_WORD.findall(text.lower()))
    return [plain[start : start + 3] for start in range(len(plain) - 2)]


def _unit(row: Sequence[float]) -> list[float]:
    length = math.hypot(*row) or 1.0
    return [part / length for part in row]


def _count(counts: Counter[str], word: str) -> int:
    """How often a word is there, or with a `*` all that begin so."""
    if not word.endswith("*"):
        return counts[word]
    return sum(count for other, count in counts.items() if other.startswith(word[:-1]))


def _bm25(documents: Mapping[int, Counter[str]], words: Sequence[str], limit: int) -> dict[int, float]:
    """The best `limit` of the documents that hold any of the words, with k1 1.2 and b 0.75."""
    lengths = {number: counts.total() for number, counts in documents.items()}
    mean = sum(lengths.values()) / (len(lengths) or 1) or 1.0
    scores: dict[int, float] = {}
    for word in sorted({word.lower() for word in words}):
        holding = {number: count for number, counts in documents.items() if (count := _count(counts, word))}
        weight = math.log((len(documents) - len(holding) + 0.5) / (len(holding) + 0.5) + 1)
        for number, count in holding.items():
            share = count * 2.2 / (count + 1.2 * (0.25 + 0.75 * lengths[number] / mean))
            scores[number] = scores.get(number, 0.0) + weight * share
    return dict(sorted(scores.items(), key=lambda item: -item[1])[:limit])
