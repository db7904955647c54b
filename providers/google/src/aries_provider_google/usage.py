"""Gemini's counts of tokens as one `Usage`: the last report counts, and thoughts stand beside the answer's tokens."""

from __future__ import annotations

from collections.abc import Mapping

from aries_kernel.model.usage import Usage
from aries_provider_http.counts import read_count

__all__ = ["read_usage"]


def read_usage(record: object) -> Usage | None:
    """None where `record` holds no counts."""
    if not isinstance(record, Mapping):
        return None
    prompt = _count(record, "promptTokenCount") + _count(record, "toolUsePromptTokenCount")
    cached = min(_count(record, "cachedContentTokenCount"), prompt)
    thoughts = _count(record, "thoughtsTokenCount")
    output = _count(record, "candidatesTokenCount") + thoughts
    if not (prompt or output):
        return None
    return Usage(input=prompt - cached, cache_read=cached, output=output, reasoning=thoughts)


def _count(record: Mapping[str, object], name: str) -> int:
    return read_count(record.get(name)) or 0
