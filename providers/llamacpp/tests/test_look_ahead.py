"""The server is looked at before it is asked anything: whether it is there, its window, its model."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from aries_kernel.contracts.provider import Outlook, ProviderContext
from aries_kernel.errors import AuthRefused, NetworkDown, Overloaded
from aries_kernel.model.usage import Price
from aries_kernel.settings.schema import Local, LocalModel
from aries_kernel.testing.provider_script import collect, sample_request
from aries_kernel.testing.wire_server import RecordedRequest, Send, WireReply, WireServer
from aries_provider_http.options import ModelOptions
from aries_provider_llamacpp.provider import LlamaCppProvider, Options

PROPS = {"default_generation_settings": {"n_ctx": 32_000}, "modalities": {"vision": False}}


@define
class Server:
    """Answers questions about itself."""

    props: Any = field(factory=lambda: dict(PROPS))
    name: str = "devstral"
    loading: int = 0
    """So many times it says that it is still loading."""
    is_relative: bool = False
    """It has no pages but the list of models."""
    seen: list[RecordedRequest] = field(factory=list)

    def __call__(self, request: RecordedRequest) -> WireReply:
        self.seen.append(request)
        if request.target == "/v1/models":
            return _json({"object": "list", "data": [{"id": self.name}]})
        if self.is_relative:
            return _json({"detail": "Not Found"}, 404)
        if request.target == "/health":
            self.loading -= 1
            if self.loading >= 0:
                return _json({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}, 503)
            return _json({"status": "ok"})
        if request.target == "/props":
            return WireReply((Send(self.props),)) if isinstance(self.props, bytes) else _json(self.props)
        event = {"choices": [{"index": 0, "delta": {"content": "hi"}, "finish_reason": "stop"}]}
        return WireReply((Send(f"data: {json.dumps(event)}\n\n".encode()),))


def _json(record: object, status: int = 200) -> WireReply:
    return WireReply((Send(json.dumps(record).encode()),), status, {"content-type": "application/json"})


def look(server: Server, model: str = "devstral", local: Local | None = None, **options: Any) -> Outlook:
    async def work() -> Outlook:
        async with WireServer(server) as wire:
            where = Local(url=wire.url) if local is None else Local(url=wire.url, models=local.models)
            context = ProviderContext(Options(**options), {"OPENAI_API_KEY": "not-for-you"}, Path(), where)
            provider = LlamaCppProvider(context)
            try:
                return await provider.look_ahead(model)
            finally:
                await provider.close()
                assert "not-for-you" not in str(wire.requests)

    return asyncio.run(asyncio.wait_for(work(), 10))


def test_the_window_is_that_of_the_server_and_nothing_is_said_of_a_good_one() -> None:
    outlook = look(Server())
    assert (outlook.model.context_window, outlook.model.price, outlook.warnings) == (32_000, Price(0.0, 0.0), ())


def test_a_server_that_is_loading_is_waited_for() -> None:
    server = Server(loading=2)
    assert look(server).model.context_window == 32_000
    assert [request.target for request in server.seen[:3]] == ["/health"] * 3


def test_a_server_that_loads_for_too_long_is_called_busy_with_the_cure() -> None:
    with pytest.raises(Overloaded, match=r"providers\.llamacpp\.load_seconds"):
        look(Server(loading=1_000_000), load_seconds=0.3)


def test_a_small_window_is_told_with_the_cure() -> None:
    [warning] = look(Server(props={"default_generation_settings": {"n_ctx": 4096}})).warnings
    assert "4,096" in warning and "local.models.devstral.context_window" in warning


@pytest.mark.parametrize("props", [b"", b"<html>", {}, {"default_generation_settings": None}, [1], {"modalities": 3}])
def test_a_window_that_is_not_told_is_called_unknown_with_the_cure(props: Any) -> None:
    outlook = look(Server(props=props))
    assert outlook.model.context_window is None
    assert "providers.llamacpp.models.devstral.context_window" in outlook.warnings[0]


def test_a_relative_without_these_pages_can_be_used() -> None:
    options = {"models": {"devstral": ModelOptions(context_window=9_000)}}
    outlook = look(Server(is_relative=True), **options)
    assert (outlook.model.context_window, outlook.warnings) == (9_000, ())


def test_what_the_person_says_about_the_window_counts_more() -> None:
    options = {"models": {"devstral": ModelOptions(context_window=9_000)}}
    assert look(Server(), **options).model.context_window == 9_000


@pytest.mark.parametrize(
    ("model", "local", "is_told"),
    [
        ("devstral", None, False),
        ("local", None, False),
        ("phi4-mini", None, True),
        ("local", Local(models={"local": LocalModel("x.gguf")}), True),
    ],
)
def test_a_server_with_another_model_than_was_asked_for_says_so(model: str, local: Any, is_told: bool) -> None:
    warnings = look(Server(), model, local).warnings
    assert any("serves devstral, not" in warning for warning in warnings) == is_told


@pytest.mark.parametrize(
    ("models", "cure"),
    [({"devstral": LocalModel("x")}, "aries local start devstral"), ({}, "local.models.devstral.path")],
)
def test_a_server_that_is_not_there_is_named_with_the_command_that_starts_it(models: Any, cure: str) -> None:
    async def work() -> None:
        async with WireServer([]) as gone:
            url = gone.url
        provider = LlamaCppProvider(ProviderContext(Options(), {}, Path(), Local(url=url, models=models)))
        try:
            await provider.look_ahead("devstral")
        finally:
            await provider.close()

    with pytest.raises(NetworkDown, match=cure):
        asyncio.run(work())


def test_a_server_that_wants_a_key_says_how_it_is_set() -> None:
    class Closed(Server):
        def __call__(self, request: RecordedRequest) -> WireReply:
            return _json({"error": {"code": 401, "message": "Invalid API Key", "type": "authentication_error"}}, 401)

    with pytest.raises(AuthRefused, match="LLAMACPP_API_KEY"):
        look(Closed())


def test_the_window_of_a_file_is_known_before_the_server_is_asked() -> None:
    local = Local(context_window=1_000, models={"a": LocalModel("a.gguf", 2_000), "b": LocalModel("b.gguf")})
    provider = LlamaCppProvider(ProviderContext(Options(), {}, Path(), local))
    assert [provider.model_info(name).context_window for name in ("a", "b", "c")] == [2_000, 1_000, None]
    assert provider.known_models() == ("a", "b")


def test_tool_schemas_hold_nothing_that_a_grammar_has_not() -> None:
    import attrs

    from aries_kernel.model.request import ToolSchema

    schema = {"type": "object", "properties": {"when": {"type": "string", "format": "date", "pattern": "^x"}}}
    request = attrs.evolve(sample_request("devstral"), tools=(ToolSchema("T", "d", schema),))
    server = Server()

    async def work() -> None:
        async with WireServer(server) as wire:
            provider = LlamaCppProvider(ProviderContext(Options(base_url=wire.url), {}, Path()))
            await collect(provider, request)
            await provider.close()

    asyncio.run(work())
    body = json.loads(server.seen[0].body)
    assert body["tools"][0]["function"]["parameters"]["properties"] == {"when": {"type": "string"}}
    assert body["parallel_tool_calls"] is True
