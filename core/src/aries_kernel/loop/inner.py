"""Calls that tools make: what code inside a tool asks for takes the same way as what the model asks for."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field

from aries_kernel.contracts.tool import ModelSaid, Tool, ToolOutput
from aries_kernel.errors import AriesError, Refused, ToolFailed
from aries_kernel.events import Events
from aries_kernel.loop.errands import CodeQuestions
from aries_kernel.loop.gate import Gate
from aries_kernel.loop.running import effects_of
from aries_kernel.loop.undoing import Undo
from aries_kernel.model.events import CodeSaid, TurnEvent
from aries_kernel.model.messages import ResultStatus, ToolCall, ToolResult
from aries_kernel.session.entries import CodeSpoke, InnerCallEnded
from aries_kernel.settings.schema import Mode
from aries_kernel.tools.registry import Toolbox
from aries_kernel.tools.schema import parse_arguments

__all__ = ["SessionCalls", "Way"]


def _silent(event: TurnEvent) -> None:
    return


@define
class Way:
    """What a call passes through; known once the session is put together."""

    toolbox: Toolbox
    gate: Gate
    clamp: Mode | None
    """The phase's mode."""
    events: Events
    redact: Callable[[str], str] = str
    record: Callable[[InnerCallEnded | CodeSpoke], None] = lambda entry: None
    show: Callable[[TurnEvent], None] = _silent
    undo: Undo | None = None
    """None: what is written stays."""
    models: CodeQuestions | None = None
    """None: there is no model that code could ask."""


@define
class SessionCalls:
    """What one session does for code that its tools run."""

    _way: Way | None = None
    _count: int = 0
    _asking: asyncio.Lock = field(factory=asyncio.Lock)

    def open(self, way: Way) -> None:
        """Let calls pass from now on."""
        self._way = way

    def _opened(self) -> Way:
        if self._way is None:
            raise Refused("No session is open that could judge this call.")
        return self._way

    async def ask_person(self, question: str) -> str:
        """Ask the person, when no other question is open.

        Raises: Refused where nobody is there.
        """
        way = self._opened()
        asked = way.redact(question)
        async with self._asking:
            answer = await way.gate.person.answer(asked)
        if answer is None:
            raise Refused("nobody can be asked here. End with the question as your answer.")
        way.record(CodeSpoke(asked, way.redact(answer)))
        return answer

    def show_person(self, text: str) -> None:
        """Show the person a text now, in the log before it is on the screen."""
        way = self._opened()
        shown = way.redact(text)
        way.record(CodeSpoke(shown))
        way.show(CodeSaid(shown))

    async def ask_model(self, prompt: str, *, max_output: int) -> ModelSaid:
        """One question to the cheap slot.

        Raises: Refused where there is no model or no budget for it; as `Errands.ask`.
        """
        way = self._opened()
        if way.models is None:
            raise Refused("no model is set up for small questions; name one in the settings: models.cheap.model.")
        return await way.models.ask(way.redact(prompt), max_output)

    async def __call__(self, name: str, arguments: Mapping[str, object]) -> ToolOutput:
        """Run the tool `name`, whether the phase shows it or not: what may happen is the policy's to say.

        Raises: Refused, UnknownName, BadArguments, ToolFailed, PluginError.
        """
        way = self._opened()
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

    async def admit(
        self, name: str, arguments: Mapping[str, object], *, after: Mapping[str, object] | None = None
    ) -> None:
        """Whether a call would be let pass; a refusal is in the log.

        Raises: Refused, UnknownName, BadArguments, ToolFailed, PluginError.
        """
        way = self._opened()
        self._count += 1
        call = ToolCall(f"inner_{self._count}", name, json.dumps(arguments))
        tool = way.toolbox.get(name)
        effects = effects_of(tool, parse_arguments(tool.arguments, call.arguments))
        passed = None if after is None else effects_of(tool, parse_arguments(tool.arguments, json.dumps(after)))
        try:
            async with self._asking:
                await way.gate.admit(call, tool, effects, way.clamp, passed=passed)
        except Refused as error:
            self._end(way, call, ResultStatus.REFUSED, f"Refused: {error}")
            raise

    async def _run(self, way: Way, call: ToolCall) -> ToolOutput:
        tool = way.toolbox.get(call.name)
        parsed = parse_arguments(tool.arguments, call.arguments)
        effects = effects_of(tool, parsed)
        async with self._asking:
            # One question at a time, however many threads the code has.
            await way.gate.admit(call, tool, effects, way.clamp)
        with contextlib.nullcontext() if way.undo is None else way.undo.watching(effects):
            output = await self._do(tool, parsed)
        if output.changed:
            way.events.files_changed(session=way.gate.info, paths=output.changed)
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
    def _end(way: Way, call: ToolCall, status: ResultStatus, text: str) -> None:
        kept = ToolCall(call.id, call.name, way.redact(call.arguments))
        result = ToolResult(call.id, call.name, status, way.redact(text))
        way.record(InnerCallEnded(kept, result))
        way.events.after_tool(session=way.gate.info, call=call, result=result)
