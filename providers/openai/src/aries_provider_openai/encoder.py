"""A request as bytes: the same input gives the same bytes, and a longer history the same prefix."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

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
from aries_provider_openai.compat import Compat
from aries_provider_openai.tool_schemas import tool_record

__all__ = ["Encoder"]

Record = dict[str, object]

_REASONING_FIELDS = ("reasoning_content", "reasoning", "reasoning_text")
_AFTER_RESULTS = "I have read the results."
_CACHED: Record = {"type": "ephemeral"}


@frozen
class Encoder:
    """Encodes for one provider and one compat record."""

    provider: str
    compat: Compat
    max_output: int | None = None
    """The model's own limit; a request for more is cut to it."""

    def body(self, request: Request, names: ToolNames) -> Record:
        """The request's record; what is stable comes first."""
        compat = self.compat
        body: Record = {"model": request.model, "stream": True}
        if compat.usage_in_stream:
            body["stream_options"] = {"include_usage": True}
        if compat.supports_store:
            body["store"] = False
        if compat.session_affinity and request.session:
            body[compat.session_affinity] = request.session
        limit = self._limit(request)
        if limit is not None:
            body[compat.max_tokens_field] = limit
        body |= _effort(compat, request.effort)
        if request.tools:
            body["tools"] = [tool_record(tool, compat, names) for tool in request.tools]
            if compat.states_parallel_calls:
                body["parallel_tool_calls"] = True
        body["messages"] = self._messages(request, names)
        return self._with_cache_marks(body) if compat.cache_control_format else body

    def _limit(self, request: Request) -> int | None:
        if request.max_output is None or self.max_output is None:
            return request.max_output
        return min(request.max_output, self.max_output)

    def _messages(self, request: Request, names: ToolNames) -> list[Record]:
        made: list[Record] = []
        if request.system:
            role = "developer" if self.compat.supports_developer_role else "system"
            made.append({"role": role, "content": request.system})
        ids = WireIds(self.compat.tool_id_rule)
        open_calls: dict[str, tuple[ToolCall, str]] = {}
        for message in request.messages:
            if isinstance(message, ResultsMessage):
                made += self._results(message.results, open_calls, names)
                open_calls = {}
                continue
            made += self._results((), open_calls, names)
            open_calls = {}
            if isinstance(message, AssistantMessage):
                open_calls = {call.id: (call, ids.give(call)) for call in message.calls}
                made += self._answer(message, request.model, open_calls, names)
            else:
                if self.compat.requires_assistant_after_tool_result and made and made[-1]["role"] == "tool":
                    made.append({"role": "assistant", "content": _AFTER_RESULTS})
                made.append({"role": "user", "content": _user_content(message)})
        return [*made, *self._results((), open_calls, names)]

    def _answer(
        self, message: AssistantMessage, model: str, calls: Mapping[str, tuple[ToolCall, str]], names: ToolNames
    ) -> list[Record]:
        text = message.text
        reasoning = self._reasoning(message, model)
        if not text.strip() and not calls and not reasoning:
            return []
        record: Record = {"role": "assistant", "content": text if text.strip() else None}
        if self.compat.requires_reasoning_content_on_assistant:
            record["reasoning_content"] = ""
        record |= reasoning
        if calls:
            extras = self._extras(message, model)
            record["tool_calls"] = [
                _call(call, wire_id, names) | extras.get(str(place), {})
                for place, (call, wire_id) in enumerate(calls.values())
            ]
        elif record["content"] is None:
            record["content"] = ""
        return [record]

    def _reasoning(self, message: AssistantMessage, model: str) -> Record:
        found: Record = {}
        for text, opaque in self._own_reasoning(message, model):
            field = opaque.get("field")
            if field in _REASONING_FIELDS and text:
                found[field] = str(found.get(field, "")) + text
            details = opaque.get("details")
            if isinstance(details, list):
                found["reasoning_details"] = [*_records(found.get("reasoning_details")), *details]
        return {name: value for name, value in found.items() if value}

    def _extras(self, message: AssistantMessage, model: str) -> dict[str, Record]:
        found: dict[str, Record] = {}
        for _, opaque in self._own_reasoning(message, model):
            extras = opaque.get("extra_content")
            for place, extra in extras.items() if isinstance(extras, dict) else ():
                found[place] = {"extra_content": extra}
        return found

    def _own_reasoning(self, message: AssistantMessage, model: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """What this model itself thought in this answer; nobody else can read it."""
        for part in message.parts:
            if isinstance(part, Reasoning) and (part.provider, part.model) == (self.provider, model):
                yield part.text, _opaque(part)

    def _results(
        self, results: tuple[ToolResult, ...], calls: Mapping[str, tuple[ToolCall, str]], names: ToolNames
    ) -> Iterator[Record]:
        """A `tool` message for each call, in the order of the calls; servers refuse a history where one lacks."""
        given = {result.call_id: result for result in results}
        for call, wire_id in calls.values():
            result = given.pop(call.id, None)
            record: Record = {"role": "tool", "tool_call_id": wire_id}
            if self.compat.requires_tool_result_name:
                record["name"] = names.to_wire(call.name)
            record["content"] = LOST_RESULT if result is None else result_text(result)
            yield record
        for result in given.values():
            yield {"role": "user", "content": orphan_text(result)}

    def _with_cache_marks(self, body: Record) -> Record:
        # Texts are blocks in every request, marked or not: a shape that changes with the mark breaks the prefix.
        messages = [_as_blocks(one) for one in _records(body["messages"])]
        spots = [one for one in messages if one["role"] in ("system", "developer")][:1]
        spots += [one for one in messages if one["role"] in ("user", "tool")][-1:]
        for spot in spots:
            _records(spot["content"])[-1]["cache_control"] = _CACHED
        tools = _records(body.get("tools"))
        if tools:
            tools[-1] = {**tools[-1], "cache_control": _CACHED}
        return {**body, **({"tools": tools} if tools else {}), "messages": messages}


def _records(value: object) -> list[Record]:
    return list(value) if isinstance(value, list) else []


def _as_blocks(message: Record) -> Record:
    if message["role"] == "assistant" or isinstance(message["content"], list):
        return message
    return {**message, "content": [{"type": "text", "text": message["content"]}]}


def _user_content(message: UserMessage) -> object:
    """A text; with pictures, a list of parts."""
    if not message.images:
        return _user_text(message)
    seen: list[Record] = [
        {"type": "image_url", "image_url": {"url": f"data:{one.media_type};base64,{one.data}"}}
        for one in message.images
    ]
    return [{"type": "text", "text": _user_text(message)}, *seen]


def _user_text(message: UserMessage) -> str:
    return "\n\n".join(text for text in (message.text, message.volatile) if text.strip()) or NO_TEXT


def _call(call: ToolCall, wire_id: str, names: ToolNames) -> Record:
    # Servers parse old calls again, some in templates that take an object only; the result tells what was wrong.
    arguments = call.arguments if is_object(call.arguments) else "{}"
    return {
        "id": wire_id,
        "type": "function",
        "function": {"name": names.to_wire(call.name), "arguments": arguments},
    }


def _opaque(part: Reasoning) -> dict[str, Any]:
    try:
        found = json.loads(part.opaque or "{}")
    except (ValueError, RecursionError):
        return {}  # Not written by us: nothing can be said about its field, so it is not sent.
    return found if isinstance(found, dict) else {}


def _effort(compat: Compat, effort: str | None) -> Record:
    # What is thought would otherwise stand in the middle of the text, and with tools be refused.
    form: Record = {"reasoning_format": "parsed"} if compat.thinking_format == "groq" else {}
    return form | (_named_effort(compat, effort) if effort is not None else {})


def _named_effort(compat: Compat, effort: str) -> Record:
    word = compat.effort_names.get(effort, effort)
    match compat.thinking_format:
        case "openrouter":
            return {"reasoning": {"effort": word}}
        case "deepseek":
            named: Record = {"reasoning_effort": word} if compat.supports_reasoning_effort else {}
            return {"thinking": {"type": "enabled"}} | named
        case "zai":
            return {"thinking": {"type": "enabled"}}
        case "qwen":
            return {"enable_thinking": True}
        case "chat-template":
            return {"chat_template_kwargs": {"enable_thinking": True}}
        case _:
            return {"reasoning_effort": word} if compat.supports_reasoning_effort else {}
