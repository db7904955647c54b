"""A slot at work: its model, and those to go on with when a server fails."""

from __future__ import annotations

from typing import Literal

import attrs
from attrs import define, field

from aries_kernel.errors import AriesError, EmptyAnswer, QuotaExhausted, RetriableError, UserError
from aries_kernel.model.request import Request
from aries_kernel.router.connection import Connection
from aries_kernel.router.handover import messages_for

__all__ = ["Route", "SlotName", "may_fall_back"]

SlotName = Literal["primary", "reasoning", "cheap", "bulk"]


def may_fall_back(error: AriesError) -> bool:
    """Whether another model may help: the server failed, or there is no quota.

    What the person has to mend is told, never worked around: a wrong key, an unknown model, a request that is refused.
    """
    if isinstance(error, EmptyAnswer):
        return False
    return isinstance(error, RetriableError | QuotaExhausted)


@define
class Route:
    """Where the requests of one slot go."""

    slot: SlotName
    candidates: tuple[Connection, ...]
    """The slot's model, then its fallbacks in order."""
    effort: str | None = None
    max_output: int | None = None
    context_window: int | None = None
    """A limit of the person's, below what the model has."""
    _exhausted: set[str] = field(factory=set)
    """Without quota, or not able to do the work: not asked in this session."""
    _failed: set[str] = field(factory=set)
    """Not asked again in this turn."""

    @property
    def current(self) -> Connection:
        """The model that is asked now; the slot's own one where all have failed."""
        return next((one for one in self.candidates if not self._is_aside(one)), self.candidates[0])

    @property
    def window(self) -> int | None:
        """Tokens that a request may have now; None where that is not known."""
        return self.window_of(self.current)

    def window_of(self, connection: Connection) -> int | None:
        """Tokens that a request to `connection` may have; None where that is not known."""
        sizes = [size for size in (self.context_window, connection.model.context_window) if size is not None]
        return min(sizes, default=None)

    @property
    def has_fallback(self) -> bool:
        """Whether another model could go on in place of the current one."""
        return sum(not self._is_aside(one) for one in self.candidates) > 1

    def leave_out(self, spec: str) -> None:
        """Never ask this model."""
        self._exhausted.add(spec)

    def begin_turn(self) -> None:
        """Give servers that failed another chance."""
        self._failed.clear()

    def fall_back(self, error: AriesError) -> Connection | None:
        """Put the current model aside for `error`; gives the next one, None where there is none or it cannot help."""
        # What a fallback cannot do is found out late, when its server is asked; the next one may still do it.
        is_unfit = isinstance(error, UserError) and self.current is not self.candidates[0]
        if not (may_fall_back(error) or is_unfit):
            return None
        is_lasting = is_unfit or isinstance(error, QuotaExhausted)
        aside = self._exhausted if is_lasting else self._failed
        aside.add(self.current.spec)
        return None if all(map(self._is_aside, self.candidates)) else self.current

    def fitted(self, request: Request) -> Request:
        """`request` as the current model is to be asked it."""
        connection = self.current
        limits = [size for size in (request.max_output, self.max_output) if size is not None]
        return attrs.evolve(
            request,
            model=connection.model.name,
            messages=messages_for(request.messages, connection.provider_name, connection.model.name),
            max_output=min(limits, default=None),
            effort=request.effort if request.effort is not None else self.effort,
        )

    def _is_aside(self, connection: Connection) -> bool:
        return connection.spec in self._exhausted or connection.spec in self._failed
