"""What one request cost, hidden ones and failed ones included."""

from __future__ import annotations

from attrs import frozen

from aries_kernel.model.usage import Usage

__all__ = ["CacheUse", "Spending"]


@frozen
class CacheUse:
    """What the server's prompt cache did for a request."""

    read: int = 0
    written: int = 0
    missed: int = 0
    """Tokens that the request before had in its prompt and that were not read from the cache now."""
    reason: str = ""
    """Why they were missed, where it was ours to avoid; empty where the server forgot, or nothing was missed."""


@frozen
class Spending:
    """One attempt at one request."""

    at: str
    """Local time with its offset, ISO 8601."""
    session: str
    turn: int
    """1 for the first prompt of the session; 0 outside of turns."""
    slot: str
    purpose: str
    """`answer` for the conversation itself, else what the hidden request was for: `summary` ..."""
    model: str
    """`provider/model`."""
    usage: Usage
    cost: float | None
    """US dollars; None where the price is not known."""
    cache: CacheUse = CacheUse()
    failed: bool = False
    """It gave no answer that could be used; it was paid for all the same."""
