"""Tokens an answer cost, and what they cost in money."""

from __future__ import annotations

from attrs import frozen

__all__ = ["LongPrice", "Price", "Usage"]


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
    def prompt(self) -> int:
        """All tokens that were read, wherever they came from."""
        return self.input + self.cache_read + self.cache_write

    @property
    def total(self) -> int:
        """All tokens that were read or written."""
        return self.prompt + self.output


@frozen
class LongPrice:
    """US dollars per million tokens of a request whose prompt has more than `above` tokens."""

    above: int
    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None


@frozen
class Price:
    """US dollars per million tokens."""

    input: float
    output: float
    cache_read: float | None = None
    """None: cached tokens cost as much as fresh ones."""
    cache_write: float | None = None
    long: LongPrice | None = None
    """What replaces all of the above for a long prompt."""

    def cost(self, usage: Usage) -> float:
        """US dollars for the `usage` of one answer."""
        if self.long is not None and usage.prompt > self.long.above:
            return _cost(self.long, usage)
        return _cost(self, usage)


def _cost(price: Price | LongPrice, usage: Usage) -> float:
    read = price.input if price.cache_read is None else price.cache_read
    write = price.input if price.cache_write is None else price.cache_write
    dollars = usage.input * price.input + usage.output * price.output
    dollars += usage.cache_read * read + usage.cache_write * write
    return dollars / 1_000_000
