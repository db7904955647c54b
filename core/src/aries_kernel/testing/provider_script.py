"""Scripted answers of a model, and what comes out for them, for the suites of providers."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import aclosing
from typing import TypeVar

from attrs import frozen

from aries_kernel.contracts.provider import Provider
from aries_kernel.errors import (
    AriesError,
)
from aries_kernel.model.messages import (
    Message,
    StopReason,
    UserMessage,
)
from aries_kernel.model.request import Request, ToolSchema
from aries_kernel.model.stream import CallPiece, StreamPiece, TextPiece, UsageReport
from aries_kernel.model.usage import Usage

__all__ = [
    "COMMANDS",
    "ScriptedAnswer",
    "ScriptedCall",
    "ScriptedFault",
    "collect",
    "joined_calls",
    "joined_text",
    "last_usage",
    "run_limited",
    "sample_request",
]

Result = TypeVar("Result")

_LIMIT_SECONDS = 10.0
COMMANDS = ('{"command":"echo one"}', '{"command":"echo \\"two\\" ü {}"}')
"""Arguments of calls, as they stand in an answer."""


@frozen
class ScriptedCall:
    """A call in an answer. `arguments` is sent as it stands, also where it is no complete JSON."""

    name: str
    arguments: str
    wire_id: str | None = None


@frozen
class ScriptedFault:
    """A refusal that must come out as `error`. `after`: the wait the server asks for.

    `in_answer`: it comes inside an answer that began well, after its text.
    """

    error: type[AriesError]
    after: float | None = None
    in_answer: bool = False


@frozen
class ScriptedAnswer:
    """What the model says. Without `stop` and `fault` the answer breaks off after its last piece."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    stop: StopReason | None = StopReason.END
    usage: Usage | None = None
    fault: ScriptedFault | None = None
    stalls: bool = False
    """After its last piece nothing more is sent and nothing is closed."""


def sample_request(model: str, *messages: Message, max_output: int | None = None) -> Request:
    """A request with a system text and a tool `Bash`."""
    parameters = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}
    tool = ToolSchema("Bash", "Runs a command.", parameters)
    said = messages or (UserMessage("Say hi."),)
    return Request(model, "You are a test.", (tool,), said, session="s-1", max_output=max_output)


async def collect(provider: Provider, request: Request) -> list[StreamPiece]:
    """All pieces of one answer."""
    async with aclosing(provider.stream(request)) as pieces:
        return [piece async for piece in pieces]


def joined_calls(pieces: Sequence[StreamPiece]) -> list[tuple[str, str, str | None]]:
    """The calls of an answer as (name, arguments, wire id), put together the way the loop does it."""
    found: dict[str, tuple[str, str, str | None]] = {}
    for piece in pieces:
        if isinstance(piece, CallPiece):
            name, arguments, wire_id = found.get(piece.key, ("", "", None))
            found[piece.key] = (name or piece.name, arguments + piece.arguments, piece.wire_id or wire_id)
    return list(found.values())


def run_limited(work: Coroutine[object, object, Result]) -> Result:
    """Run to the end; nothing that a suite does may take longer than its limit."""
    return asyncio.run(asyncio.wait_for(work, _LIMIT_SECONDS))


def joined_text(pieces: Sequence[StreamPiece]) -> str:
    """The text of an answer."""
    return "".join(piece.text for piece in pieces if isinstance(piece, TextPiece))


def last_usage(pieces: Sequence[StreamPiece]) -> Usage | None:
    """The last report of usage; None where there is none."""
    return next((piece.usage for piece in reversed(pieces) if isinstance(piece, UsageReport)), None)
