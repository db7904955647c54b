"""Token counts of a Messages stream: each report replaces the numbers it names."""

from __future__ import annotations

from collections.abc import Mapping

from aries_kernel.model.usage import Usage
from aries_provider_http.counts import read_count

__all__ = ["UsageReader"]

_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")


class UsageReader:
    """Adds up nothing: the server's numbers are totals."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._told: Usage | None = None

    def read(self, record: object) -> Usage | None:
        """The usage so far; None where `record` says nothing new."""
        if not isinstance(record, Mapping):
            return None
        for name in _COUNTS:
            self._take(name, record.get(name))
        details = record.get("output_tokens_details")
        if isinstance(details, Mapping):
            self._take("thinking_tokens", details.get("thinking_tokens"))
        get = self._counts.get
        usage = Usage(
            input=get("input_tokens", 0),
            cache_read=get("cache_read_input_tokens", 0),
            cache_write=get("cache_creation_input_tokens", 0),
            output=get("output_tokens", 0),
            reasoning=min(get("thinking_tokens", 0), get("output_tokens", 0)),
        )
        if usage == (self._told or Usage()):
            return None
        self._told = usage
        return usage

    @property
    def output(self) -> int | None:
        """Tokens of the answer; None where the server did not say."""
        return self._counts.get("output_tokens")

    def _take(self, name: str, value: object) -> None:
        count = read_count(value)
        if count is not None:
            self._counts[name] = count
