"""Tokens an answer cost, and what they cost in money."""

from __future__ import annotations

from attrs import frozen

__all__ = ["Price", "Usage"]


@frozen
class Usage:
    """Tokens of one answer or a sum of answers. `input` excludes what the cache served or stored."""

    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0
    """The part of `output` spent on reasoning, where the server says so."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            self.output + other.output,
            self.reasoning + other.reasoning,
        )

    @property
    def total(self) -> int:
        """All tokens that were read or written."""
        return self.input + self.cache_read + self.cache_write + self.output


@frozen
class Price:
    """US dollars per million tokens."""

    input: float
    output: float
    cache_read: float | None = None
    """None: cached tokens cost as much as fresh ones."""
    cache_write: float | None = None

    def cost(self, usage: Usage) -> float:
        """US dollars for `usage`."""
        read = self.input if self.cache_read is None else self.cache_read
        write = self.input if self.cache_write is None else self.cache_write
        dollars = usage.input * self.input + usage.output * self.output
        dollars += usage.cache_read * read + usage.cache_write * write
        return dollars / 1_000_000
