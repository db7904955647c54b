"""From a ranked list to what is shown: filtered, cut to its limit and budget, with snippets and a confidence."""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence

from attrs import evolve

from aries_kernel.contracts import Found, Question
from aries_kernel.values import frozen
from ori_memory.index.asking import words_of
from ori_memory.model import NoteRecord
from ori_memory.retrieval.answer import Asked, Hit, Verdict
from ori_memory.retrieval.confidence import Evidence, confidence_of, verdict_of
from ori_memory.retrieval.corpus import IndexCorpus
from ori_memory.retrieval.holding import share_held
from ori_memory.retrieval.snippets import LENGTH, snippet_of
from ori_memory.retrieval.visibility import Visibility

__all__ = ["Shown", "show", "tokens_of"]

_AROUND = 40
"""Tokens of an answer beside its notes."""
_SHORTEST = 60
_FOLLOWING = 9
"""Notes that the first one is compared with, however many are shown."""


@frozen
class Shown:
    hits: tuple[Hit, ...]
    confidence: float
    verdict: Verdict
    left_out: int


def show(
    connection: sqlite3.Connection,
    corpus: IndexCorpus,
    asked: Asked,
    question: Question,
    ranked: Sequence[Found],
    said: Mapping[str, Mapping[int, float]],
    literal: Collection[int],
    visibility: Visibility,
    understanding: float,
) -> Shown:
    """What may be seen of `ranked`: the filter comes last, so that nothing hidden returns by another way (G.5-65)."""
    visible = list(visibility.of(ranked))
    # What stands there for no score of its own takes no place of a hit.
    extra = [found for found in visible if found.mark and not found.score]
    ranked = [found for found in visible if found not in extra]
    chosen = ranked[: asked.limit] + extra[:1]
    notes = [found.note for found in chosen]
    records, texts = corpus.records(notes), corpus.texts(notes)
    rarity, body_lines = corpus.rarity(question.words), _body_lines(connection, notes)
    hits = []
    for found in chosen:
        snippet = snippet_of(texts.get(found.note, ""), rarity)
        line = body_lines[found.note] + snippet.line + 1 if snippet.text else 0
        hits.append(_hit(records[found.note], found, said, snippet.text, line))
    kept = _within_budget(hits, asked.budget)
    confidence = 0.0
    if chosen:
        ahead = _ahead([found.score for found in ranked[: 1 + _FOLLOWING]])
        confidence = confidence_of(_evidence(corpus, question, chosen[0], ahead, rarity, said, literal, understanding))
    return Shown(tuple(kept), confidence, verdict_of(confidence), len(hits) - len(kept))


def tokens_of(text: str) -> int:
    """About as many tokens as a model's tokenizer makes of it, rather more: a quarter of its bytes, rounded up."""
    return -(-len(text.encode("utf-8", "replace")) // 3) if not text.isascii() else -(-len(text) // 4)


def _hit(record: NoteRecord, found: Found, said: Mapping[str, Mapping[int, float]], snippet: str, line: int) -> Hit:
    signals = {name: round(scores[found.note], 4) for name, scores in said.items() if found.note in scores}
    return Hit(
        path=record.path,
        id=record.id,
        title=record.title,
        score=round(found.score, 4),
        snippet=snippet,
        line=line,
        signals=signals,
        mark=found.mark,
        why=found.why,
        status=record.status,
        created=record.created,
    )


def _body_lines(connection: sqlite3.Connection, notes: Sequence[int]) -> dict[int, int]:
    query = "SELECT num, body_line FROM note WHERE num IN (SELECT value FROM json_each(?))"
    return dict(connection.execute(query, (json.dumps(notes),)).fetchall())


def _within_budget(hits: Sequence[Hit], budget: int | None) -> list[Hit]:
    """As many notes as fit; snippets are halved before a note is left out, and the first note is always there."""
    if budget is None:
        return list(hits)
    kept: list[Hit] = []
    left = budget - _AROUND
    for place, hit in enumerate(hits):
        for length in (LENGTH, LENGTH // 2, _SHORTEST, 0):
            short = evolve(hit, snippet=_cut(hit.snippet, length), line=hit.line if length else 0)
            cost = tokens_of(json.dumps([short.path, short.title, short.snippet], ensure_ascii=False)) + 16
            if cost <= left or (place == 0 and length == 0):
                kept.append(short)
                left -= cost
                break
        else:
            break
    return kept


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: max(0, length - 1)].rstrip() + "…" if length else ""


def _evidence(
    corpus: IndexCorpus,
    question: Question,
    first: Found,
    ahead: float,
    rarity: Mapping[str, float],
    said: Mapping[str, Mapping[int, float]],
    literal: Collection[int],
    understanding: float,
) -> Evidence:
    view = corpus.describe([first.note])[first.note]
    held = share_held(
        corpus,
        question,
        corpus.whole_texts([first.note]).get(first.note, ""),
        rarity,
        besides=_words_of_time(question, view.created),
    )
    said_first = _ahead_of_all(said.get("keyword", {}), first.note)
    is_exact = question.named.get(first.note, 0.0) >= 1.0 or (first.note in literal and bool(question.identifiers))
    # A model that does not know the language finds everything alike; then it has nothing to say here either.
    similarity = corpus.similarity(question.text, first.note) if "semantic" in said else None
    period = question.period
    is_of_day = period is not None and not period.is_loose and period.first == period.last == view.created
    return Evidence(held, similarity, ahead, said_first, is_exact, understanding, is_of_day, first.proven)


def _words_of_time(question: Question, day: datetime.date | None) -> Collection[str]:
    """The words by which the question names the days that the note is of: it holds them, however it writes them."""
    period = question.period
    is_of_then = period is not None and day is not None and period.first <= day <= period.last
    return words_of(period.phrase) if period is not None and is_of_then else ()


def _ahead(scores: Sequence[float]) -> float:
    """How far the first is above the mean of the others."""
    return scores[0] - sum(scores[1:]) / len(scores[1:]) if len(scores) > 1 else sum(scores)


def _ahead_of_all(scores: Mapping[int, float], note: int) -> float:
    return scores.get(note, 0.0) - max((score for other, score in scores.items() if other != note), default=0.0)
