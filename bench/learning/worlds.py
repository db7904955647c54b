"""Vaults with questions that belong to topics: what a simulated user comes back to, and what not."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import attrs
from attrs import frozen

from ori_memory.evaluation.dataset import DataSet, Document, Query, read_dataset
from ori_memory.evaluation.filling import fill_vectors
from ori_memory.evaluation.haystack import Haystack, Opened, trial_of
from ori_memory.evaluation.masked_links import masked_links
from ori_memory.evaluation.own_texts import OwnNote, OwnTexts, content_units
from ori_memory.evaluation.sentences import plain_sentences
from ori_memory.memory import Memory
from ori_memory.operations.footers import without_footers
from ori_memory.vault.config import Config
from ori_memory.vault.finding import find_vault

__all__ = ["Topical", "World", "data_set_worlds", "vault_worlds"]

_FEWEST, _MOST = 5, 8
"""Words of a question that is made from a sentence."""
_SENTENCES = 4
"""Questions that are made from one note at most."""
_LINKS = 4_000
_LEAST_OF_A_NOTE = 2
"""A note that only one link leads to can be asked about once."""


@frozen
class Topical:
    """A question, what it is about, and whether the user may ask it in a session."""

    query: Query
    topics: frozenset[str]
    borders: frozenset[str] = frozenset()
    """Topics that its note is linked with."""
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

    Where no two questions of a set share a note, each is a topic: what the user asks are words of single sentences of
    its notes, and the question itself is kept for the examination.
    """
    dataset = read_dataset(folder, "turn", name)
    documents = {one.id: one for one in dataset.documents}
    for haystack in trial_of(dataset, folder=keep).haystacks:
        if dataset.has_groups:
            yield World(name, haystack.label, tuple(_of_sessions(haystack.queries, documents)), haystack.opening)
        else:
            yield World(name, haystack.label, _made(haystack, dataset), haystack.opening)


def _of_sessions(queries: Sequence[Query], documents: dict[str, Document]) -> Iterator[Topical]:
    for query in queries:
        yield Topical(query, frozenset(documents[id].session for id in query.gold))


def _made(haystack: Haystack, dataset: DataSet) -> tuple[Topical, ...]:
    found = []
    with haystack.opening() as opened:
        texts = OwnTexts.read(opened.memory)
        places = {opened.ids[note.record.path]: place for place, note in enumerate(texts.notes)}
        for query in dataset.queries:
            topics = frozenset({query.id})
            found.append(Topical(query, topics, is_askable=False))
            for id in query.gold:
                made = _questions_of(texts, places[id])
                found += [Topical(Query(f"{id}#{n}", text, (id,)), topics) for n, text in enumerate(made)]
    return tuple(found)


def _questions_of(texts: OwnTexts, place: int) -> list[str]:
    """The rarest words of each of its most telling sentences, in their order."""
    scored: dict[str, float] = {}
    for sentence in plain_sentences(without_footers(texts.notes[place].body)):
        words = [word for word in content_units(sentence) if len(texts.holders.get(word, ())) > 1]
        if len(words) >= _FEWEST:
            kept = sorted(words, key=lambda word: (-texts.rarity(word), word))[: min(_MOST, len(words) // 2 + 1)]
            question = " ".join(word for word in words if word in kept)
            scored[question] = sum(map(texts.rarity, kept)) / len(kept)
    return sorted(scored, key=lambda question: (-scored[question], question))[:_SENTENCES]


def vault_worlds(root: Path, name: str, part: int = 0, parts: int = 1) -> Iterator[World]:
    """A person's vault: what stands around a link asks for the note that it leads to, which is the topic.

    `part` of `parts`: the questions of some of the notes only, so that settings are not chosen on those reported.
    """
    found = find_vault(None, {}, root, root)
    with Memory.open(found.vault) as memory:
        texts = OwnTexts.read(memory)
        notes = {note.record.path: note for note in texts.notes}
        questions = tuple(one for one in _of_links(memory, texts) if _part_of(one.query.gold[0], parts) == part)
        notes_known = tuple(notes.values())
    yield World(name, root.name, questions, lambda: _opened(root, notes_known))


def _of_links(memory: Memory, texts: OwnTexts) -> Iterator[Topical]:
    queries, _ = masked_links(memory, texts, _LINKS, 0)
    linked = _linked(memory)
    by_note: dict[str, list[Query]] = {}
    for query in queries:
        by_note.setdefault(query.gold[0], []).append(query)
    for path, asked in sorted(by_note.items()):
        if len(asked) >= _LEAST_OF_A_NOTE:
            chosen = random.Random(path).sample(asked, min(_SENTENCES * 2, len(asked)))
            yield from (Topical(query, frozenset({path}), frozenset(linked.get(path, ()))) for query in chosen)


def _linked(memory: Memory) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for link in memory.index.links():
        if link.target is not None and link.target != link.source:
            found.setdefault(link.source, set()).add(link.target)
            found.setdefault(link.target, set()).add(link.source)
    return found


def _part_of(path: str, parts: int) -> int:
    return random.Random(path).randrange(parts)


@contextlib.contextmanager
def _opened(root: Path, notes: Sequence[OwnNote]) -> Iterator[Opened]:
    vault = attrs.evolve(find_vault(None, {}, root, root).vault, config=Config())
    with Memory.open(vault) as memory:
        fill_vectors(memory, lambda what, done, total: None)
        ids = {note.record.path: note.record.path for note in notes}
        yield Opened(memory, ids, lambda: [note.document for note in notes])
