"""A request in the Responses format: the same input gives the same bytes, and a longer history the same prefix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from aries_kernel.model.messages import (
    AssistantMessage,
    Reasoning,
    ResultsMessage,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)
from aries_kernel.model.request import Request, ToolSchema
from aries_provider_http.bodies import is_object
from aries_provider_http.results import LOST_RESULT, NO_TEXT, orphan_text, result_text
from aries_provider_http.schemas import as_plain_object
from aries_provider_http.wire_names import ToolNames, WireIds
from aries_provider_openai.compat import Compat
from aries_provider_openai.responses.keeping import Follower, read_kept

__all__ = ["ResponsesEncoder"]

Record = dict[str, object]


@frozen
class ResponsesEncoder:
    """Encodes for one provider and one compat record. The server keeps nothing; all of the history is sent."""

    provider: str
    compat: Compat
    max_output: int | None = None
    """The model's own limit; a request for more is cut to it."""

    def body(self, request: Request, names: ToolNames) -> Record:
        """The request's record; what is stable comes first."""
        compat = self.compat
        body: Record = {"model": request.model, "stream": True, "store": False}
        if compat.supports_reasoning_effort:
            body["include"] = ["reasoning.encrypted_content"]
        if compat.session_affinity and request.session:
            body[compat.session_affinity] = request.session
        if request.max_output is not None:
            body["max_output_tokens"] = min(request.max_output, self.max_output or request.max_output)
        reasoning = self._reasoning(request.effort)
        if reasoning:
            body["reasoning"] = reasoning
        if request.system.strip():
            body["instructions"] = request.system
        if request.tools:
            body["tools"] = [_tool(tool, names) for tool in request.tools]
            body["parallel_tool_calls"] = True
        return body | {"input": list(self._items(request, names))}

    def _reasoning(self, effort: str | None) -> Record:
        if not self.compat.supports_reasoning_effort:
            return {}
        found: Record = {} if effort is None else {"effort": self.compat.effort_names.get(effort, effort)}
        return found | ({"summary": "auto"} if self.compat.shows_reasoning else {})

    def _items(self, request: Request, names: ToolNames) -> Iterator[Record]:
        ids = WireIds("block")
        open_calls: dict[str, tuple[ToolCall, str]] = {}
        distrusted = self.compat.distrusted.within(request.messages)
        for place, message in enumerate(request.messages):
            yield from _results(message.results if isinstance(message, ResultsMessage) else (), open_calls)
            open_calls = {}
            if isinstance(message, AssistantMessage):
                open_calls = {call.id: (call, ids.give(call)) for call in message.calls}
                model = request.model if place >= distrusted else ""
                yield from self._answer(message, model, open_calls, names)
            elif isinstance(message, UserMessage):
                yield _message("user", _user_content(message))
        yield from _results((), open_calls)

    def _answer(
        self, message: AssistantMessage, model: str, calls: Mapping[str, tuple[ToolCall, str]], names: ToolNames
    ) -> Iterator[Record]:
        held: list[Record] = []
        follower: Follower | None = None
        for part in message.parts:
            if isinstance(part, Reasoning):
                kept = read_kept(part, self.provider, model)
                held += [kept.item] if kept and kept.item else []
                follower = kept.follower if kept else follower
                continue
            if isinstance(part, Text) and not part.text.strip():
                continue
            # A reasoning item goes with its follower; one that was left alone is refused.
            yield from held
            expected = follower if follower is not None else Follower("")
            if isinstance(part, ToolCall):
                yield _call(part, calls[part.id][1], names, expected)
            else:
                yield _said(part, expected)
            held, follower = [], None


def _user_content(message: UserMessage) -> list[Record]:
    seen: list[Record] = [
        {"type": "input_image", "image_url": f"data:{one.media_type};base64,{one.data}", "detail": "auto"}
        for one in message.images
    ]
    texts = [text for text in (message.text, message.volatile) if text.strip()] or ([] if seen else [NO_TEXT])
    said: list[Record] = [{"type": "input_text", "text": text} for text in texts]
    return seen + said


def _message(role: str, content: object) -> Record:
    return {"type": "message", "role": role, "content": content}


def _said(part: Text, known: Follower) -> Record:
    if known.kind != "message":
        return _message("assistant", part.text)
    phase: Record = {"phase": known.phase} if known.phase else {}
    if known.id is None:
        return _message("assistant", part.text) | phase
    content = [{"type": "output_text", "text": part.text, "annotations": []}]
    return {"id": known.id, "status": "completed"} | _message("assistant", content) | phase


def _call(call: ToolCall, call_id: str, names: ToolNames, known: Follower) -> Record:
    own_id: Record = {"id": known.id} if known.kind == "function_call" and known.id else {}
    arguments = call.arguments if is_object(call.arguments) else "{}"
    name = names.to_wire(call.name)
    return {"type": "function_call"} | own_id | {"call_id": call_id, "name": name, "arguments": arguments}


def _tool(tool: ToolSchema, names: ToolNames) -> Record:
    return {
        "type": "function",
        "name": names.to_wire(tool.name),
        "description": tool.description,
        "parameters": as_plain_object(tool.parameters),
        "strict": False,
    }


def _results(results: tuple[ToolResult, ...], calls: Mapping[str, tuple[ToolCall, str]]) -> Iterator[Record]:
    given = {result.call_id: result for result in results}
    for call, call_id in calls.values():
        result = given.pop(call.id, None)
        text = LOST_RESULT if result is None else result_text(result)
        yield {"type": "function_call_output", "call_id": call_id, "output": text}
    for result in given.values():
        yield _message("user", [{"type": "input_text", "text": orphan_text(result)}])
