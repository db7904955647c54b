"""What kind of thing a question asks for."""

from __future__ import annotations

import re

from aries_kernel.contracts import Intent

__all__ = ["intent_of"]

_FAMILIES = (
    (Intent.EPISODIC, "when did|last time|what happened|recently|history of|timeline|when was|remember when"),
    (Intent.PROCEDURAL, "how to|steps for|process|procedure|instructions?|workflow|how do|guide"),
    (Intent.DECISION, "why did we|decisions?|chose|choose|alternatives?|trade-?offs?|rationale|decided?"),
)
_PATTERNS = tuple((intent, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for intent, words in _FAMILIES)


def intent_of(text: str) -> tuple[Intent, float]:
    """The family of words with the most hits, the first of equals, and how sure that is (spec C.7)."""
    hits = [(len({found.lower() for found in pattern.findall(text)}), intent) for intent, pattern in _PATTERNS]
    count, intent = max(hits, key=lambda hit: hit[0])
    if not count:
        return Intent.SEMANTIC, 0.5
    return intent, 1.0 if count > 1 else 0.7
