"""The provider: finds the answer that is due and plays it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from typing import ClassVar

import attrs
from attrs import frozen

from aries_kernel import errors
from aries_kernel.contracts.provider import ProviderContext
from aries_kernel.model.messages import AssistantMessage, StopReason
from aries_kernel.model.request import ModelInfo, Request
from aries_kernel.model.stream import CallPiece, ReasoningPiece, Stopped, StreamPiece, TextPiece, UsageReport
from aries_kernel.model.usage import Price, Usage
from aries_provider_replay.transcript import Answer, Piece, read_transcript

__all__ = ["Options", "ReplayProvider"]


@frozen
class Options:
    """Settings under `providers.replay`."""

    speed: float = attrs.field(default=1.0, metadata={"description": "how fast waits pass; 0 leaves them out"})


class ReplayProvider:
    """`replay/FILE`: a model that says what FILE says, whatever it is asked.

    Which answer is due follows from the history alone, so a session that is resumed in another process goes on at the
    right place. Answers that fail are attempts at the next good one and are played in order, once a process each; the
    good one is played again where the turn was stopped before its end.
    """

    options_type: ClassVar[type[Options]] = Options

    def __init__(self, context: ProviderContext) -> None:
        assert isinstance(context.options, Options)
        self._speed = context.options.speed
        self._cwd = context.cwd
        self._attempts: dict[tuple[str, int], int] = {}
        self._answers: dict[str, tuple[Answer, ...]] = {}

    def model_info(self, model: str) -> ModelInfo:
        return ModelInfo(model, price=Price(0.0, 0.0))

    def known_models(self) -> tuple[str, ...]:
        return ("FILE, a transcript",)

    def check(self, model: str) -> None:
        self._transcript(model)

    async def close(self) -> None:
        """Nothing to free."""

    async def stream(self, request: Request) -> AsyncGenerator[StreamPiece, None]:
        answer = self._due(request)
        for index, piece in enumerate(answer.pieces):
            if piece.wait is not None:
                if self._speed > 0:
                    await asyncio.sleep(piece.wait / self._speed)
            else:
                yield _as_stream_piece(index, piece)
        if answer.usage is not None:
            yield UsageReport(Usage(**attrs.asdict(answer.usage)))
        if answer.error is not None:
            raise _error(answer)
        if answer.cut:
            raise errors.StreamCut(answer.message or "The answer was cut before its end.")
        yield Stopped(StopReason(answer.stop), answer.stop)

    def _transcript(self, model: str) -> tuple[Answer, ...]:
        if model not in self._answers:
            self._answers[model] = read_transcript(self._cwd / model)
        return self._answers[model]

    def _due(self, request: Request) -> Answer:
        place = sum(isinstance(message, AssistantMessage) for message in request.messages)
        attempts = _attempts(self._transcript(request.model), place)
        if not attempts:
            raise errors.RequestRefused(f"The transcript {request.model} has no answer number {place + 1}.")
        tried = self._attempts.get((request.session, place), 0)
        self._attempts[request.session, place] = tried + 1
        if tried >= len(attempts) and not attempts[-1].counts:
            raise errors.RequestRefused(f"The transcript {request.model} has no further try of answer {place + 1}.")
        return attempts[min(tried, len(attempts) - 1)]


def _attempts(answers: Sequence[Answer], place: int) -> list[Answer]:
    """The answer that becomes number `place` of the history (0-based), after those that fail before it."""
    group: list[Answer] = []
    for answer in answers:
        group.append(answer)
        if answer.counts:
            if place == 0:
                return group
            place -= 1
            group = []
    return group if place == 0 else []


def _as_stream_piece(index: int, piece: Piece) -> StreamPiece:
    if piece.text is not None:
        return TextPiece(piece.text)
    if piece.reasoning is not None:
        return ReasoningPiece(piece.reasoning, index)
    arguments = piece.arguments if isinstance(piece.arguments, str) else json.dumps(piece.arguments or {})
    return CallPiece(str(index), piece.call or "", arguments, piece.id)


def _error(answer: Answer) -> errors.AriesError:
    message = answer.message or f"The transcript says: {answer.error}."
    match answer.error:
        case "rate_limited":
            return errors.RateLimited(message, answer.after)
        case "overloaded":
            return errors.Overloaded(message, answer.after)
        case "network_down":
            return errors.NetworkDown(message, answer.after)
        case "auth_refused":
            return errors.AuthRefused(message)
        case "quota_exhausted":
            return errors.QuotaExhausted(message)
        case "context_overflow":
            return errors.ContextOverflow(message)
        case _:
            return errors.RequestRefused(message)
