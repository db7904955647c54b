"""The contract over Responses, and what is asked for there."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import attrs
import pytest
from openai.types.responses import ResponseStreamEvent
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming
from pydantic import TypeAdapter

from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.testing.provider_script import ScriptedAnswer, collect, sample_request
from aries_kernel.testing.responses_suite import ResponsesSuite
from aries_kernel.testing.vendor_types import assert_fits
from aries_kernel.testing.wire_server import Send, WireReply, WireServer
from aries_provider_http.options import ModelOptions
from aries_provider_openai.provider import OpenAIProvider, Options

REQUEST: TypeAdapter[Any] = TypeAdapter(ResponseCreateParamsStreaming)
EVENT: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)
RESPONSES = {"wire": "responses", "supports_reasoning_effort": True}


class TestResponses(ResponsesSuite):
    model = "gpt-5-mini"
    provider_name = "openai"

    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        models = {self.model: ModelOptions(compat=RESPONSES)}
        options = Options(base_url=url, idle_seconds=idle_seconds, models=models)
        return OpenAIProvider(ProviderContext(options, {"OPENAI_API_KEY": key}, Path()))

    def check_body(self, body: Any) -> None:
        assert_fits(body, REQUEST.validate_python)

    def check_event(self, record: Any) -> None:
        EVENT.validate_python(record)


def asked(
    *replies: WireReply, model: str = "gpt-5-mini", effort: str | None = None, **compat: object
) -> list[tuple[str, Any]]:
    """Address and body of each request for one answer."""

    async def work() -> list[tuple[str, Any]]:
        async with WireServer(replies) as server:
            models = {model: ModelOptions(compat={**RESPONSES, **compat})}
            options = Options(base_url=server.url, models=models)
            provider = OpenAIProvider(ProviderContext(options, {}, Path()))
            try:
                await collect(provider, attrs.evolve(sample_request(model, max_output=99), effort=effort))
            finally:
                await provider.close()
            return [(one.target, json.loads(one.body)) for one in server.requests]

    return asyncio.run(asyncio.wait_for(work(), 60))


DIALECT = TestResponses()
OK = DIALECT.wire(ScriptedAnswer("ok"))
CHAT = {"choices": [{"index": 0, "message": {"content": "ok"}, "finish_reason": "stop"}]}
OK_IN_CHAT = WireReply((Send(json.dumps(CHAT).encode()),))


def test_nothing_is_kept_by_the_server_and_reasoning_comes_encrypted() -> None:
    [(target, body)] = asked(OK, effort="max", session_affinity="prompt_cache_key")
    assert target == "/v1/responses"
    assert {
        name: body[name] for name in ("store", "include", "reasoning", "max_output_tokens", "prompt_cache_key")
    } == {
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "reasoning": {"effort": "high", "summary": "auto"},
        "max_output_tokens": 99,
        "prompt_cache_key": "s-1",
    }


def test_a_model_that_does_not_reason_is_not_asked_to() -> None:
    [(_, body)] = asked(OK, effort="high", supports_reasoning_effort=False)
    assert not {"reasoning", "include"} & body.keys()


@pytest.mark.parametrize("model", ["gpt-5.1", "gpt-6-sol", "gpt-9-unheard-of", "o3", "gpt-5-pro", "gpt-5.3-codex"])
def test_a_reasoning_model_on_the_vendors_own_host_is_asked_over_responses(model: str) -> None:
    provider = OpenAIProvider(ProviderContext(Options(), {"OPENAI_API_KEY": "sk-012345"}, Path()))
    assert provider.traits_of(model).wire == "responses"
    elsewhere = OpenAIProvider(ProviderContext(Options(base_url="https://relay.example/v1"), {}, Path()))
    assert elsewhere.traits_of(model).wire == "chat"


def test_summaries_that_an_account_may_not_have_are_left_out() -> None:
    message = "Your organization must be verified to generate reasoning summaries."
    requests = asked(DIALECT.refusal(400, message), OK)
    assert [body["reasoning"] for _, body in requests if "reasoning" in body] == [{"summary": "auto"}]


def test_a_server_without_responses_is_asked_over_chat_completions() -> None:
    missing = WireReply((Send(b"404 page not found"),), 404, {"content-type": "text/plain"}, "length")
    assert [target for target, _ in asked(missing, OK_IN_CHAT)] == ["/v1/responses", "/v1/chat/completions"]


def test_a_model_that_lives_in_responses_only_is_asked_there() -> None:
    message = "This model is only supported in v1/responses and not in v1/chat/completions."
    requests = asked(DIALECT.refusal(404, message), OK, wire="chat")
    assert [target for target, _ in requests] == ["/v1/chat/completions", "/v1/responses"]
