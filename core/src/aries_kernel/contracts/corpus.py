"""What a signal or a stage of retrieval sees of a vault: questions about one state of its index."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from aries_kernel.values import frozen

__all__ = ["Corpus", "Credit", "Earlier", "Experience", "Figures", "NoteView", "Place", "Tie", "Vectors"]


@frozen
class NoteView:
    """A note's properties."""

    id: str
    path: str
    title: str
    aliases: tuple[str, ...] = ()
    type: str = ""
    status: str = ""
    projects: tuple[str, ...] = ()
    created: datetime.date | None = None
    """As the note says; None where it does not."""
    modified: datetime.date | None = None
    is_pinned: bool = False
    words: int = 0


class Tie(NamedTuple):
    """What holds two notes together, seen from one of them; ties lead both ways."""

    note: int
    """The other one."""
    kind: str
    """`written` or `suggested`."""
    weight: float
    """How sure it is, from 0 to 1: 1 for a written link, less for a name that several notes have."""
    context: str
    """The words around the link or the mention, empty where that is not known."""


class Place(NamedTuple):
    """Where a note stands in a thread: the notes of one session, in their order."""

    thread: int
    position: int
    speaker: str
    """Who speaks, in small letters, where the note begins with a name and a colon; empty otherwise."""


@frozen
class Vectors:
    """The vectors of the passages that notes were cut into."""

    rows: memoryview[float]
    """float32, `dimensions` a passage, each of length 1; a view of mapped memory."""
    dimensions: int
    owners: Sequence[int]
    """The note of each passage; -1 for one that belongs to none any more."""
    covered: int
    """Notes with vectors of their present text."""
    stale: int
    """Notes whose vectors belong to an older text of theirs; they count all the same."""


@frozen
class Figures:
    """What the graph and the use of the whole vault say of each note, by its number."""

    importance: Mapping[int, float]
    """PageRank, the greatest being 1."""
    vitality: Mapping[int, float]
    community: Mapping[int, int]


class Credit(NamedTuple):
    """That a note proved useful for one question: it was cited, edited, or asked for again."""

    note: int
    reward: float
    """What its uses were worth together; it only grows."""
    uses: int
    last: datetime.date


@frozen
class Earlier:
    """A question that was asked before, and what proved useful for it."""

    words: tuple[str, ...]
    """As `Question.words`."""
    credits: tuple[Credit, ...]


@frozen
class Experience:
    """What earlier questions tell of how far learning goes in this vault."""

    agreed: float = 0.0
    """Pairs of earlier questions, much alike, with a note that was of use for both; each counts as it is alike."""
    differed: float = 0.0
    """Such pairs without one."""
    named: float = 0.0
    """Notes that were of use for questions that name them."""
    unnamed: float = 0.0
    """Notes that were of use for questions that name others."""


class Corpus(Protocol):
    """A vault during one question. Notes are numbers, which mean nothing afterwards."""

    @property
    def today(self) -> datetime.date:
        """The day the question is asked, or the one that was asked for."""
        ...

    @property
    def note_count(self) -> int: ...

    def describe(self, notes: Collection[int]) -> Mapping[int, NoteView]:
        """Their properties; a number that is no note's is left out."""
        ...

    def texts(self, notes: Collection[int]) -> Mapping[int, str]:
        """Their bodies as they are searched."""
        ...

    def lengths(self, notes: Collection[int]) -> Mapping[int, int]:
        """How many words each has."""
        ...

    def rank_words(self, words: Sequence[str], limit: int) -> Mapping[int, float]:
        """BM25 of the notes that hold any of the words, with weights for the fields; the best `limit`.

        `word*` stands for all words that begin so.
        """
        ...

    def rank_windows(self, words: Sequence[str], limit: int) -> Mapping[int, float]:
        """The same over each note of a thread together with its neighbours; empty where there are no threads."""
        ...

    def rank_pieces(self, words: Sequence[str], limit: int) -> Mapping[int, float]:
        """Notes by the three-letter pieces of the words that they hold, on the scale of BM25."""
        ...

    def rarity(self, words: Sequence[str]) -> Mapping[str, float]:
        """How much each word says (its idf, above 0); one that no note holds is left out."""
        ...

    def holding(self, words: Sequence[str], at_most: int) -> Mapping[str, Collection[int]]:
        """The notes that hold each word; a word that none holds, or more than `at_most`, is left out."""
        ...

    def dated(self, first: datetime.date, last: datetime.date, at_most: int) -> Collection[int]:
        """Notes that say they are of these days, both ends included; none where there are more than `at_most`."""
        ...

    def hold_phrase(self, phrase: str, limit: int) -> Collection[int]:
        """Notes that hold these words one after the other, exactly as written but for case; at most `limit`."""
        ...

    def places(self, notes: Collection[int]) -> Mapping[int, Place]:
        """Where they stand in threads; a note of none is left out."""
        ...

    def members(self, threads: Collection[int]) -> Mapping[int, Sequence[int]]:
        """The notes of these threads, in their order."""
        ...

    def speakers(self) -> Collection[str]:
        """All who speak in threads."""
        ...

    def ties(self, notes: Collection[int], *, with_context: bool = True) -> Mapping[int, Sequence[Tie]]:
        """What they are linked with, in both directions; without the words around it is much quicker."""
        ...

    def few_ties(self, notes: Collection[int], at_most: int) -> Mapping[int, Sequence[Tie]]:
        """The same without the words around, of the notes that have no more than `at_most`: others lead anywhere."""
        ...

    def companions(self, notes: Collection[int]) -> Mapping[int, Mapping[int, float]]:
        """Notes that were used in the same sessions, or link to the same notes, and how much that ties them: 0 to 1."""
        ...

    def entities(self, notes: Collection[int]) -> Mapping[int, Sequence[int]]:
        """Names that their texts share with other notes, as numbers."""
        ...

    def entities_in(self, text: str) -> Sequence[int]:
        """The same of any text."""
        ...

    def holders(self, entities: Collection[int]) -> Mapping[int, Sequence[int]]:
        """The notes that hold each of the names."""
        ...

    def vectors(self) -> Vectors | str:
        """The passages' vectors, or why there are none."""
        ...

    def embed(self, text: str) -> bytes:
        """A question's vector, as `Embedder.embed_query`; computed once. Raises: as there."""
        ...

    def boosts(self) -> Mapping[int, float]:
        """How warm notes are from use, 0 to 1; cold ones are left out."""
        ...

    def earlier(self, words: Sequence[str]) -> Sequence[Earlier]:
        """Questions asked before that share one of these words, with the notes that proved useful for them."""
        ...

    def uses(self, notes: Collection[int]) -> Mapping[int, Sequence[Credit]]:
        """What each of these notes earned, a credit for every question; those that earned nothing are left out."""
        ...

    def experience(self) -> Experience:
        """Of all earlier questions, whatever is asked now."""
        ...

    def exposures(self, notes: Collection[int]) -> Mapping[int, int]:
        """How often these notes were shown; those that never were are left out."""
        ...

    def figures(self) -> Figures:
        """Figures of the whole graph: takes a while in a large vault, and is kept."""
        ...
