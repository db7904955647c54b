"""Running the calls of one answer: reads side by side, everything else in order."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import frozen

from aries_kernel.broker.effects import Effect
from aries_kernel.contracts.tool import Tool, ToolOutput
from aries_kernel.errors import AriesError, BadArguments, NotSetUp, PluginError, Refused, ToolFailed, UnknownName
from aries_kernel.events import Events
from aries_kernel.loop.gate import Gate
from aries_kernel.loop.phases import Exposure
from aries_kernel.loop.redaction import redacted
from aries_kernel.loop.undoing import Undo
from aries_kernel.model.events import CallFinished, CallStarted, Notice, TurnEvent
from aries_kernel.model.messages import AssistantMessage, ResultStatus, StopReason, ToolCall, ToolResult
from aries_kernel.model.session import SessionInfo
from aries_kernel.session.session import Session
from aries_kernel.tools.schema import parse_arguments

__all__ = ["CallRunner", "effects_of"]


@frozen
class _Ready:
    """A call that may run."""

    call: ToolCall
    tool: Tool
    arguments: Any
    effects: Sequence[Effect]


@frozen
class CallRunner:
    """Turns calls into results. Every call of an answer gets exactly one, whatever happens."""

    session: Session
    info: SessionInfo
    exposure: Exposure
    gate: Gate
    events: Events
    show: Callable[[TurnEvent], None]
    redact: Callable[[str], str]
    undo: Undo
    is_steered: Callable[[], bool]
    """Whether the person said something meanwhile; the calls not yet started are dropped then."""

    async def run(self, answer: AssistantMessage) -> tuple[ToolResult, ...]:
        """The results, in the order of the calls; each is stored as soon as it is there."""
        if answer.stop is not StopReason.END:
            return tuple(self._end(call, ResultStatus.NOT_RUN, _why_not(call, answer.stop)) for call in answer.calls)
        results: list[ToolResult] = []
        for group in self._groups(answer.calls):
            if self.is_steered():
                results += (self._end(call, ResultStatus.NOT_RUN, _STEERED) for call in group)
            else:
                results += await self._run_group(group)
        return tuple(results)

    def refuse(self, calls: Sequence[ToolCall], reason: str) -> tuple[ToolResult, ...]:
        """Results for calls that are not to run at all."""
        return tuple(self._end(call, ResultStatus.NOT_RUN, f"Not run. {reason}") for call in calls)

    def _groups(self, calls: Sequence[ToolCall]) -> Iterator[list[ToolCall]]:
        for is_read, group in itertools.groupby(calls, self._reads_only):
            if is_read:
                yield list(group)
            else:
                yield from ([call] for call in group)

    def _reads_only(self, call: ToolCall) -> bool:
        try:
            return self.exposure.find(call.name).reads_only
        except (UnknownName, NotSetUp, PluginError):
            return False

    async def _run_group(self, group: Sequence[ToolCall]) -> list[ToolResult]:
        # The questions come one after the other, before anything of the group starts.
        prepared = [await self._prepare(call) for call in group]
        return await asyncio.gather(*(self._finish(call, one) for call, one in zip(group, prepared, strict=True)))

    async def _prepare(self, call: ToolCall) -> _Ready | ToolResult:
        try:
            tool = self.exposure.find(call.name)
            arguments = parse_arguments(tool.arguments, call.arguments)
            effects = effects_of(tool, arguments)
            await self.gate.admit(call, tool, effects, self.exposure.clamp)
        except Refused as error:
            return self._end(call, ResultStatus.REFUSED, f"Refused: {error}")
        except (UnknownName, BadArguments, ToolFailed, PluginError) as error:
            return self._end(call, ResultStatus.ERROR, f"Not run. {error}")
        return _Ready(call, tool, arguments, effects)

    async def _finish(self, call: ToolCall, one: _Ready | ToolResult) -> ToolResult:
        if isinstance(one, ToolResult):
            return one
        self.session.begin_call(call)
        self.show(CallStarted(redacted(call, self.redact)))
        try:
            with self.undo.watching(one.effects):
                output = await one.tool.run(one.arguments)
            if not isinstance(output, ToolOutput):
                raise TypeError(f"run returned {type(output).__name__}, not ToolOutput")
        except (ToolFailed, Refused, BadArguments) as error:
            return self._end(call, ResultStatus.ERROR, str(error))
        except AriesError:
            raise
        except Exception as error:
            # A defect of the tool's author must not end the session; the person and the model both hear of it.
            self.show(Notice(f"The tool {call.name} failed inside: {type(error).__name__}: {error}"))
            text = f"The tool failed inside, it may have had effects: {type(error).__name__}: {error}"
            return self._end(call, ResultStatus.ERROR, text)
        if output.changed:
            self.events.files_changed(session=self.info, paths=output.changed)
        return self._end(call, ResultStatus.ERROR if output.is_error else ResultStatus.OK, output.text)

    def _end(self, call: ToolCall, status: ResultStatus, text: str) -> ToolResult:
        result = ToolResult(call.id, call.name, status, self.redact(text))
        self.session.end_call(result)
        self.show(CallFinished(result))
        self.events.after_tool(session=self.info, call=call, result=result)
        return result


_STEERED = "Not run: the person said something new; see the next message."


def effects_of(tool: Tool, arguments: Any) -> Sequence[Effect]:
    """What a call would touch.

    Raises: AriesError as the tool says; ToolFailed where it cannot say.
    """
    try:
        return tuple(tool.effects(arguments))
    except AriesError:
        raise
    except Exception as error:
        raise ToolFailed(f"The tool {tool.name} could not say what it would do: {error}") from error


def _why_not(call: ToolCall, stop: StopReason) -> str:
    if stop is StopReason.LENGTH:
        begun = call.arguments[:200]
        return (
            "Not run: the answer was cut at the model's output limit, so this call may be incomplete. "
            f"Ask again in smaller pieces. Its arguments began: {begun}"
        )
    return f"Not run: the answer did not end properly ({stop.value})."
