"""The whole program on a model server that nobody here wrote, in each wire format that it speaks.

The server breaks things on demand and judges how its client took it: waits that were not kept, requests that could
never succeed sent again, half an answer taken for a whole one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from llmock.scenarios import Fail, Reply, StreamFault, ToolCall
from llmock.testing import LLMockServer
from llmock.verdict import Verdict, judge

RESPONSES = {"wire": "responses", "supports_reasoning_effort": True}
SHAPES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "chat": ("custom/any", "openai", {}),
    "groq": ("groq/llama-3.3-70b-versatile", "groq", {}),
    "responses": ("openai/gpt-5-mini", "openai", {"models": {"gpt-5-mini": {"compat": RESPONSES}}}),
    "messages": ("anthropic/claude-sonnet-4-5", "anthropic", {}),
    "gemini": ("google/gemini-2.5-flash", "gemini", {}),
}
CALL = Reply(tool_calls=(ToolCall("Bash", {"command": "echo ran >> ran.txt"}),))


def run(folder: Path, shape: str, script: Sequence[object]) -> tuple[dict[str, Any], str, Verdict]:
    """One prompt; gives the result object, what the command wrote, and the server's verdict."""
    model, base, options = SHAPES[shape]
    home, work = folder / "home", folder / "work"
    (home / ".aries").mkdir(parents=True)
    work.mkdir()
    with LLMockServer() as server:
        for behaviour in script:
            server.state.scenarios.add(behaviour)
        settings = {"providers": {model.split("/")[0]: {"base_url": server.base_url(base), **options}}}
        (home / ".aries" / "config.yaml").write_text(json.dumps(settings), encoding="utf-8")
        hidden = ("XDG_", "ARIES_", "OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_", "GROQ_")
        environ = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        environ |= {"HOME": str(home)} | {
            f"{name}_API_KEY": "test-key-of-ours" for name in ("CUSTOM", "GROQ", "OPENAI", "ANTHROPIC", "GEMINI")
        }
        done = subprocess.run(
            [sys.executable, "-m", "aries_cli", "-p", "go", "-m", model, "--permissions", "all",
             "--output-format", "json"],
            cwd=work, env=environ, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=60,
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        verdict = judge(server.state.journal.records())
    ran = work / "ran.txt"
    return json.loads(done.stdout), ran.read_text(encoding="utf-8") if ran.exists() else "", verdict


@pytest.mark.parametrize("shape", SHAPES)
def test_a_call_runs_and_its_result_is_answered(shape: str, tmp_path: Path) -> None:
    result, ran, verdict = run(tmp_path, shape, [CALL])
    assert (result["status"], bool(result["text"]), ran.split()) == ("done", True, ["ran"])
    verdict.assert_ok(strict=True)
    assert len(verdict.calls) == 2


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["disconnect", "truncate", "malformed"])
def test_a_broken_stream_runs_nothing_and_is_asked_for_again(shape: str, kind: str, tmp_path: Path) -> None:
    # This server's whole answer is one piece in Gemini's format: it must break before it.
    script = [CALL, StreamFault(kind, after_chunks=0 if shape == "gemini" else 1), CALL]
    result, ran, verdict = run(tmp_path, shape, script)
    assert (result["status"], ran.split()) == ("done", ["ran"])
    assert (verdict.faults, verdict.attempts) == (1, 3)
    # It has written all before it can see that nobody reads on after a malformed piece.
    verdict.assert_ok(strict=kind != "malformed")


@pytest.mark.parametrize("shape", SHAPES)
def test_limits_and_outages_are_waited_out(shape: str, tmp_path: Path) -> None:
    result, ran, verdict = run(tmp_path, shape, [Fail(429, retry_after=0.4), Fail(503), CALL])
    assert (result["status"], ran.split()) == ("done", ["ran"])
    verdict.assert_ok()
    assert verdict.faults == 2


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("status", [400, 401, 404])
def test_what_can_never_succeed_is_told_and_not_repeated(shape: str, status: int, tmp_path: Path) -> None:
    result, _, verdict = run(tmp_path, shape, [Fail(status, times=None)])
    assert (result["status"], result["exit_code"]) == ("failed", 1)
    assert result["reason"] and "test-key-of-ours" not in json.dumps(result)
    assert not [finding for finding in verdict.errors if finding.code != "retried_non_retryable"]
    assert verdict.attempts <= 2, "one other way of asking at most"
