"""Which questions hold a word: kept beside the credit, so that a question finds those like it without reading all."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from aries_kernel.word_roots import root_of

if TYPE_CHECKING:
    from ori_memory.learned.connecting import Connection

__all__ = ["drop_words", "keep_words", "topics_about"]

_COMMON = 300
"""Questions with a word, from which on it does not tell which of them are alike."""


def keep_words(connection: Connection, topic: str, words: Iterable[str]) -> None:
    """Note that a question holds these words. Inside a write transaction; whoever adds credit calls it."""
    connection.executemany(
        "INSERT INTO asked_word (word, topic) VALUES (:word, :topic) ON CONFLICT (word, topic) DO NOTHING",
        [{"word": root, "topic": topic} for root in sorted(set(map(root_of, words))) if root],
    )


def drop_words(connection: Connection) -> None:
    """Leave no word of a question that nothing was of use for any more. Whoever takes credit away calls it."""
    connection.execute("DELETE FROM asked_word WHERE topic NOT IN (SELECT topic FROM credit)")


def topics_about(connection: Connection, roots: Sequence[str], most: int) -> list[str]:
    """Questions that share one of these words, at most so many: the fewer hold a word, the more it counts."""
    weights: dict[str, float] = {}
    for root in roots:
        rows = connection.execute(
            "SELECT topic FROM asked_word WHERE word = :word LIMIT :most", {"word": root, "most": _COMMON + 1}
        ).fetchall()
        if len(rows) <= _COMMON:
            for (topic,) in rows:
                weights[topic] = weights.get(topic, 0.0) + 1 / len(rows)
    return heapq.nsmallest(most, weights, key=lambda topic: (-weights[topic], topic))
