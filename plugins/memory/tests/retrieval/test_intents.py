"""What kind of thing a question asks for."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import Intent
from ori_memory.retrieval.intents import intent_of


@pytest.mark.parametrize(
    ("text", "intent", "confidence"),
    [
        ("the taste of rye", Intent.SEMANTIC, 0.5),
        ("", Intent.SEMANTIC, 0.5),
        ("When did we move?", Intent.EPISODIC, 0.7),
        ("when was the last time it rained", Intent.EPISODIC, 1.0),
        ("how to bake", Intent.PROCEDURAL, 0.7),
        ("how do I follow the steps for the workflow", Intent.PROCEDURAL, 1.0),
        ("why did we choose rye", Intent.DECISION, 1.0),
        ("the trade-off of rye", Intent.DECISION, 0.7),
        ("tradeoffs", Intent.DECISION, 0.7),
        ("alternatives", Intent.DECISION, 0.7),
    ],
)
def test_a_family_of_words_says_it_and_two_words_are_sure(text: str, intent: Intent, confidence: float) -> None:
    assert intent_of(text) == (intent, confidence)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("recently chose", Intent.EPISODIC),
        ("the process we chose", Intent.PROCEDURAL),
        ("recently, a guide", Intent.EPISODIC),
        ("recently we decided on alternatives", Intent.DECISION),
    ],
)
def test_the_family_with_most_words_wins_and_of_equals_the_first(text: str, intent: Intent) -> None:
    assert intent_of(text)[0] is intent


def test_the_same_word_twice_is_one_word() -> None:
    assert intent_of("Guide, guide, GUIDE") == (Intent.PROCEDURAL, 0.7)


@pytest.mark.parametrize("text", ["processor", "misguided", "the chosen ones", "undecided", "show down"])
def test_a_part_of_a_word_is_no_sign(text: str) -> None:
    assert intent_of(text) == (Intent.SEMANTIC, 0.5)
