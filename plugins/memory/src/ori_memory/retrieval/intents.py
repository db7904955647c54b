"""What kind of thing a question asks for."""

from __future__ import annotations

import re

from aries_kernel.contracts import Intent

__all__ = ["intent_of"]

_FAMILIES: tuple[tuple[Intent, tuple[str, ...]], ...] = (
    (
        Intent.EPISODIC,
        (r"when did", r"last time", r"what happened", r"recently", r"history of", r"timeline", r"when was", r"remember when"),
    ),
    (
        Intent.PROCEDURAL,
        (r"how to", r"steps for", r"process", r"procedure", r"instructions?", r"workflow", r"how do", r"guide"),
    ),
    (
        Intent.DECISION,
        (
            r"why did we",
            r"decisions?",
            r"chose",
            r"choose",
            r"alternatives?",
            r"trade-?offs?",
            r"rationale",
            r"decided?",
        ),
    ),
)
_PATTERNS = tuple(
    (intent, tuple(re.compile(rf"\b{pattern}\b", re.IGNORECASE) for pattern in patterns)) for intent, patterns in _FAMILIES
)


def intent_of(text: str) -> tuple[Intent, float]:
    """The family of words with the most hits, the first of equals, and how sure that is (spec C.7)."""
    hits = [(sum(1 for pattern in patterns if pattern.search(text)), intent) for intent, patterns in _PATTERNS]
    count, intent = max(hits, key=lambda hit: hit[0])
    if not count:
        return Intent.SEMANTIC, 0.5
    return intent, 1.0 if count > 1 else 0.7
