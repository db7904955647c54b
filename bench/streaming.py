"""How the time of an answer grows with its length: a whole session, from the socket to the session log.

    uv run python bench/streaming.py

A server in a process of its own streams answers of several lengths in small pieces, in the dialects of three providers.
What is timed is a session that reads them: decoding, assembling, showing, storing. Where the time for four times the
text is about four times as long, nothing in between is quadratic. Results go to `bench/results/streaming.json`.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aries_kernel.testing.fakes import make_host
from aries_kernel.testing.wire_server import RecordedRequest, Send, WireReply, WireServer

RESULTS = Path(__file__).parent / "results" / "streaming.json"
MEGABYTES, RUNS = (1.25, 2.5, 5.0), 3
PIECE = "The quick brown fox jumps over the dog. "
"""About ten tokens: what fast servers send at once."""


def openai(count: int) -> Iterator[str]:
    for _ in range(count):
        yield f"data: {json.dumps({'choices': [{'index': 0, 'delta': {'content': PIECE}, 'finish_reason': None}]})}\n\n"
    yield 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


def anthropic(count: int) -> Iterator[str]:
    def event(kind: str, **more: Any) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n"

    usage = {"input_tokens": 10, "output_tokens": 1}
    yield event("message_start", message={"id": "m", "type": "message", "role": "assistant", "usage": usage})
    yield event("content_block_start", index=0, content_block={"type": "text", "text": ""})
    for _ in range(count):
        yield event("content_block_delta", index=0, delta={"type": "text_delta", "text": PIECE})
    yield event("content_block_stop", index=0)
    yield event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": count * 10})
    yield event("message_stop")


def ollama(count: int) -> Iterator[str]:
    for _ in range(count):
        yield json.dumps({"message": {"role": "assistant", "content": PIECE}, "done": False}) + "\n"
    yield json.dumps({"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"}) + "\n"


DIALECTS = {
    "openai": (openai, "gpt-4.1", "/v1/chat/completions"),
    "anthropic": (anthropic, "claude-sonnet-4-6", "/v1/messages"),
    "ollama": (ollama, "any", "/api/chat"),
}


def reply(request: RecordedRequest) -> WireReply:
    """An answer as long as the last prompt says; nothing for questions about the server."""
    dialect = next((name for name, (_, _, path) in DIALECTS.items() if request.target.startswith(path)), None)
    body = json.loads(request.body or b"{}")
    if dialect is None or not body.get("messages"):
        return WireReply((Send(b"{}"),), headers={"content-type": "application/json"})
    content = body["messages"][-1]["content"]
    prompt = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    stream = "".join(DIALECTS[dialect][0](int(prompt.split()[0]))).encode()
    # A socket gives what has arrived, a few pieces at a time.
    return WireReply(tuple(Send(stream[start : start + 4096]) for start in range(0, len(stream), 4096)))


async def serve() -> None:
    async with WireServer(reply) as server:
        print(server.url, flush=True)
        await asyncio.to_thread(sys.stdin.read)


async def one_answer(folder: Path, name: str, url: str, megabytes: float) -> float:
    """Seconds of this processor from the prompt to the end of the turn; the server has its own process."""
    from importlib.metadata import entry_points

    [entry] = entry_points(group="aries.providers", name=name)
    count = int(megabytes * 1_000_000 / len(PIECE))
    settings = {
        "models": {"primary": {"model": f"{name}/{DIALECTS[name][1]}"}},
        "providers": {name: {"base_url": url}},
        "budget": {"max_turns": 1},
    }
    environ = {"OPENAI_API_KEY": "none", "ANTHROPIC_API_KEY": "none"}
    shown = 0

    def show(event: object) -> None:
        nonlocal shown
        shown += len(getattr(event, "text", ""))

    host = make_host(folder, None, tools=(), settings=settings, environ=environ, show=show, others={name: entry.load()})
    agent = host.open()
    start = time.process_time()
    outcome = await agent.run(f"{count} pieces")
    spent = time.process_time() - start
    await host.close()
    if len(outcome.text) != count * len(PIECE) or shown < len(outcome.text):
        raise SystemExit(f"{name}: {outcome.status}: {outcome.reason}: {len(outcome.text)} characters arrived")
    return spent


def main() -> None:
    rows = []
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, __file__, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as server,
    ):
        assert server.stdout is not None and server.stdin is not None
        url = server.stdout.readline().strip()
        for name in DIALECTS:
            seconds = {}
            for megabytes in MEGABYTES:
                runs = [
                    asyncio.run(one_answer(Path(folder) / f"{name}-{megabytes}-{run}", name, url, megabytes))
                    for run in range(RUNS)
                ]
                seconds[megabytes] = statistics.median(runs)
            rows.append(
                {
                    "provider": name,
                    "processor_seconds_by_megabytes": {str(size): round(spent, 3) for size, spent in seconds.items()},
                    "time_for_four_times_the_text": round(seconds[MEGABYTES[-1]] / seconds[MEGABYTES[0]], 2),
                    "megabytes_per_second": round(MEGABYTES[-1] / seconds[MEGABYTES[-1]], 2),
                }
            )
            print(rows[-1])
        server.stdin.close()
    RESULTS.write_text(
        json.dumps({"runs": RUNS, "piece_characters": len(PIECE), "providers": rows}, indent=2) + "\n", "utf-8"
    )


if __name__ == "__main__":
    asyncio.run(serve()) if sys.argv[1:] == ["serve"] else main()
