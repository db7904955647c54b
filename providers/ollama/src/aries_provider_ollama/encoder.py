"""A request as Ollama's `/api/chat` takes it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from attrs import frozen

from aries_kernel.model.messages import (
    AssistantMessage,
    Reasoning,
    ResultsMessage,
    ToolCall,
    ToolResult,
    UserMessage,
)
from aries_kernel.model.request import Request
from aries_provider_http.bodies import is_object
from aries_provider_http.results import LOST_RESULT, NO_TEXT, orphan_text, result_text
from aries_provider_http.wire_names import ToolNames, WireIds
from aries_provider_ollama.traits import Traits

__all__ = ["Encoder"]

Record = dict[str, object]


@frozen
class Encoder:
    """Encodes for one model; `window` is what every request asks for, so that the server never reloads for it."""

    traits: Traits
    window: int | None
    max_output: int | None
    keep_alive: str | None
    provider: str

    def body(self, request: Request, names: ToolNames) -> Record:
        """The request's record; what is stable comes first."""
        body: Record = {"model": request.model, "stream": True, "options": self._options(request)}
        # Without these, a conversation that does not fit loses its beginning, and nobody is told.
        body |= {"truncate": False, "shift": False}
        if self.keep_alive is not None:
            body["keep_alive"] = self.keep_alive
        if request.effort is not None and self.traits.thinks:
            body["think"] = ("high" if request.effort == "max" else request.effort) if self.traits.has_levels else True
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": names.to_wire(tool.name),
                        "description": tool.description,
                        "parameters": {**tool.parameters, "type": "object"},
                    },
                }
                for tool in request.tools
            ]
        body["messages"] = list(self._messages(request, names))
        return body

    def _options(self, request: Request) -> Record:
        limits = [size for size in (request.max_output, self.max_output) if size is not None]
        options: Record = {} if self.window is None else {"num_ctx": self.window}
        return options | ({"num_predict": min(limits)} if limits else {})

    def _messages(self, request: Request, names: ToolNames) -> Iterator[Record]:
        if request.system:
            yield {"role": "system", "content": request.system}
        ids, calls = WireIds("standard"), dict[str, tuple[ToolCall, str]]()
        for message in request.messages:
            if isinstance(message, ResultsMessage):
                yield from _results(message.results, calls, names)
                calls = {}
                continue
            yield from _results((), calls, names)
            calls = {}
            if isinstance(message, AssistantMessage):
                calls = {call.id: (call, ids.give(call)) for call in message.calls}
                yield self._answer(message, request.model, calls, names)
            else:
                seen: Record = {"images": [one.data for one in message.images]} if message.images else {}
                yield {"role": "user", "content": _said(message)} | seen
        yield from _results((), calls, names)

    def _answer(
        self, message: AssistantMessage, model: str, calls: Mapping[str, tuple[ToolCall, str]], names: ToolNames
    ) -> Record:
        record: Record = {"role": "assistant", "content": message.text}
        own = [
            part.text
            for part in message.parts
            if isinstance(part, Reasoning) and (part.provider, part.model) == (self.provider, model)
        ]
        if any(own):
            record["thinking"] = "".join(own)
        if calls:
            record["tool_calls"] = [
                {
                    "id": wire_id,
                    "function": {"name": names.to_wire(call.name), "arguments": _arguments(call.arguments)},
                }
                for call, wire_id in calls.values()
            ]
        return record


def _results(
    results: tuple[ToolResult, ...], calls: Mapping[str, tuple[ToolCall, str]], names: ToolNames
) -> Iterator[Record]:
    """One message for each call, in the order of the calls: templates of models count on it."""
    given = {result.call_id: result for result in results}
    for call, wire_id in calls.values():
        result = given.pop(call.id, None)
        text = LOST_RESULT if result is None else result_text(result)
        yield {"role": "tool", "content": text, "tool_name": names.to_wire(call.name), "tool_call_id": wire_id}
    for result in given.values():
        yield {"role": "user", "content": orphan_text(result)}


def _said(message: UserMessage) -> str:
    return "\n\n".join(text for text in (message.text, message.volatile) if text.strip()) or NO_TEXT


def _arguments(raw: str) -> Record:
    """An object, as the server wants it; the result of a call whose arguments were none says what was wrong."""
    return dict(json.loads(raw)) if is_object(raw) else {}
