"""Counts what a session spends: the turn's meter, the session's ledger, and what the prompt cache did."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from attrs import define, field

from aries_kernel.model.events import Notice, TurnEvent
from aries_kernel.model.request import Request
from aries_kernel.model.spending import CacheUse, Spending
from aries_kernel.model.usage import Usage
from aries_kernel.router.connection import Connection
from aries_kernel.router.ledger import Ledger
from aries_kernel.router.prefix import PrefixWatch

__all__ = ["ANSWER", "Account"]

ANSWER = "answer"
"""The purpose of the conversation's own requests; every other request is hidden from the person."""


@define
class Account:
    """Told of every attempt, of failed ones too: they were paid for."""

    session: str
    ledger: Ledger
    now: Callable[[], datetime.datetime]
    show: Callable[[TurnEvent], None]
    spend: Callable[[Usage, float | None], None]
    """Tokens and US dollars, None where the price is not known."""
    turn: int = 0
    _watch: PrefixWatch = field(factory=PrefixWatch)
    _is_broken: bool = False

    def note(
        self,
        connection: Connection,
        request: Request,
        usage: Usage,
        charged: float | None,
        *,
        slot: str,
        purpose: str,
        failed: bool,
    ) -> None:
        """Count one attempt; `charged` is what the server itself says it costs."""
        price = connection.model.price
        cost = charged if charged is not None else price.cost(usage) if price is not None else None
        if failed and not usage.total:
            return  # As far as anybody says, nothing was spent.
        self.spend(usage, cost)
        # An attempt without an answer left nothing in the conversation to compare with; hidden ones have their own.
        is_answer = purpose == ANSWER and not failed
        cache = self._watch.note(connection.spec, request, usage) if is_answer else _cache_of(usage)
        at = self.now().isoformat(timespec="seconds")
        spending = Spending(at, self.session, self.turn, slot, purpose, connection.spec, usage, cost, cache, failed)
        try:
            self.ledger.add(spending)
        except OSError as error:
            if not self._is_broken:
                self._is_broken = True
                self.show(Notice(f"What is spent cannot be recorded: {self.ledger.path}: {error.strerror}."))


def _cache_of(usage: Usage) -> CacheUse:
    return CacheUse(usage.cache_read, usage.cache_write)
