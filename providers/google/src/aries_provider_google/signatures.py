"""Thought signatures: kept beside the part they came on, and put back on that same part.

A part of ours has no place for one, so a `Reasoning` of its own stands before it and says in `opaque` what it belongs
to: the call or the text that follows, a thought of which it is the text, or an empty text that only carries it.
"""

from __future__ import annotations

import json

from aries_kernel.model.messages import Reasoning

__all__ = ["SKIPPED", "mark", "read_mark"]

SKIPPED = "skip_thought_signature_validator"
"""What the server takes in place of a signature for a call that it did not make itself."""
_PLACES = ("next", "thought", "blank", "break")


def mark(place: str, signature: str | None = None) -> str:
    """`opaque` for a signature: of the `next` part, of this `thought`, of a `blank` text; `break` only ends a text."""
    return json.dumps({"place": place} | ({"signature": signature} if signature else {}))


def read_mark(part: Reasoning, provider: str, model: str) -> tuple[str, str | None] | None:
    """Place and signature; None for the thinking of another model, or what we did not write."""
    if (part.provider, part.model) != (provider, model):
        return None
    try:
        kept = json.loads(part.opaque or "")
    except (ValueError, RecursionError):
        return None  # Not written by us: nothing is known about where it belongs.
    place = kept.get("place") if isinstance(kept, dict) else None
    signature = kept.get("signature") if isinstance(kept, dict) else None
    if place not in _PLACES:
        return None
    return place, signature if isinstance(signature, str) and signature else None
