"""What each space weighs, and which types each kind of question is after (the reference's figures)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from aries_kernel.contracts import Intent

__all__ = ["TYPES", "WEIGHTS", "type_fit"]

WEIGHTS: Mapping[Intent, Mapping[str, float]] = {
    Intent.EPISODIC: {"recency": 0.25, "vitality": 0.15, "importance": 0.05, "type": 0.05, "community": 0.10},
    Intent.PROCEDURAL: {"recency": 0.05, "vitality": 0.10, "importance": 0.30, "type": 0.10, "community": 0.15},
    Intent.SEMANTIC: {"recency": 0.05, "vitality": 0.10, "importance": 0.10, "type": 0.05, "community": 0.05},
    Intent.DECISION: {"recency": 0.15, "vitality": 0.10, "importance": 0.10, "type": 0.30, "community": 0.05},
}
"""What is missing to 1 is the text's share."""

TYPES: Mapping[Intent, Mapping[str, float]] = {
    Intent.EPISODIC: {"idea": 0.3, "learning": 0.4, "insight": 0.3},
    Intent.PROCEDURAL: {"learning": 0.7, "insight": 0.3},
    Intent.SEMANTIC: {"idea": 0.3, "learning": 0.3, "insight": 0.4},
    Intent.DECISION: {"decision": 1.0},
}


def type_fit(intent: Intent, kind: str) -> float:
    """The cosine between one type and what a kind of question is after."""
    wanted = TYPES[intent]
    return wanted.get(kind.lower(), 0.0) / math.hypot(*wanted.values())
