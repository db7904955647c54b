"""One request to the model, tried again where that can help."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Protocol

from attrs import frozen

from aries_kernel.discovery.report import described_error
from aries_kernel.errors import AriesError, EmptyAnswer, FatalError, PluginError, RetriableError
from aries_kernel.loop.assembly import Assembly
from aries_kernel.model.events import AnswerDiscarded, Notice, TurnEvent
from aries_kernel.model.messages import AssistantMessage
from aries_kernel.model.request import Request
from aries_kernel.model.stream import ReasoningPiece, Remark, StreamPiece, TextPiece
from aries_kernel.router.accounting import ANSWER, Account
from aries_kernel.router.connection import Connection
from aries_kernel.router.fitness import require_fit
from aries_kernel.router.route import Route
from aries_kernel.session.entries import AttemptFailed
from aries_kernel.settings.schema import Retry

__all__ = ["Asker", "Journal", "NoJournal", "backoff"]

_FIRST_WAIT = 0.5
_LONGEST_BACKOFF = 30.0


def backoff(attempt: int, chance: random.Random) -> float:
    """Seconds before the try after `attempt` (1-based): doubling from half a second, up to a quarter less."""
    return min(_FIRST_WAIT * 2.0 ** (attempt - 1), _LONGEST_BACKOFF) * (1 - 0.25 * chance.random())


class Journal(Protocol):
    """What is asked for: a session, or what stands in for one."""

    @property
    def id(self) -> str: ...

    def record(self, entry: AttemptFailed) -> None:
        """Keep a line."""
        ...

    def next_call_id(self, position: int) -> str: ...


@frozen
class NoJournal:
    """Where there is no session: failed attempts are told by the error alone."""

    id: str

    def record(self, entry: AttemptFailed) -> None:
        return

    def next_call_id(self, position: int) -> str:
        return f"call_{position + 1}"


@frozen
class Asker:
    """Asks the model of a route. An attempt that fails leaves nothing in the history, only a line in the log."""

    session: Journal
    retry: Retry
    show: Callable[[TurnEvent], None]
    account: Account
    chance: random.Random
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    purpose: str = ANSWER
    """What the requests are for, in the record of what was spent."""

    async def ask(self, request: Request, route: Route) -> AssistantMessage:
        """The answer, complete; of a fallback where the route's own model fails in a way that another may not.

        Raises: EmptyAnswer at once (the caller nudges), the last RetriableError when no try is left or the server
        asks for a longer wait than `retry.max_wait`, FatalError at once, UserError for a model that cannot do it.
        """
        while True:
            connection = route.current
            try:
                return await self._ask(request, route, connection)
            except AriesError as error:
                following = route.fall_back(error)
                if following is None:
                    raise
                self.show(Notice(f"{connection.spec} failed: {error} Going on with {following.spec}."))

    async def _ask(self, request: Request, route: Route, connection: Connection) -> AssistantMessage:
        attempt = 1
        while True:
            assembly = Assembly(connection.provider_name, connection.model.name)
            fitted, failed = route.fitted(request), True
            try:
                await self._look_ahead(request, route, connection)
                answer = await self._attempt(fitted, connection, assembly)
                failed = False
                return answer
            except (RetriableError, FatalError, PluginError) as error:
                wait = self._wait(error, attempt, has_fallback=route.has_fallback)
                self.session.record(AttemptFailed(str(error), attempt, assembly.usage.total))
                self.show(AnswerDiscarded(str(error), attempt, wait or 0.0))
                if wait is None:
                    raise
            finally:
                usage, charged = assembly.usage, assembly.charged
                self.account.note(
                    connection, fitted, usage, charged, slot=route.slot, purpose=self.purpose, failed=failed
                )
            await self.sleep(wait)
            attempt += 1

    async def _look_ahead(self, request: Request, route: Route, connection: Connection) -> None:
        known = connection.model
        for warning in await connection.look_ahead():
            self.show(Notice(warning))
        if connection.model is not known:
            require_fit(route, request.system, request.tools)

    async def _attempt(self, request: Request, connection: Connection, assembly: Assembly) -> AssistantMessage:
        async with aclosing(self._pieces(request, connection)) as pieces:
            async for piece in pieces:
                assembly.add(piece)
                if isinstance(piece, TextPiece | ReasoningPiece) and piece.text:
                    self.show(piece)
                elif isinstance(piece, Remark):
                    self.show(Notice(piece.text))
        return assembly.finish(self.session.next_call_id)

    async def _pieces(self, request: Request, connection: Connection) -> AsyncGenerator[StreamPiece, None]:
        try:
            async with aclosing(connection.provider.stream(request)) as stream:
                async for piece in stream:
                    if not isinstance(piece, StreamPiece):
                        raise TypeError(f"it gave a {type(piece).__name__}, which is no piece of a stream")
                    yield piece
        except AriesError:
            raise
        except Exception as error:
            # A provider is foreign code: its defect ends the turn, not the program.
            raise PluginError(
                f"The provider {connection.provider_name} failed inside: {described_error(error)}.",
                distribution="", entry_point=connection.provider_name,
            ) from error  # fmt: skip

    def _wait(self, error: AriesError, attempt: int, *, has_fallback: bool) -> float | None:
        """Seconds until the next try, None where there is none."""
        if not isinstance(error, RetriableError) or isinstance(error, EmptyAnswer):
            return None
        if attempt >= self.retry.attempts:
            error.add_note(f"Tried {attempt} times.")
            return None
        if error.after is None:
            return backoff(attempt, self.chance)
        limit = "fallback_wait" if has_fallback else "max_wait"
        if error.after > getattr(self.retry, limit):
            error.add_note(f"The server asks to wait {error.after:.0f} s, longer than retry.{limit}.")
            return None
        return max(error.after, 0.0)
