"""Token counts of many dialects as one `Usage`."""

from __future__ import annotations

from collections.abc import Mapping

from aries_kernel.model.usage import Usage
from aries_provider_http.counts import read_count

__all__ = ["read_cost", "read_usage"]

_MOST_DOLLARS = 1_000_000
"""No answer costs more; whatever a server calls so is no price."""


def read_cost(record: object) -> float | None:
    """US dollars, from servers that say what they charge; None from all others."""
    cost = record.get("cost") if isinstance(record, Mapping) else None
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        return None
    return float(cost) if 0 <= cost <= _MOST_DOLLARS else None


def read_usage(record: object, *, cached_includes_written: bool = False) -> Usage | None:
    """None where the record holds no counts. Cached tokens stand inside the prompt's and are taken out of it."""
    if not isinstance(record, Mapping):
        return None
    prompt = _count(record, "prompt_tokens", "input_tokens")
    output = _count(record, "completion_tokens", "output_tokens")
    asked = record.get("prompt_tokens_details") or record.get("input_tokens_details")
    answered = record.get("completion_tokens_details") or record.get("output_tokens_details")
    read = _count(asked, "cached_tokens") or _count(record, "prompt_cache_hit_tokens", "cached_tokens")
    written = _count(asked, "cache_write_tokens")
    if cached_includes_written:
        read = max(0, read - written)
    reasoning = _count(answered, "reasoning_tokens") or _count(record, "reasoning_tokens")
    # Some servers count reasoning beside the completion, not in it; their own sum tells.
    if reasoning and (reasoning > output or _count(record, "total_tokens") == prompt + output + reasoning):
        output += reasoning
    if not (prompt or output):
        return None
    read = min(read, prompt)
    written = min(written, prompt - read)
    return Usage(
        input=prompt - read - written, cache_read=read, cache_write=written, output=output, reasoning=reasoning
    )


def _count(record: object, *names: str) -> int:
    for name in names:
        value = record.get(name) if isinstance(record, Mapping) else None
        if count := read_count(value):
            return count
    return 0
