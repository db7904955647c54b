"""Vaults with questions that belong to topics: what a simulated user comes back to, and what not."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import attrs
from attrs import frozen

from ori_memory.evaluation.dataset import DataSet, Document, Query, read_dataset
from ori_memory.evaluation.haystack import Haystack, Opened, trial_of
from ori_memory.evaluation.own_texts import OwnTexts, content_units
from ori_memory.evaluation.sentences import plain_sentences
from ori_memory.memory import Memory
from ori_memory.operations.footers import without_footers
from ori_memory.vault.config import Config
from ori_memory.vault.finding import find_vault

__all__ = ["FACT", "QUESTION", "REWORDED", "Topical", "World", "data_set_worlds", "vault_worlds"]

QUESTION, REWORDED, FACT = "question", "in other words", "another fact"
"""Of the set itself; some of the words of one; and words of a sentence of one of its notes."""
_FEWEST, _MOST = 5, 12
"""Words of a sentence that may be asked."""
_SENTENCES = 2
_WORDINGS = 3
_KEPT = 0.6
"""Share of the words that one wording has: two of them share about a third of all."""
_LEAST = 3


@frozen
class Topical:
    """A question, what it is about, and whether the user may ask it in a session."""

    query: Query
    topics: frozenset[str]
    kind: str = QUESTION
    is_askable: bool = True
    """False: it is kept for the examination."""


@frozen
class World:
    """One vault and all that is asked of it."""

    name: str
    """Of the data set."""
    label: str
    questions: tuple[Topical, ...]
    opening: Callable[[], contextlib.AbstractContextManager[Opened]]


def data_set_worlds(name: str, folder: Path, keep: Path | None) -> Iterator[World]:
    """A conversation is a world of its own, its sessions are the topics; other sets are one world.

    Where no two questions of a set share a note, each is a topic: what the user asks is the question, or a sentence of
    one of its notes, with some words left out. Both as they stand are kept for the examination.
    """
    dataset = read_dataset(folder, "turn", name)
    documents = {one.id: one for one in dataset.documents}
    for haystack in trial_of(dataset, folder=keep).haystacks:
        if dataset.has_groups:
            yield World(name, haystack.label, tuple(_of_sessions(haystack.queries, documents)), haystack.opening)
        else:
            yield World(name, haystack.label, tuple(_reworded(haystack, dataset)), haystack.opening)


def _of_sessions(queries: Sequence[Query], documents: dict[str, Document]) -> Iterator[Topical]:
    for query in queries:
        yield Topical(query, frozenset(documents[id].session for id in query.gold))


def _reworded(haystack: Haystack, dataset: DataSet) -> Iterator[Topical]:
    with haystack.opening() as opened:
        texts = OwnTexts.read(opened.memory)
        places = {opened.ids[note.record.path]: place for place, note in enumerate(texts.notes)}
        for query in dataset.queries:
            topics = frozenset({query.id})
            yield Topical(query, topics, is_askable=False)
            yield from _wordings(query, topics, REWORDED)
            for id in query.gold:
                yield from _facts(texts, places[id], id, topics)


def _facts(texts: OwnTexts, place: int, id: str, topics: frozenset[str]) -> Iterator[Topical]:
    """The most telling sentences of a note that no other note answers as well."""
    scored: dict[str, float] = {}
    for sentence in plain_sentences(without_footers(texts.notes[place].body)):
        words = [word for word in content_units(sentence) if len(texts.holders.get(word, ())) > 1]
        if _FEWEST <= len(words) <= _MOST and texts.is_only_in(words, place):
            scored[" ".join(words)] = sum(map(texts.rarity, words)) / len(words)
    best = sorted(scored, key=lambda question: (-scored[question], question))[:_SENTENCES]
    for number, text in enumerate(best):
        query = Query(f"{id}#{number}", text, (id,))
        yield Topical(query, topics, FACT, is_askable=False)
        yield from _wordings(query, topics, FACT)


def _wordings(query: Query, topics: frozenset[str], kind: str) -> Iterator[Topical]:
    """The question with some of its words, which ones being left to chance."""
    words = content_units(query.text)
    count = max(_LEAST, round(_KEPT * len(words)))
    drawn = random.Random(query.id)
    made = {
        " ".join(words[at] for at in sorted(drawn.sample(range(len(words)), min(count, len(words))))) for _ in range(9)
    }
    for number, text in enumerate(sorted(made - {" ".join(words)})[:_WORDINGS]):
        yield Topical(attrs.evolve(query, id=f"{query.id}~{number}", text=text), topics, kind)


def vault_worlds(root: Path, name: str, *, notes: int, part: int = 0, parts: int = 1) -> Iterator[World]:
    """A person's vault: sentences of `notes` of its notes, each note a topic.

    `part` of `parts`: the questions of some of the notes only, so that settings are not chosen on those reported.
    """
    vault = attrs.evolve(find_vault(None, {}, root, root).vault, config=Config())
    with Memory.open(vault) as memory:
        texts = OwnTexts.read(memory)
        questions: list[Topical] = []
        order = list(range(len(texts.notes)))
        random.Random(name).shuffle(order)
        for place in order:
            path = texts.notes[place].record.path
            if random.Random(path).randrange(parts) == part and notes > 0:
                made = list(_facts(texts, place, path, frozenset({path})))
                questions += made
                notes -= bool(made)
        documents = [note.document for note in texts.notes]

    @contextlib.contextmanager
    def opened() -> Iterator[Opened]:
        with Memory.open(vault) as memory:
            yield Opened(memory, {one.id: one.id for one in documents}, lambda: documents)

    yield World(name, root.name, tuple(questions), opened)
