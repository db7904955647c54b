"""Calls that tools make: what code inside a tool asks for takes the same way as what the model asks for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field

from aries_kernel.contracts.tool import Tool, ToolOutput
from aries_kernel.errors import AriesError, Refused, ToolFailed
from aries_kernel.events import Events
from aries_kernel.loop.gate import Gate
from aries_kernel.loop.running import effects_of
from aries_kernel.model.messages import ResultStatus, ToolCall, ToolResult
from aries_kernel.model.session import SessionInfo
from aries_kernel.session.entries import InnerCallEnded
from aries_kernel.settings.schema import Mode
from aries_kernel.tools.registry import Toolbox
from aries_kernel.tools.schema import parse_arguments

__all__ = ["SessionCalls"]


@define
class _Way:
    """What a call passes through; known once the session is put together."""

    toolbox: Toolbox
    gate: Gate
    clamp: Mode | None
    info: SessionInfo
    events: Events
    record: Callable[[InnerCallEnded], None]
    redact: Callable[[str], str]


@define
class SessionCalls:
    """The inner calls of one session."""

    _way: _Way | None = None
    _count: int = 0
    _asking: asyncio.Lock = field(factory=asyncio.Lock)

    def open(
        self,
        toolbox: Toolbox,
        gate: Gate,
        clamp: Mode | None,
        events: Events,
        *,
        record: Callable[[InnerCallEnded], None] = lambda entry: None,
        redact: Callable[[str], str] = str,
    ) -> None:
        """Let calls pass from now on; `clamp` is the phase's mode."""
        self._way = _Way(toolbox, gate, clamp, gate.info, events, record, redact)

    async def __call__(self, name: str, arguments: Mapping[str, object]) -> ToolOutput:
        """Run the tool `name`, whether the phase shows it or not: what may happen is the policy's to say.

        Raises: Refused, UnknownName, BadArguments, ToolFailed, PluginError.
        """
        way = self._way
        if way is None:
            raise Refused("No session is open that could judge this call.")
        self._count += 1
        call = ToolCall(f"inner_{self._count}", name, json.dumps(arguments))
        try:
            output = await self._run(way, call)
        except Refused as error:
            self._end(way, call, ResultStatus.REFUSED, f"Refused: {error}")
            raise
        except AriesError as error:
            self._end(way, call, ResultStatus.ERROR, str(error))
            raise
        except asyncio.CancelledError:
            self._end(way, call, ResultStatus.INTERRUPTED, "Interrupted; it may have had effects.")
            raise
        self._end(way, call, ResultStatus.ERROR if output.is_error else ResultStatus.OK, output.text)
        return output

    async def _run(self, way: _Way, call: ToolCall) -> ToolOutput:
        tool = way.toolbox.get(call.name)
        parsed = parse_arguments(tool.arguments, call.arguments)
        async with self._asking:
            # One question at a time, however many threads the code has.
            await way.gate.admit(call, tool, effects_of(tool, parsed), way.clamp)
        output = await self._do(tool, parsed)
        if output.changed:
            way.events.files_changed(session=way.info, paths=output.changed)
        return output

    @staticmethod
    async def _do(tool: Tool, arguments: Any) -> ToolOutput:
        try:
            return await tool.run(arguments)
        except AriesError:
            raise
        except Exception as error:
            # A defect of the tool's author must not end the code that called it without a word.
            raise ToolFailed(f"The tool {tool.name} failed inside: {type(error).__name__}: {error}") from error

    @staticmethod
    def _end(way: _Way, call: ToolCall, status: ResultStatus, text: str) -> None:
        kept = ToolCall(call.id, call.name, way.redact(call.arguments))
        result = ToolResult(call.id, call.name, status, way.redact(text))
        way.record(InnerCallEnded(kept, result))
        way.events.after_tool(session=way.info, call=call, result=result)
