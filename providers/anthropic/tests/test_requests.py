"""What is asked for: thinking by model and effort, limits, schemas, counts, lists."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import attrs
import pytest
from anthropic.types.message_count_tokens_params import MessageCountTokensParams
from pydantic import TypeAdapter

from aries_kernel.contracts.provider import ListsModels, ProviderContext
from aries_kernel.errors import ConfigError, ContextOverflow, MissingKey
from aries_kernel.model.messages import (
    AssistantMessage,
    Message,
    ResultsMessage,
    ResultStatus,
    StopReason,
    ToolCall,
    ToolResult,
    UserMessage,
)
from aries_kernel.model.request import Request, ToolSchema
from aries_kernel.model.stream import Remark, StreamPiece
from aries_kernel.testing.provider_script import collect, sample_request
from aries_kernel.testing.vendor_types import assert_fits
from aries_kernel.testing.wire_server import RecordedRequest, Send, WireReply, WireServer
from aries_provider_anthropic.provider import AnthropicProvider, Options

KEY = "sk-ant-0123456789"
WHOLE = {"type": "message", "content": [{"type": "text", "text": "ok"}], "stop_reason": "end_turn"}
OK = WireReply((Send(json.dumps(WHOLE).encode()),))
COUNT: TypeAdapter[Any] = TypeAdapter(MessageCountTokensParams)
Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(asyncio.wait_for(work, 60))


def make(url: str, **options: Any) -> AnthropicProvider:
    return AnthropicProvider(ProviderContext(Options(base_url=url, **options), {"ANTHROPIC_API_KEY": KEY}, Path()))


def refusal(message: str, status: int = 400) -> WireReply:
    record = {"type": "error", "error": {"type": "invalid_request_error", "message": message}}
    return WireReply((Send(json.dumps(record).encode()),), status, framing="length")


def asked(*replies: WireReply, request: Request, times: int = 1) -> tuple[list[StreamPiece], list[Any]]:
    """The pieces of the last answer, and all bodies."""

    async def work() -> tuple[list[StreamPiece], list[RecordedRequest]]:
        async with WireServer(replies) as server:
            provider = make(server.url)
            try:
                pieces = [await collect(provider, request) for _ in range(times)][-1]
            finally:
                await provider.close()
            return pieces, server.requests

    pieces, requests = run(work())
    return pieces, [json.loads(one.body) for one in requests]


def body_of(model: str, effort: str | None = None, max_output: int | None = None, *said: Message) -> Any:
    request = attrs.evolve(sample_request(model, *said, max_output=max_output), effort=effort)
    return asked(OK, request=request)[1][0]


def loop_of(provider: str, model: str) -> tuple[Message, ...]:
    answer = AssistantMessage((ToolCall("c", "Bash", "{}", "x"),), StopReason.END, provider, model)
    return UserMessage("Go."), answer, ResultsMessage((ToolResult("c", "Bash", ResultStatus.OK, "fine"),))


@pytest.mark.parametrize("effort", ["low", "medium", "high", "max"])
def test_a_new_model_decides_itself_how_much_it_thinks_and_shows_it(effort: str) -> None:
    body = body_of("claude-opus-4-7", effort)
    assert body["thinking"] == {"type": "adaptive", "display": "summarized"}
    assert body["output_config"] == {"effort": effort}


@pytest.mark.parametrize(
    ("effort", "max_output", "budget"),
    [
        ("medium", None, 16_000),
        ("high", None, 32_000),
        ("max", None, 48_000),
        ("high", 8_000, 6_000),
        ("high", 1_200, None),
        ("low", None, None),
        (None, None, None),
    ],
)
def test_an_older_model_gets_a_budget_that_leaves_room_for_the_answer(
    effort: str | None, max_output: int | None, budget: int | None
) -> None:
    body = body_of("claude-sonnet-4-5", effort, max_output)
    expected = None if budget is None else {"type": "enabled", "budget_tokens": budget}
    assert body.get("thinking") == expected
    assert "output_config" not in body


def test_no_budget_is_set_aside_amid_a_loop_that_began_without_thinking() -> None:
    assert "thinking" not in body_of("claude-sonnet-4-5", "high", None, *loop_of("elsewhere", "other"))
    after = (*loop_of("elsewhere", "other"), UserMessage("Next."))
    assert body_of("claude-sonnet-4-5", "high", None, *after)["thinking"]["type"] == "enabled"


@pytest.mark.parametrize(
    ("model", "limit"), [("claude-opus-5-5", 128_000), ("claude-haiku-4-5-20251001", 64_000), ("unheard-of", 16_384)]
)
def test_the_models_own_limit_is_the_output_limit(model: str, limit: int) -> None:
    assert body_of(model)["max_tokens"] == limit
    assert body_of(model, None, 500)["max_tokens"] == 500


@pytest.mark.parametrize(
    ("message", "field", "value"),
    [
        ("max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens", "max_tokens", 32_000),
        ("input length and `max_tokens` exceed context limit: 150000 + 64000 > 200000", "max_tokens", 49_999),
        ("thinking.type.adaptive: adaptive thinking is not supported on this model", "thinking", "enabled"),
        ("thinking.adaptive.display: Extra inputs are not permitted", "thinking", {"type": "adaptive"}),
        ("output_config.effort: Extra inputs are not permitted", "output_config", None),
    ],
)
def test_what_a_server_refuses_is_said_in_another_way_and_remembered(message: str, field: str, value: object) -> None:
    request = attrs.evolve(sample_request("claude-sonnet-5", max_output=64_000), effort="high")
    _, [_, second, third] = asked(refusal(message), OK, OK, request=request, times=2)
    found = second.get(field)
    assert (found["type"] if value == "enabled" else found) == value
    assert third == second


def test_cache_marks_are_left_out_for_a_server_that_knows_none() -> None:
    _, bodies = asked(
        refusal("system.0.cache_control: Extra inputs are not permitted"), OK, request=sample_request("m")
    )
    assert ["cache_control" in json.dumps(body) for body in bodies] == [True, False]


def test_a_conversation_that_leaves_no_room_is_too_long() -> None:
    message = "input length and `max_tokens` exceed context limit: 199000 + 64000 > 200000"
    with pytest.raises(ContextOverflow):
        asked(refusal(message), request=sample_request("claude-sonnet-4-5"))


def test_a_schema_is_sent_without_references_and_without_a_choice_at_its_top() -> None:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "anyOf": [
            {"properties": {"path": {"$ref": "#/$defs/path"}}, "required": ["path"]},
            {"properties": {"path": {"$ref": "#/$defs/path"}, "tree": {"$ref": "#/$defs/node"}}, "required": ["path"]},
        ],
        "$defs": {
            "path": {"type": "string", "description": "a path"},
            "node": {
                "type": "object",
                "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
            },
        },
    }
    request = attrs.evolve(sample_request("claude-opus-5"), tools=(ToolSchema("Walk", "Walks.", schema),))
    sent = asked(OK, request=request)[1][0]["tools"][0]["input_schema"]
    assert sent == {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "a path"},
            "tree": {"type": "object", "properties": {"children": {"type": "array", "items": {}}}},
        },
        "required": ["path"],
    }


def test_a_tool_that_cannot_be_sent_is_left_out_and_named() -> None:
    bad = ToolSchema("Odd", "Odd.", {"type": "object", "properties": {"a path": {"type": "string"}}})
    request = sample_request("claude-opus-5")
    request = attrs.evolve(request, tools=(*request.tools, bad))
    pieces, [body] = asked(OK, request=request)
    assert [tool["name"] for tool in body["tools"]] == ["Bash"]
    [remark] = [piece.text for piece in pieces if isinstance(piece, Remark)]
    assert "Odd" in remark and "'a path'" in remark


def test_tokens_are_counted_with_the_body_that_would_be_sent() -> None:
    async def work() -> tuple[int, RecordedRequest]:
        reply = WireReply((Send(b'{"input_tokens": 123}'),), framing="length")
        async with WireServer([reply]) as server:
            provider = make(server.url)
            try:
                count = await provider.count_tokens(attrs.evolve(sample_request("claude-opus-5"), effort="high"))
            finally:
                await provider.close()
            return count, server.requests[0]

    count, request = run(work())
    assert (count, request.target) == (123, "/v1/messages/count_tokens")
    assert_fits(json.loads(request.body), COUNT.validate_python)


def test_the_list_of_models_is_read_page_by_page_and_fills_gaps_from_the_data_file() -> None:
    pages = [
        {
            "data": [{"id": "claude-next-1", "max_input_tokens": 5000, "max_tokens": 700}],
            "has_more": True,
            "last_id": "x",
        },
        {"data": [{"id": "claude-haiku-4-5"}], "has_more": False, "last_id": "y"},
    ]

    async def work() -> tuple[list[tuple[str, int | None, int | None]], list[str]]:
        async with WireServer(
            [WireReply((Send(json.dumps(one).encode()),), framing="length") for one in pages]
        ) as server:
            provider = make(server.url)
            assert isinstance(provider, ListsModels)
            try:
                found = await provider.list_models()
            finally:
                await provider.close()
            return [(one.name, one.context_window, one.max_output) for one in found], [
                one.target for one in server.requests
            ]

    found, targets = run(work())
    assert found == [("claude-next-1", 5000, 700), ("claude-haiku-4-5", 200_000, 64_000)]
    assert targets == ["/v1/models?limit=1000", "/v1/models?limit=1000&after_id=x"]


@pytest.mark.parametrize(
    ("written", "asked_at"),
    [
        ("https://api.anthropic.com", "https://api.anthropic.com/v1"),
        ("https://relay.example/anthropic", "https://relay.example/anthropic/v1"),
        ("https://relay.example/v1/messages", "https://relay.example/v1"),
    ],
)
def test_an_address_is_understood_the_way_the_vendors_client_does(written: str, asked_at: str) -> None:
    assert make(written).base_url == asked_at


def test_the_variable_for_the_address_belongs_to_this_provider_alone() -> None:
    environ = {"OPENAI_BASE_URL": "https://elsewhere.example", "ANTHROPIC_API_KEY": KEY}
    assert AnthropicProvider(ProviderContext(Options(), environ, Path())).base_url == "https://api.anthropic.com/v1"
    environ["ANTHROPIC_BASE_URL"] = "https://mine.example"
    assert AnthropicProvider(ProviderContext(Options(), environ, Path())).base_url == "https://mine.example/v1"


def test_the_key_of_another_provider_is_no_key() -> None:
    provider = AnthropicProvider(ProviderContext(Options(), {"OPENAI_API_KEY": KEY}, Path()))
    with pytest.raises(MissingKey, match="ANTHROPIC_API_KEY"):
        provider.check("claude-opus-5")


def test_traits_that_do_not_exist_are_named() -> None:
    from aries_provider_http.options import ModelOptions

    models = {"m": ModelOptions(compat={"thinkin": "adaptive", "thinking": "often"})}
    with pytest.raises(ConfigError) as caught:
        make("http://localhost:1", models=models)
    assert "thinkin: there is no such field" in str(caught.value)
    assert "must be one of adaptive, budget, none" in str(caught.value)
