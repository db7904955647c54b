"""How often the three change the order of real-looking lists (G.5-61: one of the reference's never did)."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import Skipped, Stage
from aries_kernel.testing.corpora import FakeCorpus, FakeNote
from aries_kernel.testing.rankings import ask, rank
from ori_stage_dampening.gravity import Gravity, GravityOptions
from ori_stage_dampening.hub import Hub, HubOptions
from ori_stage_dampening.resolution import Resolution, ResolutionOptions

TOPICS = ("rye", "wheat", "oven", "yeast", "salt")
NOTES = tuple(
    FakeNote(
        f"{topic} {number}" if number % 2 else f"log {topic[0]}{number}",
        f"{topic} " * (1 + number % 4) + "and all the rest of it " * number,
        type=("idea", "decision", "", "learning")[number % 4],
    )
    for topic in TOPICS
    for number in range(8)
)
INDEX = FakeNote("Index", " ".join(TOPICS) * 9, links=tuple(note.title for note in NOTES[:30]))
CORPUS = FakeCorpus((*NOTES, INDEX))
QUESTIONS = tuple(f"{one} {other}" for one in TOPICS for other in TOPICS if one < other)


@pytest.mark.parametrize("scale", [1.0, 1 / 61], ids=["scores", "rank fusion"])
@pytest.mark.parametrize(
    ("stage", "changed"),
    [(Gravity(GravityOptions()), 10), (Hub(HubOptions()), 10), (Resolution(ResolutionOptions()), 10)],
    ids=["gravity", "hub", "resolution"],
)
def test_each_changes_the_order_of_most_lists(stage: Stage, changed: int, scale: float) -> None:
    assert sum(_changes(stage, text, scale) for text in QUESTIONS) == changed


def _changes(stage: Stage, text: str, scale: float) -> bool:
    scores = CORPUS.rank_words(text.split(), 20)
    best = max(scores.values())
    ranked = rank(CORPUS, {CORPUS.titles([note])[0]: scale * score / best for note, score in scores.items()})
    given = stage.apply(ask(text), ranked, CORPUS)
    return not isinstance(given, Skipped) and [one.note for one in given] != [one.note for one in ranked]
