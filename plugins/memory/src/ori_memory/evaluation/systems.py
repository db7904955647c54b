"""Who ranks: ours, and three that it must beat."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from attrs import evolve, field, frozen

from ori_memory.evaluation.dataset import Query
from ori_memory.evaluation.haystack import Opened
from ori_memory.evaluation.words import stemmed_words
from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Asked, PartReport, PartState

__all__ = [
    "BASELINES",
    "OURS",
    "Ranker",
    "Ranking",
    "System",
    "bm25",
    "embedding",
    "explored",
    "ours",
    "random_order",
    "simple",
]

OURS = "ori"
_DRAWS = 20
_EXPLORED = 15
"""Notes of an exploration, as the command has it."""


@frozen
class Ranking:
    """What was answered: ids of documents, best first."""

    ids: tuple[str, ...]
    confidence: float | None = None
    """That the first is right; None where nothing is claimed."""
    parts: Mapping[str, str] = field(factory=dict)
    """Signals and stages that were asked: empty where they did something, else why not."""
    verdict: str = ""
    """What the answer thinks of itself; empty where it says nothing."""
    notices: tuple[str, ...] = ()
    """What failed, or is only partly there."""


class Ranker(Protocol):
    """Ranks documents for one question."""

    def __call__(self, query: Query, limit: int) -> Ranking: ...


@frozen
class System:
    """A way to rank, by name."""

    name: str
    start: Callable[[Opened], Ranker]
    """Called once for each vault."""
    draws: int = 1
    """How often a question is asked: more than once where chance decides, and the mean counts."""
    needs: frozenset[str] = field(factory=frozenset)
    """`vectors` where passages must be embedded first."""


def ours(
    only: Sequence[str] | None = None, without: Sequence[str] = (), *, name: str = OURS, is_fast: bool = False
) -> System:
    """Our retrieval, as the settings of the vault say or with parts of it."""

    def start(opened: Opened) -> Ranker:
        return _asking(opened, None if only is None else tuple(only), tuple(without), is_fast)

    is_semantic = not is_fast and "semantic" not in without and (only is None or "semantic" in only)
    return System(name, start, needs=frozenset({"vectors"} if is_semantic else ()))


def explored(*, is_fast: bool = False) -> System:
    """Our exploration, to be held beside `ours`: it must not be worse at the top."""
    from ori_memory.exploring.exploration import Exploring

    def find(memory: Memory, text: str, limit: int) -> list[str]:
        found = memory.explore(Exploring(text, limit=max(limit, _EXPLORED), is_fast=is_fast))
        return [one.path for one in found.discoveries]

    return evolve(simple("explore", find), needs=frozenset(() if is_fast else {"vectors"}))


def embedding() -> System:
    """The best passage's cosine, nothing else."""
    return ours(("semantic",), name="embedding")


def random_order(seed: int) -> System:
    """Any notes; the mean of several draws."""

    def start(opened: Opened) -> Ranker:
        ids = sorted(opened.ids.values())
        generator = random.Random(seed)

        def rank(query: Query, limit: int) -> Ranking:
            left = [id for id in ids if id not in query.excluded] if query.excluded else ids
            return Ranking(tuple(generator.sample(left, min(limit, len(left)))))

        return rank

    return System("random", start, draws=_DRAWS)


def bm25() -> System:
    """BM25 (k1 1.2, b 0.75) by the library rank-bm25 over `words.stemmed_words`, the title counted twice.

    With Lucene's weights of words: those of the library are 0 for a word that half of the documents hold, which in a
    pool of ten happens all the time.
    """

    def start(opened: Opened) -> Ranker:
        import numpy
        from rank_bm25 import BM25Okapi  # type: ignore[import-untyped]  # it ships no types

        documents = opened.documents()
        known = [
            (one.id, words) for one in documents if (words := stemmed_words(f"{one.title} {one.title} {one.text}"))
        ]
        ranks = BM25Okapi([words for _, words in known], k1=1.2) if known else None
        if ranks is not None:
            held = Counter(word for frequencies in ranks.doc_freqs for word in frequencies)
            ranks.idf = {word: math.log1p((len(known) - n + 0.5) / (n + 0.5)) for word, n in held.items()}

        def rank(query: Query, limit: int) -> Ranking:
            words = stemmed_words(query.text)
            if ranks is None or not words:
                return Ranking(())
            scores = ranks.get_scores(words)
            order = numpy.argsort(-scores, kind="stable")[: limit + len(query.excluded)]
            found = [known[place][0] for place in order.tolist() if scores[place] > 0]
            return Ranking(tuple(id for id in found if id not in query.excluded)[:limit])

        return rank

    return System("bm25", start)


def simple(name: str, find: Callable[[Memory, str, int], Sequence[str]]) -> System:
    """A system from a function that gives paths of notes."""

    def start(opened: Opened) -> Ranker:
        def rank(query: Query, limit: int) -> Ranking:
            paths = find(opened.memory, query.text, limit + len(query.excluded))
            return Ranking(_judged(opened, query, paths, limit))

        return rank

    return System(name, start)


BASELINES = ("random", "bm25", "embedding")


def _judged(opened: Opened, query: Query, paths: Sequence[str], limit: int) -> tuple[str, ...]:
    """What counts of the paths; a note that is no document keeps its place, as it would before a person."""
    ids = [opened.ids.get(path, f"/{path}") for path in paths]
    return tuple(id for id in ids if id not in query.excluded)[:limit]


def _asking(opened: Opened, only: tuple[str, ...] | None, without: tuple[str, ...], is_fast: bool) -> Ranker:
    from ori_memory.retrieval.asking import ask

    def rank(query: Query, limit: int) -> Ranking:
        asked = Asked(query.text, limit=limit + len(query.excluded), only=only, without=without, is_fast=is_fast)
        answer = ask(opened.memory, asked)
        parts = (*answer.signals, *answer.stages)
        return Ranking(
            ids=_judged(opened, query, [hit.path for hit in answer.hits], limit),
            confidence=answer.confidence,
            parts={part.name: "" if part.state is PartState.RAN and part.found else _reason(part) for part in parts},
            verdict=answer.verdict.value,
            notices=tuple(notice for notice in answer.notices if notice != answer.reading),
        )

    return rank


def _reason(part: PartReport) -> str:
    if part.state is PartState.RAN:
        return "ran and changed nothing"
    return f"failed: {part.reason}" if part.state is PartState.FAILED else part.reason or "skipped"
