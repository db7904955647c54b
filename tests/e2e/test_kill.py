"""kill -9 at random points of scripted sessions: each resumes, and nothing that was shown is lost."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import attrs
import pytest

from aries_cli.opening import Flags, make_host, real_surroundings
from aries_cli.sessions import target
from aries_kernel.broker.consent import Nobody
from aries_kernel.errors import StoreCorrupt, UnknownName, UserError
from aries_kernel.model.messages import AssistantMessage, ResultsMessage
from aries_kernel.model.session import OutcomeStatus

KILLS = int(os.environ.get("ARIES_KILLS", "80"))
STEPS = 12


def transcript(work: Path) -> None:
    """A session of writes, reads, commands, cuts and text; every answer can be told from every other."""
    lines: list[dict[str, Any]] = []
    for step in range(STEPS):
        write = {"call": "Write", "arguments": {"path": f"f{step}.txt", "content": f"{step}\n" * 50}}
        read = {"call": "Read", "arguments": {"path": f"f{step}.txt", "limit": step + 1}}
        bash = {"call": "Bash", "arguments": {"command": f"echo {step}; sleep 0.01; echo {step} >> log.txt"}}
        lines.append({"pieces": [{"text": f"step {step} "}, write, read, *([bash] if step % 3 == 0 else [])]})
        half = [{"text": "half"}, {"call": "Write", "arguments": '{"path": "never'}]
        if step % 4 == 1:
            lines.append({"pieces": half, "error": "overloaded", "after": 0.01})
        if step == 5:
            lines.append({"pieces": half, "cut": True})
    lines.append({"pieces": [{"text": "all done"}]})
    (work / "t.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def run_and_kill(work: Path, environ: dict[str, str], delay: float) -> list[dict[str, Any]]:
    """Start a session, kill it `delay` seconds after its first event; gives the events it had shown."""
    command = [sys.executable, "-m", "aries_cli", "-p", "go", "-m", "replay/t.jsonl", "--permissions", "all"]
    with subprocess.Popen(
        [*command, "--output-format", "stream-json"],
        cwd=work, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        first = process.stdout.readline()
        timer = threading.Timer(delay, process.kill)
        timer.start()
        rest = process.stdout.read()
        timer.cancel()
    shown = []
    for line in (first + rest).splitlines(keepends=True):
        if line.endswith(b"\n"):
            shown.append(json.loads(line))
    return shown


def resume(work: Path) -> Any:
    """Go on with the newest session of `work` in this process; gives its agent and outcome."""
    surroundings = attrs.evolve(real_surroundings(), sleep=lambda seconds: asyncio.sleep(0))
    where = target(Flags(cwd=str(work), permissions="all"), surroundings, continues=True, resume=None, fork=False)
    host = make_host(where.flags, surroundings, cwd=work, person=Nobody())

    async def play() -> Any:
        agent = host.open(resume=where.resume)
        healed = agent.session.messages
        outcome = await agent.run("go on")
        await host.close()
        return agent, healed, outcome

    return asyncio.run(play())


@pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")
@pytest.mark.parametrize("seed", range(8))
def test_every_killed_session_resumes_and_nothing_shown_is_lost(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    home = tmp_path / "home"
    home.mkdir()
    for name in [name for name in os.environ if name.startswith(("XDG_", "ARIES_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    for number in range(KILLS // 8):
        work = tmp_path / f"work{number}"
        work.mkdir()
        transcript(work)
        shown = run_and_kill(work, dict(os.environ), chance.uniform(0, 1.2))
        try:
            agent, healed, outcome = resume(work)
        except (UserError, StoreCorrupt, UnknownName):
            assert not shown, "a session that was shown must be there"
            continue
        check(shown, agent, healed)
        if any(isinstance(message, AssistantMessage) and message.text == "all done" for message in healed):
            continue  # It was killed after its last answer, which the transcript has only once.
        assert outcome.status is OutcomeStatus.DONE and outcome.text == "all done"
        assert not (work / "never").exists()


def check(shown: list[dict[str, Any]], agent: Any, healed: Any) -> None:
    answers = [message for message in healed if isinstance(message, AssistantMessage)]
    results = [result for message in healed if isinstance(message, ResultsMessage) for result in message.results]
    assert agent.session.history.problems == [] or len(agent.session.history.problems) == 1
    shown_answers = [event["message"] for event in shown if event["type"] == "answer_completed"]
    shown_results = [event["result"] for event in shown if event["type"] == "call_finished"]
    assert [one["parts"][0]["text"] for one in shown_answers] == [one.text for one in answers][: len(shown_answers)]
    kept = {result.call_id: result for result in results}
    for one in shown_results:
        assert (kept[one["call_id"]].status, kept[one["call_id"]].text) == (one["status"], one["text"])
    called = [call.id for answer in answers for call in answer.calls]
    assert sorted(called) == sorted(kept), "every call has exactly one result"
