"""A request in the Messages format: the same input gives the same bytes, and a longer history the same prefix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

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
from aries_provider_anthropic.thinking import block_of, thinking_fields
from aries_provider_anthropic.traits import MessagesTraits
from aries_provider_http.bodies import as_object
from aries_provider_http.results import LOST_RESULT, NO_TEXT, orphan_text, result_text
from aries_provider_http.schemas import as_plain_object, inlined
from aries_provider_http.wire_names import ToolNames, WireIds

__all__ = ["Encoder", "input_schema"]

Block = dict[str, object]

_CACHED = {"type": "ephemeral"}
_UNKNOWN_MAX_OUTPUT = 16_384


def input_schema(tool: ToolSchema) -> Block:
    """The schema as this server takes it: no references, no choice at its top."""
    return as_plain_object(inlined(tool.parameters))


@frozen
class Encoder:
    """Encodes for one provider and one set of traits."""

    provider: str
    traits: MessagesTraits
    max_output: int | None = None
    """The model's own limit; a request for more is cut to it."""
    schema: Callable[[ToolSchema], Block] = input_schema

    def body(self, request: Request, names: ToolNames) -> Block:
        """The record of a request for an answer."""
        limit = self._limit(request)
        head: Block = {"model": request.model, "max_tokens": limit, "stream": True}
        return head | thinking_fields(request, self.traits, limit, self.provider) | self._prompt(request, names)

    def count_body(self, request: Request, names: ToolNames) -> Block:
        """The record of a request to count the tokens."""
        thinking = thinking_fields(request, self.traits, self._limit(request), self.provider)
        return {"model": request.model} | thinking | self._prompt(request, names)

    def _limit(self, request: Request) -> int:
        traits = self.traits
        limits = [request.max_output, self.max_output, traits.max_output]
        if len(request.messages) >= traits.squeezed_from:
            limits.append(traits.squeezed_output)
        known = [limit for limit in limits if limit is not None]
        return min(known) if known else _UNKNOWN_MAX_OUTPUT

    def _prompt(self, request: Request, names: ToolNames) -> Block:
        """What is stable comes first; the marks are where a later request finds what this one has stored."""
        found: Block = {}
        tools = [self._tool(tool, names) for tool in request.tools]
        messages = list(self._messages(request, names))
        system: list[Block] = [{"type": "text", "text": request.system}] if request.system.strip() else []
        if self.traits.supports_cache_control:
            said = [_content(message)[-1] for message in messages if message["role"] == "user"]
            for spot in [*tools[-1:], *system[-1:], *said[-2:]]:
                spot["cache_control"] = _CACHED
        if tools:
            found["tools"] = tools
        if system:
            found["system"] = system
        return found | {"messages": messages}

    def _tool(self, tool: ToolSchema, names: ToolNames) -> Block:
        return {"name": names.to_wire(tool.name), "description": tool.description, "input_schema": self.schema(tool)}

    def _messages(self, request: Request, names: ToolNames) -> Iterator[Block]:
        ids = WireIds("block")
        open_calls: dict[str, tuple[ToolCall, str]] = {}
        distrusted = self.traits.distrusted.within(request.messages)
        for place, message in enumerate(request.messages):
            results = message.results if isinstance(message, ResultsMessage) else ()
            yield from _results(results, open_calls)
            open_calls = {}
            if isinstance(message, AssistantMessage):
                open_calls = {call.id: (call, ids.give(call)) for call in message.calls}
                blocks = list(self._answer(message, request.model if place >= distrusted else "", open_calls, names))
                while blocks and blocks[-1]["type"] in ("thinking", "redacted_thinking"):
                    blocks.pop()  # The server refuses an answer that ends in its thinking.
                if blocks:
                    yield {"role": "assistant", "content": blocks}
            elif isinstance(message, UserMessage):
                yield {"role": "user", "content": _said(message)}
        yield from _results((), open_calls)

    def _answer(
        self,
        message: AssistantMessage,
        model: str,
        calls: Mapping[str, tuple[ToolCall, str]],
        names: ToolNames,
    ) -> Iterator[Block]:
        for part in message.parts:
            match part:
                case Reasoning():
                    block = block_of(part, self.provider, model)
                    if block is not None:
                        yield block
                case Text():
                    if part.text.strip():
                        yield {"type": "text", "text": part.text}
                case ToolCall():
                    given = as_object(part.arguments) or {}
                    name = names.to_wire(part.name)
                    yield {"type": "tool_use", "id": calls[part.id][1], "name": name, "input": given}


def _said(message: UserMessage) -> list[Block]:
    seen: list[Block] = [
        {"type": "image", "source": {"type": "base64", "media_type": one.media_type, "data": one.data}}
        for one in message.images
    ]
    texts = [text for text in (message.text, message.volatile) if text.strip()] or ([] if seen else [NO_TEXT])
    said: list[Block] = [{"type": "text", "text": text} for text in texts]
    return seen + said


def _results(results: tuple[ToolResult, ...], calls: Mapping[str, tuple[ToolCall, str]]) -> Iterator[Block]:
    """All results of an answer in one message, in the order of its calls, before any text."""
    given = {result.call_id: result for result in results}
    blocks: list[Block] = []
    for call, wire_id in calls.values():
        result = given.pop(call.id, None)
        block: Block = {"type": "tool_result", "tool_use_id": wire_id}
        block["content"] = [{"type": "text", "text": LOST_RESULT if result is None else result_text(result)}]
        if result is None or result.is_error:
            block["is_error"] = True
        blocks.append(block)
    blocks += [{"type": "text", "text": orphan_text(result)} for result in given.values()]
    if blocks:
        yield {"role": "user", "content": blocks}


def _content(message: Block) -> list[Block]:
    content = message["content"]
    assert isinstance(content, list)
    return content
