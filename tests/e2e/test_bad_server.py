"""A misbehaving model server against the whole program: real process, real socket, real shell.

The cases are those that peers were measured with; every one of them failed at some peer.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.testing.wire_server import Cut, RecordedRequest, Send, Stall, WireReply, WireServer


@contextmanager
def serving(replies: Sequence[WireReply]) -> Iterator[WireServer]:
    """The server, in a thread of its own; a request too many gets the last reply again."""
    left = list(replies)

    def answer(_: RecordedRequest) -> WireReply:
        return left.pop(0) if len(left) > 1 else left[0]

    server = WireServer(answer)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(5)
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(), loop).result(5)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
        loop.close()


def event(**data: Any) -> bytes:
    return b"data: " + json.dumps(data).encode() + b"\n\n"


def delta(finish: str | None = None, **fields: Any) -> bytes:
    return event(choices=[{"index": 0, "delta": fields, "finish_reason": finish}])


def call_delta(arguments: str, *, index: int = 0, id: str | None = "c1", name: str = "Bash") -> bytes:
    made: dict[str, Any] = {"index": index, "type": "function", "function": {"name": name, "arguments": arguments}}
    return delta(tool_calls=[made | ({"id": id} if id else {})])


def stream(*chunks: bytes, done: bool = True, cut: bool = False) -> WireReply:
    steps: list[Any] = [Send(chunk) for chunk in chunks]
    return WireReply((*steps, *([Send(b"data: [DONE]\n\n")] if done else []), *([Cut()] if cut else [])))


ALL_DONE = stream(delta(content="All done."), delta("stop"))
TOUCH = json.dumps({"command": "touch ran.txt"})


def run(folder: Path, replies: Sequence[WireReply], *arguments: str) -> tuple[dict[str, Any], list[Any], Path]:
    """Run a prompt against the server; gives the result object, the request bodies and the workspace."""
    home, work = folder / "home", folder / "work"
    home.mkdir()
    work.mkdir()
    with serving(replies) as server:
        environ = {
            name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ARIES_", "OPENAI_"))
        }
        environ |= {"HOME": str(home), "OPENAI_BASE_URL": server.url + "/v1", "OPENAI_API_KEY": "test-key-of-ours"}
        done = subprocess.run(
            [sys.executable, "-m", "aries_cli", "-p", "go", "-m", "openai/fake-model", "--permissions", "all",
             "--output-format", "json", *arguments],
            cwd=work, env=environ, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=60,
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        result = json.loads(done.stdout)
        assert result["exit_code"] == done.returncode
        return result, [json.loads(request.body) for request in server.requests], work


def test_1_a_connection_cut_in_the_middle_of_a_call_runs_nothing(tmp_path: Path) -> None:
    bad = stream(call_delta('{"command": "touch ran.txt'), done=False, cut=True)
    result, requests, work = run(tmp_path, [bad, ALL_DONE])
    assert (result["text"], len(requests), list(work.iterdir())) == ("All done.", 2, [])
    assert requests[1]["messages"] == requests[0]["messages"]


def test_1b_a_whole_call_without_a_finish_reason_runs_nothing(tmp_path: Path) -> None:
    result, _, work = run(tmp_path, [stream(call_delta(TOUCH)), ALL_DONE])
    assert (result["text"], list(work.iterdir())) == ("All done.", [])


@pytest.mark.parametrize("arguments", ['{"command": "touch ran.txt', '{"command": "touch ran.txt"', TOUCH])
def test_2_and_3_a_call_cut_by_the_output_limit_is_not_run_and_not_repaired(tmp_path: Path, arguments: str) -> None:
    result, requests, work = run(tmp_path, [stream(call_delta(arguments), delta("length")), ALL_DONE])
    assert (result["status"], list(work.iterdir())) == ("done", [])
    told = requests[1]["messages"][-1]
    assert told["role"] == "tool" and "output limit" in told["content"]


@pytest.mark.parametrize("ids", [(None, None), ("same", "same")])
def test_4_two_parallel_calls_of_one_index_both_run_and_both_stay(
    tmp_path: Path, ids: tuple[str | None, str | None]
) -> None:
    first, second = (json.dumps({"command": f"echo {name} >> ran.txt"}) for name in ("one", "two"))
    bad = stream(call_delta(first, id=ids[0]), call_delta(second, id=ids[1]), delta("tool_calls"))
    result, requests, work = run(tmp_path, [bad, ALL_DONE])
    assert result["text"] == "All done."
    assert (work / "ran.txt").read_text(encoding="utf-8") == "one\ntwo\n"
    assistant, *results = requests[1]["messages"][-3:]
    sent = [call["id"] for call in assistant["tool_calls"]]
    assert len(set(sent)) == 2 and [one["tool_call_id"] for one in results] == sent


def test_5_an_empty_answer_is_asked_again(tmp_path: Path) -> None:
    result, requests, _ = run(tmp_path, [stream(delta("stop")), ALL_DONE])
    assert (result["text"], len(requests)) == ("All done.", 2)


def test_5b_a_server_that_only_gives_empty_answers_is_an_error(tmp_path: Path) -> None:
    result, requests, _ = run(tmp_path, [stream(delta("stop"))])
    assert (result["status"], result["exit_code"], len(requests)) == ("failed", 1, 2)
    assert "empty answer" in result["reason"]


def test_6_a_rate_limit_is_waited_out(tmp_path: Path) -> None:
    slow = WireReply((Send(b'{"error":{"message":"slow down"}}'),), status=429, headers={"retry-after": "1"})
    result, requests, _ = run(tmp_path, [slow, ALL_DONE])
    assert (result["text"], len(requests)) == ("All done.", 2)


def test_6b_a_quota_that_is_used_up_is_not_waited_for(tmp_path: Path) -> None:
    body = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}
    gone = WireReply((Send(json.dumps(body).encode()),), status=429, headers={"retry-after": "1"})
    result, requests, _ = run(tmp_path, [gone, ALL_DONE])
    assert (result["exit_code"], len(requests)) == (1, 1) and "quota" in result["reason"]


def test_7_an_error_inside_a_stream_discards_what_came_before(tmp_path: Path) -> None:
    bad = stream(delta(content="Partial "), event(error={"message": "upstream died", "type": "server_error"}))
    result, requests, _ = run(tmp_path, [bad, ALL_DONE])
    assert (result["text"], len(requests)) == ("All done.", 2)


def test_7b_an_error_inside_every_stream_is_a_failure(tmp_path: Path) -> None:
    bad = stream(event(error={"message": "the key was revoked", "type": "authentication_error", "code": 401}))
    result, _, _ = run(tmp_path, [bad])
    assert (result["status"], result["is_error"]) == ("failed", True) and "revoked" in result["reason"]


def test_8_text_without_an_end_is_not_taken_for_the_answer(tmp_path: Path) -> None:
    result, requests, _ = run(tmp_path, [stream(delta(content="Partial "), done=False), ALL_DONE])
    assert (result["text"], len(requests)) == ("All done.", 2)


def test_9_an_overloaded_server_is_tried_again(tmp_path: Path) -> None:
    busy = WireReply((Send(b"overloaded"),), status=529, headers={"retry-after-ms": "10"})
    result, requests, _ = run(tmp_path, [busy, busy, busy, ALL_DONE])
    assert (result["text"], len(requests)) == ("All done.", 4)


def test_a_server_that_repeats_its_ids_and_its_call_for_ever_is_stopped(tmp_path: Path) -> None:
    again = stream(event(id="msg-1", choices=[]), call_delta('{"command": "true"}'), delta("tool_calls"))
    result, requests, _ = run(tmp_path, [again])
    assert (result["status"], result["exit_code"]) == ("stuck", 4)
    assert [len(request["messages"]) for request in requests] == [2, 4, 6]


def test_a_server_that_falls_silent_ends_at_the_time_limit(tmp_path: Path) -> None:
    silent = WireReply((Send(delta(content="wait")), Stall()))
    result, _, _ = run(tmp_path, [silent], "--max-seconds", "1")
    assert (result["status"], result["exit_code"]) == ("limit", 3)


def test_a_wrong_key_is_told_without_showing_it(tmp_path: Path) -> None:
    body = {"error": {"message": "Incorrect API key provided: test-key-of-ours", "code": "invalid_api_key"}}
    refused = WireReply((Send(json.dumps(body).encode()),), status=401)
    result, requests, _ = run(tmp_path, [refused])
    assert (result["exit_code"], len(requests)) == (1, 1)
    assert "test-key-of-ours" not in json.dumps(result)


def test_a_conversation_that_no_longer_fits_is_told_as_that(tmp_path: Path) -> None:
    body = {
        "error": {"message": "This model's maximum context length is 10 tokens.", "code": "context_length_exceeded"}
    }
    full = WireReply((Send(json.dumps(body).encode()),), status=400)
    result, requests, _ = run(tmp_path, [full])
    assert (result["exit_code"], len(requests)) == (1, 1) and "context" in result["reason"]
