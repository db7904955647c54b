"""What is asked for: efforts, schemas in both flavours, counts, lists, keys."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import attrs
import pytest
from google.genai import types
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.contracts.provider import ListsModels, ProviderContext
from aries_kernel.errors import MissingKey
from aries_kernel.model.request import Request, ToolSchema
from aries_kernel.testing.provider_script import collect, sample_request
from aries_kernel.testing.wire_server import RecordedRequest, Send, WireReply, WireServer
from aries_provider_google.provider import GoogleProvider, Options
from aries_provider_google.schemas import json_schema, openapi_schema

WHOLE = {"candidates": [{"content": {"parts": [{"text": "ok"}]}, "finishReason": "STOP"}]}
OK = WireReply((Send(json.dumps(WHOLE).encode()),))
Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(asyncio.wait_for(work, 60))


def make(url: str, **environ: str) -> GoogleProvider:
    return GoogleProvider(ProviderContext(Options(base_url=url), environ, Path()))


def asked(*replies: WireReply, request: Request) -> list[RecordedRequest]:
    async def work() -> list[RecordedRequest]:
        async with WireServer(replies) as server:
            provider = make(server.url)
            try:
                await collect(provider, request)
            finally:
                await provider.close()
            return server.requests

    return run(work())


@pytest.mark.parametrize(
    ("model", "effort", "expected"),
    [
        ("gemini-3.8-flash", "high", {"includeThoughts": True, "thinkingLevel": "high"}),
        ("gemini-4-neon", "max", {"includeThoughts": True, "thinkingLevel": "high"}),
        ("gemini-2.5-pro", "medium", {"includeThoughts": True, "thinkingBudget": 8192}),
        ("gemini-2.5-pro", None, None),
        ("gemma-4-31b-it", "high", None),
    ],
)
def test_an_effort_is_said_in_the_way_of_the_model(
    model: str, effort: str | None, expected: dict[str, object] | None
) -> None:
    [request] = asked(OK, request=attrs.evolve(sample_request(model), effort=effort))
    assert json.loads(request.body).get("generationConfig", {}).get("thinkingConfig") == expected
    assert request.target == f"/v1beta/models/{model}:streamGenerateContent?alt=sse"


def test_a_server_that_does_not_know_json_schemas_gets_the_older_form() -> None:
    message = 'Invalid JSON payload received. Unknown name "parametersJsonSchema" at tools[0].function_declarations[0]'
    refused = WireReply((Send(json.dumps({"error": {"code": 400, "message": message}}).encode()),), 400)
    bodies = [json.loads(one.body) for one in asked(refused, OK, request=sample_request("gemini-2.5-pro"))]
    declarations = [body["tools"][0]["functionDeclarations"][0] for body in bodies]
    assert ["parameters" in one for one in declarations] == [False, True]
    assert declarations[1]["parameters"]["properties"] == {"command": {"type": "string"}}


SCALARS: st.SearchStrategy[Any] = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
SCHEMAS = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["string", "integer", "array", "object", ["string", "null"], "null"]),
            "enum": st.lists(SCALARS, max_size=3),
            "const": SCALARS,
            "format": st.sampled_from(["uri", "date-time", "int32"]),
            "$ref": st.sampled_from(["#/$defs/a", "#", "elsewhere"]),
            "additionalProperties": st.booleans(),
            "description": st.text(max_size=5),
        },
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(st.sampled_from(["a", "type", "$ref"]), inner, max_size=3),
            "items": inner | st.lists(inner, max_size=2),
            "anyOf": st.lists(inner, max_size=2),
            "oneOf": st.lists(inner, max_size=2),
            "$defs": st.dictionaries(st.just("a"), inner, max_size=1),
            "required": st.lists(st.sampled_from(["a", "b"]), max_size=2),
        },
    ),
    max_leaves=8,
)


@given(SCHEMAS)
def test_any_schema_becomes_one_that_the_vendors_types_know(schema: dict[str, Any]) -> None:
    tool = ToolSchema("Odd", "Odd.", schema)
    made = types.FunctionDeclaration.model_validate({"name": "Odd", "parameters": openapi_schema(tool)})
    assert made.parameters is not None
    types.FunctionDeclaration.model_validate({"name": "Odd", "parametersJsonSchema": json_schema(tool)})


def test_a_tool_whose_name_begins_with_a_digit_is_sent_and_understood() -> None:
    tool = ToolSchema("3d-view", "Shows.", {"type": "object", "properties": {}})
    request = attrs.evolve(sample_request("gemini-2.5-pro"), tools=(tool,))
    [sent] = asked(OK, request=request)
    [name] = [one["name"] for one in json.loads(sent.body)["tools"][0]["functionDeclarations"]]
    assert name[0] == "_" and name.startswith("_3d-view")


def test_tokens_are_counted_for_the_request_that_would_be_sent() -> None:
    async def work() -> tuple[int, RecordedRequest]:
        async with WireServer([WireReply((Send(b'{"totalTokens": 31}'),), framing="length")]) as server:
            provider = make(server.url)
            try:
                count = await provider.count_tokens(sample_request("gemini-2.5-pro"))
            finally:
                await provider.close()
            return count, server.requests[0]

    count, request = run(work())
    assert (count, request.target) == (31, "/v1beta/models/gemini-2.5-pro:countTokens")
    assert json.loads(request.body)["generateContentRequest"]["model"] == "models/gemini-2.5-pro"


def test_the_list_of_models_holds_those_that_answer() -> None:
    listed = {
        "models": [
            {
                "name": "models/gemini-next", "inputTokenLimit": 9000, "outputTokenLimit": 800,
                "supportedGenerationMethods": ["generateContent", "countTokens"],
            },
            {"name": "models/embedder", "supportedGenerationMethods": ["embedContent"]},
        ]
    }  # fmt: skip

    async def work() -> list[tuple[str, int | None, int | None]]:
        async with WireServer([WireReply((Send(json.dumps(listed).encode()),), framing="length")]) as server:
            provider = make(server.url)
            assert isinstance(provider, ListsModels)
            try:
                return [(one.name, one.context_window, one.max_output) for one in await provider.list_models()]
            finally:
                await provider.close()

    assert run(work()) == [("gemini-next", 9000, 800)]


@pytest.mark.parametrize("variable", ["GEMINI_API_KEY", "GOOGLE_API_KEY"])
def test_either_variable_holds_the_key(variable: str) -> None:
    make("https://generativelanguage.googleapis.com", **{variable: "key-0123456"}).check("gemini-2.5-pro")


def test_a_missing_key_names_both_variables() -> None:
    with pytest.raises(MissingKey, match="GEMINI_API_KEY or GOOGLE_API_KEY"):
        make("https://generativelanguage.googleapis.com").check("gemini-2.5-pro")


def test_another_variable_of_the_settings_is_the_only_one() -> None:
    options = Options(api_key_env="MINE")
    with pytest.raises(MissingKey, match="variable MINE,"):
        GoogleProvider(ProviderContext(options, {"GOOGLE_API_KEY": "key-0123456"}, Path())).check("gemini-2.5-pro")
