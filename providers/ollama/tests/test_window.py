"""The window is asked first; what is wrong with a model is said, with the cure, before it is asked anything."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from aries_kernel.contracts.provider import Outlook, ProviderContext
from aries_kernel.errors import AriesError, ConfigError, NetworkDown, UserError
from aries_kernel.model.messages import Image, UserMessage
from aries_kernel.model.usage import Price
from aries_kernel.model_data import ModelOptions as Figures
from aries_kernel.testing.provider_script import collect, sample_request
from aries_kernel.testing.wire_server import RecordedRequest, Send, WireReply, WireServer
from aries_provider_http.options import ModelOptions
from aries_provider_ollama.address import with_full_address
from aries_provider_ollama.provider import OllamaProvider, Options

assert issubclass(ModelOptions, Figures)


@define
class Ollama:
    """A server with one model, as far as questions about it go."""

    largest: int | None = 131_072
    preset: int | None = None
    capabilities: list[str] | None = field(factory=lambda: ["completion", "tools", "thinking"])
    gives: int | None = None
    """The window that it loads models with, whatever is asked."""
    loaded: int | None = None
    seen: list[tuple[str, Any]] = field(factory=list)

    def __call__(self, request: RecordedRequest) -> WireReply:
        body = json.loads(request.body) if request.body else None
        self.seen.append((request.target, body))
        if request.target == "/api/tags":
            return _json({"models": [{"name": "qwen3:8b", "model": "qwen3:8b"}, {"name": "phi4:latest"}]})
        if request.target == "/api/ps":
            running = {"name": "qwen3:8b", "model": "qwen3:8b"}
            return _json({"models": [{**running, "context_length": self.loaded} if self.loaded else running]})
        if body["model"] != "qwen3:8b":
            return _json({"error": f"model '{body['model']}' not found"}, 404)
        if request.target == "/api/show":
            parameters = {"parameters": f"stop    x\nnum_ctx    {self.preset}\n"} if self.preset else {}
            info = {"general.architecture": "qwen3"} | ({"qwen3.context_length": self.largest} if self.largest else {})
            told = {"capabilities": self.capabilities} if self.capabilities is not None else {}
            return _json({"model_info": info, **parameters, **told})
        self.loaded = self.gives or body["options"].get("num_ctx")
        if not body["messages"]:
            return _json({"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "load"})
        done = {"message": {"role": "assistant", "content": "hi"}, "done": True, "done_reason": "stop"}
        return _json(done)


def _json(record: object, status: int = 200) -> WireReply:
    return WireReply((Send(json.dumps(record).encode() + b"\n"),), status, {"content-type": "application/json"})


def with_provider(server: Ollama, work: Callable[[OllamaProvider], Any], **options: Any) -> Any:
    async def play() -> Any:
        async with WireServer(server) as wire:
            context = ProviderContext(Options(base_url=wire.url, **options), {"OPENAI_API_KEY": "not-for-you"}, Path())
            provider = OllamaProvider(context)
            try:
                return await work(provider)
            finally:
                await provider.close()
                for request in wire.requests:
                    assert "not-for-you" not in str(request)

    return asyncio.run(asyncio.wait_for(play(), 10))


def look(server: Ollama, model: str = "qwen3:8b", **options: Any) -> Outlook:
    found: Outlook = with_provider(server, lambda provider: provider.look_ahead(model), **options)
    return found


def asked_windows(server: Ollama) -> list[int]:
    return [body["options"]["num_ctx"] for target, body in server.seen if target == "/api/chat"]


@pytest.mark.parametrize(
    ("server", "options", "window"),
    [
        (Ollama(), {}, 32_768),
        (Ollama(), {"num_ctx": 65_536}, 65_536),
        (Ollama(largest=8_192), {}, 8_192),
        (Ollama(largest=None), {}, 32_768),
        (Ollama(preset=100_000), {}, 100_000),
        (Ollama(preset=2_048), {}, 32_768),
        (Ollama(), {"models": {"qwen3:8b": ModelOptions(context_window=20_000)}}, 20_000),
        (Ollama(gives=4_096), {}, 4_096),
    ],
)
def test_the_window_is_what_is_asked_for_the_model_has_and_the_server_gives(
    server: Ollama, options: dict[str, Any], window: int
) -> None:
    assert look(server, **options).model.context_window == window


@pytest.mark.parametrize(
    ("server", "asked", "windows"),
    [
        (Ollama(largest=8_192), 100_000, [8_192, 8_192]),
        (Ollama(gives=4_096), 20_000, [20_000, 4_096]),
        (Ollama(), 20_000, [20_000, 20_000]),
    ],
)
def test_a_request_never_asks_for_another_window_than_the_model_was_loaded_with(
    server: Ollama, asked: int, windows: list[int]
) -> None:
    async def work(provider: OllamaProvider) -> None:
        await provider.look_ahead("qwen3:8b")
        await collect(provider, sample_request("qwen3:8b"))

    with_provider(server, work, models={"qwen3:8b": ModelOptions(context_window=asked)})
    assert asked_windows(server) == windows


@pytest.mark.parametrize(
    ("server", "options", "cure"),
    [
        (Ollama(gives=4_096), {}, "OLLAMA_CONTEXT_LENGTH=32768 ollama serve"),
        (Ollama(), {"num_ctx": 8_000}, "providers.ollama.num_ctx"),
        (Ollama(largest=8_192), {}, "another model"),
        (Ollama(), {"models": {"qwen3:8b": ModelOptions(context_window=9_000)}}, "models.qwen3:8b.context_window"),
    ],
)
def test_a_window_that_is_too_small_is_told_with_the_cure(server: Ollama, options: dict[str, Any], cure: str) -> None:
    [warning] = look(server, **options).warnings
    assert cure in warning


def test_a_good_window_is_not_talked_about() -> None:
    assert look(Ollama()).warnings == ()


def test_every_request_asks_for_the_same_window_so_that_nothing_is_loaded_anew() -> None:
    server = Ollama(largest=20_000)

    async def talk(provider: OllamaProvider) -> None:
        await provider.look_ahead("qwen3:8b")
        await collect(provider, sample_request("qwen3:8b"))
        await collect(provider, sample_request("qwen3:8b"))

    with_provider(server, talk)
    assert asked_windows(server) == [20_000, 20_000, 20_000]


def test_the_server_must_not_drop_the_beginning_of_a_conversation() -> None:
    server = Ollama()
    with_provider(server, lambda provider: collect(provider, sample_request("qwen3:8b")))
    [(_, body)] = server.seen
    assert (body["truncate"], body["shift"], body["options"]["num_ctx"]) == (False, False, 32_768)


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [
        (["completion"], (False, False, False)),
        (["completion", "tools", "vision"], (True, True, False)),
        (["tools", "thinking"], (True, False, True)),
        (None, (True, False, False)),
    ],
)
def test_what_the_model_can_do_is_what_the_server_says(capabilities: Any, expected: tuple[bool, ...]) -> None:
    model = look(Ollama(capabilities=capabilities)).model
    assert (model.has_tools, model.has_images, model.has_reasoning) == expected


def test_what_the_person_says_about_a_model_counts_more() -> None:
    options = {"models": {"qwen3:8b": ModelOptions(has_tools=True)}}
    assert look(Ollama(capabilities=["completion"]), **options).model.has_tools


def test_a_model_that_is_not_there_is_named_with_the_command_that_fetches_it() -> None:
    with pytest.raises(UserError, match=r"no model on this Ollama server 'qwen3:80b'.*phi4.*ollama pull qwen3:80b"):
        look(Ollama(), "qwen3:80b")


def test_a_server_that_is_not_there_is_named_with_the_command_that_starts_it() -> None:
    async def nobody(provider: OllamaProvider) -> None:
        async with WireServer([]) as gone:
            url = gone.url
        context = ProviderContext(Options(base_url=url), {}, Path())
        other = OllamaProvider(context)
        try:
            await other.look_ahead("qwen3:8b")
        finally:
            await other.close()

    with pytest.raises(NetworkDown, match="ollama serve"):
        with_provider(Ollama(), nobody)


def test_models_of_the_server_are_listed_with_what_they_can() -> None:
    async def listed(provider: OllamaProvider) -> Any:
        return await provider.list_models()

    server = Ollama()
    server.capabilities = ["tools"]
    with pytest.raises(AriesError):
        with_provider(server, listed)  # phi4 is listed and not there: the list cannot be trusted.


@pytest.mark.parametrize(
    ("effort", "model", "think"),
    [
        (None, "qwen3:8b", None),
        ("low", "qwen3:8b", True),
        ("max", "gpt-oss:20b", "high"),
        ("low", "gpt-oss:20b", "low"),
    ],
)
def test_an_effort_is_sent_as_the_model_takes_it(effort: str | None, model: str, think: Any) -> None:
    import attrs

    server = Ollama()
    request = attrs.evolve(sample_request(model), effort=effort)

    async def ask(provider: OllamaProvider) -> None:
        try:
            await collect(provider, request)
        except AriesError:
            assert model != "qwen3:8b"  # The server has no other model; what was sent is what counts here.

    with_provider(server, ask)
    assert server.seen[0][1].get("think") == think


def test_a_model_on_this_machine_costs_nothing_and_one_elsewhere_an_unknown_sum() -> None:
    provider = OllamaProvider(ProviderContext(Options(), {}, Path()))
    assert provider.model_info("qwen3:8b").price == Price(0.0, 0.0)
    assert provider.model_info("gpt-oss:120b-cloud").price is None


def test_a_window_of_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="num_ctx"):
        OllamaProvider(ProviderContext(Options(num_ctx=0), {}, Path()))


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8000", "http://127.0.0.1:8000"),
        ("gpu-box", "http://gpu-box:11434"),
        (":8000", "http://127.0.0.1:8000"),
        ("https://models.example", "https://models.example:443"),
        ("http://10.0.0.5:80", "http://10.0.0.5:80"),
        ("[::1]:9", "http://[::1]:9"),
    ],
)
def test_the_host_variable_is_read_however_it_is_written(written: str, url: str) -> None:
    assert with_full_address({"OLLAMA_HOST": written})["OLLAMA_HOST"].rstrip("/") == url


@pytest.mark.parametrize("sees", [True, False])
def test_a_picture_is_shown_to_a_model_that_the_server_says_can_see(sees: bool) -> None:
    server = Ollama(capabilities=["completion", "tools", *(["vision"] if sees else [])])
    picture = Image("image/png", "cGljdHVyZQ==", 2, 1, "shot.png")

    async def work(provider: OllamaProvider) -> None:
        await provider.look_ahead("qwen3:8b")
        await collect(provider, sample_request("qwen3:8b", UserMessage("Look.", images=(picture,))))

    with_provider(server, work)
    said = server.seen[-1][1]["messages"][-1]
    assert said.get("images") == ([picture.data] if sees else None)
    assert ("[image shot.png, 2x1: not shown" in said["content"]) is not sees
