"""A request in Gemini's format: the same input gives the same bytes, and a longer history the same prefix."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
from aries_provider_google.schemas import json_schema, openapi_schema
from aries_provider_google.signatures import SKIPPED, read_mark
from aries_provider_google.traits import GeminiTraits
from aries_provider_http.bodies import as_object
from aries_provider_http.results import LOST_RESULT, NO_TEXT, orphan_text, result_text
from aries_provider_http.wire_names import ToolNames

__all__ = ["Encoder"]

Record = dict[str, object]

_BUDGETS = {"low": 1_024, "medium": 8_192, "high": 24_576, "max": 24_576}


@frozen
class Encoder:
    """Encodes for one provider and one set of traits."""

    provider: str
    traits: GeminiTraits
    max_output: int | None = None
    """The model's own limit; a request for more is cut to it."""
    json_schema: Callable[[ToolSchema], Record] = json_schema
    openapi_schema: Callable[[ToolSchema], Record] = openapi_schema

    def body(self, request: Request, names: ToolNames) -> Record:
        """The record of a request; what is stable comes first."""
        found: Record = {}
        if request.system.strip():
            found["systemInstruction"] = {"parts": [{"text": request.system}]}
        if request.tools:
            tools = [self._declaration(tool, names) for tool in request.tools]
            found["tools"] = [{"functionDeclarations": tools}]
        config = self._config(request)
        if config:
            found["generationConfig"] = config
        return found | {"contents": list(self._contents(request, names))}

    def _declaration(self, tool: ToolSchema, names: ToolNames) -> Record:
        found: Record = {"name": names.to_wire(tool.name), "description": tool.description}
        if self.traits.schema_flavour == "openapi":
            return found | {"parameters": self.openapi_schema(tool)}
        return found | {"parametersJsonSchema": self.json_schema(tool)}

    def _config(self, request: Request) -> Record:
        config: Record = {}
        if request.max_output is not None:
            config["maxOutputTokens"] = min(request.max_output, self.max_output or request.max_output)
        if request.effort is not None and self.traits.thinking != "none":
            thinking: Record = {"includeThoughts": True}
            if self.traits.thinking == "level":
                thinking["thinkingLevel"] = self.traits.level_names.get(request.effort, request.effort)
            else:
                thinking["thinkingBudget"] = _BUDGETS.get(request.effort, -1)
            config["thinkingConfig"] = thinking
        return config

    def _contents(self, request: Request, names: ToolNames) -> Iterator[Record]:
        sent_ids: set[str] = set()
        open_calls: dict[str, tuple[ToolCall, str | None]] = {}
        distrusted = self.traits.distrusted.within(request.messages)
        for place, message in enumerate(request.messages):
            yield from _results(message.results if isinstance(message, ResultsMessage) else (), open_calls, names)
            open_calls = {}
            if isinstance(message, AssistantMessage):
                open_calls = {call.id: (call, _own_id(call, sent_ids)) for call in message.calls}
                wire_ids = {call_id: wire_id for call_id, (_, wire_id) in open_calls.items()}
                parts = list(self._parts(message, request.model if place >= distrusted else "", wire_ids, names))
                if parts:
                    yield {"role": "model", "parts": parts}
            elif isinstance(message, UserMessage):
                yield {"role": "user", "parts": _said(message)}
        yield from _results((), open_calls, names)

    def _parts(
        self, message: AssistantMessage, model: str, ids: dict[str, str | None], names: ToolNames
    ) -> Iterator[Record]:
        signature: str | None = None
        is_first_call = True
        for part in message.parts:
            if isinstance(part, Reasoning):
                kept = read_mark(part, self.provider, model)
                where, found = kept or ("", None)
                signature = found if where == "next" else signature
                if found and where == "thought":
                    yield {"text": part.text, "thought": True, "thoughtSignature": found}
                elif found and where == "blank":
                    yield {"text": "", "thoughtSignature": found}
            elif isinstance(part, ToolCall):
                if is_first_call and self.traits.needs_signatures:
                    signature = signature or SKIPPED
                yield _signed({"functionCall": _call(part, ids[part.id], names)}, signature)
                signature, is_first_call = None, False
            elif isinstance(part, Text):
                if part.text.strip() or signature:
                    yield _signed({"text": part.text}, signature)
                signature = None


def _said(message: UserMessage) -> list[Record]:
    seen: list[Record] = [{"inlineData": {"mimeType": one.media_type, "data": one.data}} for one in message.images]
    texts = [text for text in (message.text, message.volatile) if text.strip()] or ([] if seen else [NO_TEXT])
    said: list[Record] = [{"text": text} for text in texts]
    return seen + said


def _own_id(call: ToolCall, sent: set[str]) -> str | None:
    """The server's own id, where it gave one that no earlier call has; without it, name and order tell."""
    if not call.wire_id or call.wire_id in sent:
        return None
    sent.add(call.wire_id)
    return call.wire_id


def _signed(part: Record, signature: str | None) -> Record:
    return part | ({"thoughtSignature": signature} if signature else {})


def _call(call: ToolCall, wire_id: str | None, names: ToolNames) -> Record:
    given = as_object(call.arguments) or {}
    found: Record = {"id": wire_id} if wire_id else {}
    return found | {"name": names.to_wire(call.name), "args": given}


def _results(
    results: tuple[ToolResult, ...], calls: dict[str, tuple[ToolCall, str | None]], names: ToolNames
) -> Iterator[Record]:
    """All answers of a step in one content, as many as there were calls and in their order."""
    given = {result.call_id: result for result in results}
    parts: list[Record] = []
    for call, wire_id in calls.values():
        result = given.pop(call.id, None)
        is_error = result is None or result.is_error
        text = LOST_RESULT if result is None else result_text(result)
        answer: Record = {"id": wire_id} if wire_id else {}
        answer |= {"name": names.to_wire(call.name), "response": {"error" if is_error else "output": text}}
        parts.append({"functionResponse": answer})
    if parts:
        yield {"role": "user", "parts": parts}
    if given:
        yield {"role": "user", "parts": [{"text": orphan_text(result)} for result in given.values()]}
