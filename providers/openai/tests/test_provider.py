"""The provider on a real server: settings, keys, refused fields, odd connections, what goes wrong underneath."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

import attrs
import pytest

from aries_kernel.contracts.provider import ProviderContext
from aries_kernel.errors import (
    AriesError,
    AuthRefused,
    ConfigError,
    ContextOverflow,
    MissingKey,
    NetworkDown,
    Overloaded,
    RateLimited,
    RequestRefused,
    StreamCut,
    UnknownName,
)
from aries_kernel.model.messages import StopReason
from aries_kernel.model.request import ModelInfo
from aries_kernel.model.stream import Heartbeat, Stopped, StreamPiece, TextPiece, UsageReport
from aries_kernel.model.usage import Price, Usage
from aries_kernel.testing.provider_script import collect, joined_calls, sample_request
from aries_kernel.testing.wire_server import Cut, Pause, RecordedRequest, Send, Stall, Step, WireReply, WireServer
from aries_provider_http.options import ModelOptions
from aries_provider_openai.provider import OpenAIProvider, Options

KEY = "sk-0123456789abcdef"
ENVIRON = {"OPENAI_API_KEY": KEY}
Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(asyncio.wait_for(work, 60))


def make(environ: Mapping[str, str] = ENVIRON, **options: Any) -> OpenAIProvider:
    return OpenAIProvider(ProviderContext(Options(**options), environ, Path()))


async def ask_once(url: str) -> list[StreamPiece]:
    """One answer of a provider that is closed afterwards: a connection left open is told of in some later test."""
    provider = make(base_url=url)
    try:
        return await collect(provider, sample_request("m"))
    finally:
        await provider.close()


def event(record: object) -> Send:
    return Send(f"data: {json.dumps(record)}\n\n".encode())


def delta(finish: str | None = None, **content: object) -> Send:
    return event({"choices": [{"index": 0, "delta": content, "finish_reason": finish}]})


DONE = Send(b"data: [DONE]\n\n")
GOOD = WireReply((delta(content="Hi"), delta("stop"), DONE))


def reply(*steps: Step, status: int = 200, **headers: str) -> WireReply:
    return WireReply(steps, status, {name.replace("_", "-"): value for name, value in headers.items()})


def refusal(status: int, message: str, **headers: str) -> WireReply:
    return reply(Send(json.dumps({"error": {"message": message}}).encode()), status=status, **headers)


Script = list[WireReply] | Callable[[RecordedRequest], WireReply]


def play(
    script: Script, times: int = 1, model: str = "m", environ: Mapping[str, str] = ENVIRON, **options: Any
) -> tuple[list[list[StreamPiece]], list[RecordedRequest]]:
    """Answers and requests of `times` questions to one provider."""

    async def work() -> tuple[list[list[StreamPiece]], list[RecordedRequest]]:
        async with WireServer(script) as server:
            provider = make(environ, base_url=server.url, **options)
            try:
                asked = sample_request(model, max_output=100)
                return [await collect(provider, asked) for _ in range(times)], server.requests
            finally:
                await provider.close()

    return run(work())


def body(request: RecordedRequest) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(request.body)
    return found


def fails(error: type[AriesError], script: Script, **options: Any) -> AriesError:
    with pytest.raises(error) as caught:
        play(script, **options)
    assert type(caught.value) is error
    return caught.value


# What users of such programs report (misbehaving servers, nine cases).


def call_delta(arguments: str, **rest: object) -> Send:
    return delta(tool_calls=[{"index": 0, "function": {"name": "Bash", "arguments": arguments}, **rest}])


def test_a_connection_that_breaks_in_a_call_is_a_cut_stream() -> None:
    fails(StreamCut, [reply(call_delta('{"command":"touch X', id="c"), Cut())])


def test_a_body_that_ends_in_a_call_is_a_cut_stream() -> None:
    fails(StreamCut, [reply(call_delta('{"command":"touch X', id="c"))])


@pytest.mark.parametrize("raw", ['{"command":"touch X', '{"command":"touch X"'])
def test_a_call_that_the_limit_cut_keeps_its_raw_text(raw: str) -> None:
    [pieces], _ = play([reply(call_delta(raw, id="c"), delta("length"), DONE)])
    assert (joined_calls(pieces), pieces[-1]) == ([("Bash", raw, "c")], Stopped(StopReason.LENGTH, "length"))


def test_two_calls_with_one_index_and_no_id_are_two() -> None:
    [pieces], _ = play([reply(call_delta('{"command":"a"}'), call_delta('{"command":"b"}'), delta("tool_calls"), DONE)])
    assert [arguments for _, arguments, _ in joined_calls(pieces)] == ['{"command":"a"}', '{"command":"b"}']


def test_an_empty_answer_is_told_as_stopped_and_nothing_else() -> None:
    [pieces], _ = play([reply(delta("stop"), DONE)])
    assert [piece for piece in pieces if not isinstance(piece, Heartbeat)] == [Stopped(StopReason.END, "stop")]


def test_a_rate_limit_says_how_long_to_wait() -> None:
    error = fails(RateLimited, [refusal(429, "slow down", retry_after="2")])
    assert isinstance(error, RateLimited) and error.after == 2.0


def test_an_error_after_text_is_an_error() -> None:
    fails(Overloaded, [reply(delta(content="Partial"), event({"error": {"message": "upstream died"}}), DONE)])


def test_text_without_a_reason_for_the_stop_is_a_cut_stream() -> None:
    fails(StreamCut, [reply(delta(content="Partial"))])
    fails(StreamCut, [reply(delta(content="Partial"), DONE)])
    fails(StreamCut, [reply(delta(content="Partial"), Cut())])


def test_an_overloaded_server_is_retriable() -> None:
    fails(Overloaded, [refusal(529, "Overloaded")])


@pytest.mark.parametrize("steps", [(Stall(),), (delta(content="x"), Stall()), (Send(b": ping\n\n"), Stall())])
def test_silence_is_a_network_that_is_down(steps: tuple[Step, ...]) -> None:
    assert "idle_seconds" in str(fails(NetworkDown, [reply(*steps)], idle_seconds=0.2))


def test_silence_before_the_head_is_a_network_that_is_down() -> None:
    fails(NetworkDown, [WireReply((Stall(),), framing="raw")], idle_seconds=0.2)


def test_comments_are_life() -> None:
    steps = [step for _ in range(6) for step in (Send(b": ping\n\n"), Pause(0.1))]
    [pieces], _ = play([reply(*steps, delta("stop", content="x"), DONE)], idle_seconds=0.4)
    assert pieces.count(Heartbeat()) >= 6 and isinstance(pieces[-1], Stopped)


# Ends of an answer.


def test_a_connection_that_breaks_after_the_stop_changes_nothing() -> None:
    [pieces], _ = play([reply(delta("stop", content="x"), Cut())])
    assert pieces[-1] == Stopped(StopReason.END, "stop")


def test_a_server_that_leaves_the_line_open_after_done_is_not_waited_for() -> None:
    [pieces], _ = play([reply(delta("stop", content="x"), DONE, Stall())])
    assert pieces[-1] == Stopped(StopReason.END, "stop")


def test_usage_after_the_stop_is_waited_for() -> None:
    usage = event({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}})
    [pieces], _ = play([reply(delta("stop", content="x"), Pause(0.1), usage, DONE)])
    assert pieces[-2:] == [UsageReport(Usage(input=5, output=2)), Stopped(StopReason.END, "stop")]


def test_a_connection_is_used_again() -> None:
    answers, requests = play([GOOD, GOOD], times=2)
    assert len(answers) == len(requests) == 2


def test_a_provider_survives_its_event_loop() -> None:
    async def ask(provider: OpenAIProvider) -> list[StreamPiece]:
        return await collect(provider, sample_request("m"))

    async def work() -> list[StreamPiece]:
        async with WireServer([attrs.evolve(GOOD, framing="close"), GOOD]) as server:
            provider = make(base_url=server.url)
            await asyncio.to_thread(asyncio.run, ask(provider))
            pieces = await ask(provider)
            await provider.close()
            return pieces

    assert TextPiece("Hi") in run(work())


def test_a_compressed_body_is_read_although_it_was_not_asked_for() -> None:
    import gzip

    packed = gzip.compress(b"".join(step.data for step in GOOD.steps if isinstance(step, Send)))
    [pieces], requests = play([reply(Send(packed), content_encoding="gzip")])
    assert TextPiece("Hi") in pieces and requests[0].headers["accept-encoding"] == "identity"
    fails(StreamCut, [reply(Send(b"not gzip"), content_encoding="gzip")])


@pytest.mark.parametrize(
    "data", [b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\ndata: {", b""]
)
def test_what_is_no_http_is_an_error_that_passes(data: bytes) -> None:
    with pytest.raises((NetworkDown, StreamCut)):
        play([WireReply((Send(data), Cut()), framing="raw")])


# Refused fields.


def test_a_server_that_refuses_an_optional_field_is_asked_without_it_and_remembered() -> None:
    def strict(request: RecordedRequest) -> WireReply:
        asked = body(request)
        if "stream_options" in asked:
            return refusal(400, "Unrecognized request argument supplied: stream_options")
        if "max_tokens" in asked:
            return refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        return GOOD

    answers, requests = play(strict, times=2)
    assert len(answers) == 2 and len(requests) == 4
    assert body(requests[-1])["max_completion_tokens"] == 100


def test_a_server_that_refuses_the_old_and_the_new_field_is_asked_a_few_times_only() -> None:
    def never(request: RecordedRequest) -> WireReply:
        field = "max_tokens" if "max_tokens" in body(request) else "max_completion_tokens"
        other = "max_completion_tokens" if field == "max_tokens" else "max_tokens"
        return refusal(400, f"Unsupported parameter: {field}. Use {other}. max_completion_tokens")

    fails(RequestRefused, never)


def test_a_refusal_of_something_else_is_not_asked_again() -> None:
    seen = []

    def count(request: RecordedRequest) -> WireReply:
        seen.append(request)
        return refusal(400, "Invalid value for temperature")

    fails(RequestRefused, count)
    assert len(seen) == 1


# Keys and addresses.


def test_the_key_is_sent_to_the_address_that_was_set() -> None:
    _, [request] = play([GOOD])
    assert (request.headers["authorization"], request.target) == (f"Bearer {KEY}", "/v1/chat/completions")


def test_a_server_on_this_machine_needs_no_key() -> None:
    _, [request] = play([GOOD], environ={})
    assert "authorization" not in request.headers


def test_headers_of_the_settings_are_sent_and_kept_out_of_messages() -> None:
    _, [request] = play([GOOD], headers={"X-Token": "token-123456", "Authorization": "Basic abcdef"})
    assert (request.headers["x-token"], request.headers["authorization"]) == ("token-123456", "Basic abcdef")
    assert "token-123456" not in str(
        fails(AuthRefused, [refusal(401, "bad token-123456")], headers={"X": "token-123456"})
    )


def test_a_missing_key_names_the_variable() -> None:
    with pytest.raises(MissingKey, match="MY_KEY"):
        make({}, api_key_env="MY_KEY").check("gpt-5")
    make(ENVIRON).check("gpt-5")
    make({}, base_url="http://localhost:1/v1").check("anything")


@pytest.mark.parametrize("key", ["sk-ü123456", "sk-1\n2345678", "sk\x00123456789"])
def test_a_key_that_cannot_be_sent_is_not_shown(key: str) -> None:
    with pytest.raises(MissingKey) as caught:
        make({"OPENAI_API_KEY": key}).check("gpt-5")
    assert key not in str(caught.value) and "OPENAI_API_KEY" in str(caught.value)
    with pytest.raises(AuthRefused):
        run(collect(make({"OPENAI_API_KEY": key}, base_url="http://127.0.0.1:9"), sample_request("m")))


def test_white_space_around_a_key_is_not_sent() -> None:
    _, [request] = play([GOOD], environ={"OPENAI_API_KEY": f" {KEY}\n"})
    assert request.headers["authorization"] == f"Bearer {KEY}"


def command(code: str) -> str:
    return f'"{sys.executable}" -c "{code}"'


def test_a_command_gives_the_key_when_it_is_first_needed(tmp_path: Path) -> None:
    log = (tmp_path / "log").as_posix()
    code = f"open('{log}', 'a').write('x'); print('sk-from-command')"
    environ = {**os.environ, "OPENAI_API_KEY": KEY}
    make(environ, api_key_cmd=command(code)).check("gpt-5")
    assert not Path(log).exists()
    _, requests = play([GOOD, GOOD], times=2, environ=environ, api_key_cmd=command(code))
    assert {request.headers["authorization"] for request in requests} == {"Bearer sk-from-command"}
    assert Path(log).read_text(encoding="utf-8") == "x"


@pytest.mark.parametrize(
    "line",
    [
        command("import sys; sys.exit('locked')"),
        command("pass"),
        command("print('two words')"),
        "/no/such/program",
        " ",
    ],
)
def test_a_command_without_a_key_is_named(line: str) -> None:
    error = fails(AuthRefused, [GOOD], environ=dict(os.environ), api_key_cmd=line)
    assert "api_key_cmd" in str(error)


@pytest.mark.skipif(os.name != "posix", reason="the shell of the test is sh")
def test_a_command_with_a_pipe_runs_in_a_shell() -> None:
    _, [request] = play([GOOD], environ=dict(os.environ), api_key_cmd="echo xsk-piped | cut -c2-")
    assert request.headers["authorization"] == "Bearer sk-piped"


@pytest.mark.skipif(os.name != "posix", reason="the shell of the test is sh")
def test_leaving_while_the_command_runs_ends_it_and_its_children(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    async def work() -> None:
        line = f"exec 3>'{pipe}'; echo up >&3; sleep 600 & wait"
        provider = make(dict(os.environ), base_url="http://127.0.0.1:9", api_key_cmd=line)
        task = asyncio.create_task(collect(provider, sample_request("m")))
        with await asyncio.to_thread(pipe.open, encoding="utf-8") as opened:
            assert await asyncio.to_thread(opened.readline) == "up\n"
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            # The end of the pipe comes when nobody holds its other end any more.
            assert await asyncio.to_thread(opened.read) == ""

    run(work())


def test_two_questions_at_a_time_do_not_mix() -> None:
    async def work() -> list[list[StreamPiece]]:
        slow = reply(delta(content="one"), Pause(0.1), delta("stop"), DONE)
        async with WireServer([slow, GOOD]) as server:
            provider = make(base_url=server.url)
            both = await asyncio.gather(*(collect(provider, sample_request("m")) for _ in range(2)))
            await provider.close()
            return both

    texts = sorted("".join(p.text for p in pieces if isinstance(p, TextPiece)) for pieces in run(work()))
    assert texts == ["Hi", "one"]


def test_a_redirect_to_another_host_is_not_followed() -> None:
    async def work() -> tuple[str, list[RecordedRequest]]:
        async with WireServer([GOOD]) as other:
            script = [reply(status=307, location=f"{other.url}/v1/chat/completions")]
            async with WireServer(script) as server:
                provider = make(base_url=server.url)
                with pytest.raises(RequestRefused) as caught:
                    await collect(provider, sample_request("m"))
                await provider.close()
            return str(caught.value), other.requests

    message, requests = run(work())
    assert requests == [] and "base_url" in message


def test_a_redirect_on_the_same_host_is_followed_but_not_in_circles() -> None:
    def moved(request: RecordedRequest) -> WireReply:
        return GOOD if request.target == "/new" else reply(status=308, location="/new")

    assert play(moved)[1][-1].target == "/new"
    fails(RequestRefused, lambda request: reply(status=307, location=request.target))


def test_the_variable_for_the_address_replaces_the_default_only() -> None:
    environ = {"OPENAI_BASE_URL": "http://localhost:1"}
    make(environ).check("m")
    with pytest.raises(MissingKey):
        make(environ, base_url="https://elsewhere.example/v1").check("m")
    with pytest.raises(ConfigError, match="OPENAI_BASE_URL"):
        make({"OPENAI_BASE_URL": "nowhere"})


def test_all_wrong_settings_are_named_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        make(
            base_url="nowhere",
            idle_seconds=-1.0,
            connect_seconds=float("nan"),
            headers={"a b": "x", "X": "ü", "Host": "x"},
            models={"m": ModelOptions(context_window=-1, compat={"max_tokens_feld": 1, "tool_id_rule": "ten"})},
        )
    text = str(caught.value)
    for name in ("base_url", "idle_seconds", "connect_seconds", "'a b'", "headers.X", "Host", "window", "feld", "ten"):
        assert name in text


# Models.


def test_figures_come_from_the_data_file_and_then_from_the_settings() -> None:
    known = make().model_info("gpt-5-mini-2025-08-07")
    assert known.context_window == 400_000 and known.price == Price(0.25, 2.0, 0.025) and known.as_of == "2026-11-29"
    own = make(models={"gpt-5-mini": ModelOptions(context_window=9, price=Price(1.0, 2.0))}).model_info("gpt-5-mini")
    assert (own.context_window, own.price, own.max_output) == (9, Price(1.0, 2.0), 128_000)


def test_an_unknown_model_has_no_figures() -> None:
    assert make().model_info("brand-new") == ModelInfo("brand-new")
    assert make().model_info("gpt-55") == ModelInfo("gpt-55")


def test_prices_hold_on_the_vendor_s_own_host_only() -> None:
    elsewhere = make(base_url="http://localhost:1").model_info("openai/gpt-5-mini")
    assert elsewhere.context_window == 400_000 and elsewhere.price is None


@pytest.mark.parametrize("model", ["", " gpt-5", "gpt\n5", "text-embedding-3-small", "whisper-1"])
def test_a_model_that_cannot_answer_is_unknown(model: str) -> None:
    with pytest.raises(UnknownName, match="gpt-5-mini"):
        make().check(model)


def test_models_of_the_settings_are_known() -> None:
    provider = make(base_url="http://localhost:1", models={"mine": ModelOptions()})
    assert provider.known_models() == ("mine",)
    assert "mine" in make(models={"mine": ModelOptions()}).known_models()


def test_compat_of_the_settings_reaches_the_request() -> None:
    own = {"m": ModelOptions(max_output=50, compat={"max_tokens_field": "max_completion_tokens"})}
    _, [request] = play([GOOD], models=own)
    assert body(request)["max_completion_tokens"] == 50


def test_reasoning_models_are_asked_in_their_way_on_any_host() -> None:
    _, [request] = play([GOOD], model="gpt-5-mini")
    asked = body(request)
    assert "max_completion_tokens" in asked and "store" not in asked
    assert asked["messages"][0]["role"] == "system"


# Underneath.


def test_a_host_that_does_not_exist_names_the_setting() -> None:
    with pytest.raises(NetworkDown, match="base_url"):
        run(collect(make(base_url="http://no-such-host.invalid/v1"), sample_request("m")))


def test_tls_where_there_is_none_says_what_to_do() -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async def work() -> str:
        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(NetworkDown) as caught:
                await ask_once(f"https://127.0.0.1:{port}")
            return str(caught.value)

    assert "http://" in run(work())


@pytest.mark.parametrize(
    "environ",
    [{"SSL_CERT_FILE": "/no/such/file"}, {"HTTPS_PROXY": "socks9://x:1"}, {"HTTPS_PROXY": "http://[bad"}],
)
def test_an_environment_that_cannot_work_is_an_error_of_ours(environ: dict[str, str]) -> None:
    with pytest.raises((RequestRefused, NetworkDown)):
        run(collect(make({**ENVIRON, **environ}, base_url="https://host.invalid/v1"), sample_request("m")))


def test_a_proxy_that_is_down_is_named() -> None:
    environ = {**ENVIRON, "http_proxy": "http://127.0.0.1:9"}
    with pytest.raises(NetworkDown, match="http_proxy"):
        run(collect(make(environ, base_url="http://host.invalid/v1"), sample_request("m")))


def test_an_error_body_without_an_end_is_cut() -> None:
    many = tuple(Send(b"x" * 65_536) for _ in range(40))
    assert len(str(fails(Overloaded, [reply(*many, status=500)]))) < 1000


def test_a_refusal_whose_body_stalls_is_still_judged() -> None:
    steps = (Send(b'{"error":{"message":"prompt is too long"}}'), Cut())
    fails(ContextOverflow, [reply(*steps, status=400)])


def test_importing_the_provider_and_reading_figures_does_not_load_the_http_library() -> None:
    code = (
        "import sys, pathlib; from aries_provider_openai.provider import OpenAIProvider as P;"
        "from aries_provider_openai.provider import Options as O;"
        "from aries_kernel.contracts.provider import ProviderContext as C;"
        "P(C(O(), {}, pathlib.Path())).model_info('gpt-5'); print('httpx' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, timeout=60)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("is_streamed", [True, False])
def test_a_call_with_bytes_that_are_no_text_is_not_a_call(is_streamed: bool) -> None:
    calls = [{"index": 0, "id": "c", "function": {"name": "note", "arguments": '{"text": "rm ./@/x"}'}}]
    whole = {"choices": [{"index": 0, "delta": {"tool_calls": calls}, "finish_reason": "tool_calls"}]}
    if not is_streamed:
        whole = {"choices": [{"index": 0, "message": {"tool_calls": calls}, "finish_reason": "tool_calls"}]}
    body = json.dumps(whole).encode().replace(b"@", b"\xff")
    reply = WireReply((Send(b"data: " + body + b"\n\ndata: [DONE]\n\n" if is_streamed else body),))

    async def ask() -> None:
        async with WireServer([reply] * 9) as server:
            with pytest.raises(StreamCut, match="not UTF-8"):
                await ask_once(f"{server.url}/v1")

    run(ask())


def test_text_with_bytes_that_are_no_text_is_still_read() -> None:
    body = b'data: {"choices": [{"index": 0, "delta": {"content": "a\xffb"}, "finish_reason": "stop"}]}\n\n'

    async def ask() -> list[StreamPiece]:
        async with WireServer([WireReply((Send(body),))]) as server:
            return await ask_once(f"{server.url}/v1")

    assert TextPiece("a\ufffdb") in run(ask())


@pytest.mark.parametrize(
    "middle",
    [
        [{"index": 0, "function": {"arguments": True}}],
        [{"index": 0, "function": {"arguments": ["un/"]}}],
        [{"index": 0, "function": "un/"}],
        ["un/"],
        [7],
        "un/",
    ],
)
def test_an_unreadable_piece_amid_a_call_does_not_join_its_halves(middle: object) -> None:
    def piece(arguments: str) -> Send:
        return delta(tool_calls=[{"index": 0, "id": "c", "function": {"name": "note", "arguments": arguments}}])

    reply = WireReply((piece('{"text": "rm r'), delta(tool_calls=middle), piece('x"}'), delta("tool_calls")))

    async def ask() -> None:
        async with WireServer([reply] * 9) as server:
            with pytest.raises(StreamCut, match="cannot be read"):
                await ask_once(f"{server.url}/v1")

    run(ask())


def test_a_call_without_an_id_that_is_said_twice_is_one_call() -> None:
    said = delta(function_call={"name": "note", "arguments": '{"text": "pay"}'})
    reply = WireReply((said, said, delta("function_call")))

    async def ask() -> list[StreamPiece]:
        async with WireServer([reply]) as server:
            return await ask_once(f"{server.url}/v1")

    assert len(joined_calls(run(ask()))) == 1


def test_the_list_of_models_leaves_out_what_answers_no_conversation() -> None:
    listed = {"data": [{"id": "gpt-5-mini"}, {"id": "whisper-1"}, {"id": "text-embedding-3-small"}, {"id": "new-one"}]}

    async def work() -> list[tuple[str, int | None]]:
        async with WireServer([WireReply((Send(json.dumps(listed).encode()),), framing="length")]) as server:
            provider = make(base_url=server.url)
            try:
                return [(one.name, one.context_window) for one in await provider.list_models()]
            finally:
                await provider.close()

    assert run(work()) == [("gpt-5-mini", 400_000), ("new-one", None)]


def listed_by(*replies: WireReply) -> tuple[list[str], int]:
    """Names of the server's list, and how often it was asked."""

    async def work() -> tuple[list[str], int]:
        async with WireServer(replies) as server:
            provider = make(base_url=server.url, idle_seconds=0.5)
            try:
                return [one.name for one in await provider.list_models()], len(server.requests)
            finally:
                await provider.close()

    return run(work())


def page(record: object) -> WireReply:
    return WireReply((Send(json.dumps(record).encode()),), framing="length")


def test_a_list_that_goes_on_for_ever_ends_and_names_each_model_once() -> None:
    same = page({"data": [{"id": "new-one"}], "has_more": True, "last_id": "new-one"})
    assert listed_by(same, same, same, same) == (["new-one"], 2)


def test_a_page_without_models_is_not_the_end_of_the_list() -> None:
    first = page({"data": [], "has_more": True, "last_id": "a"})
    assert listed_by(first, page({"data": [{"id": "new-one"}]})) == (["new-one"], 2)


@pytest.mark.parametrize(
    ("reply", "error", "said"),
    [
        (WireReply((Send(b'{"data": ['), Stall())), NetworkDown, "silent"),
        (WireReply((Send(b'{"data": ['), Cut())), StreamCut, "broke"),
        (WireReply((Send(b'{"data": [' + b'{"id": "a"},' * 1_500_000),), framing="length"), StreamCut, "16 MiB"),
    ],
)
def test_a_list_that_does_not_arrive_says_why(reply: WireReply, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        listed_by(reply)
