"""What we send held against the types that a vendor publishes with its own client library."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

__all__ = ["assert_fits"]


def assert_fits(sent: object, validate: Callable[[object], object]) -> None:
    """`sent` is valid, and the vendor's types know every part of it.

    `validate` raises for what is wrong and leaves out what is unknown, as pydantic's adapters of typed dicts do.
    """
    assert _plain(validate(sent)) == sent


def _plain(value: object) -> object:
    """Adapters give iterables as one-time iterators."""
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [_plain(one) for one in value]
    return value
