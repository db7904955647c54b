"""The body with the real tools around it: what code writes and runs is done by them, judged and logged as theirs."""

from __future__ import annotations

import asyncio
import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import attrs
import pytest

from aries_cli.opening import Flags, make_plugins, real_surroundings
from aries_kernel.model.request import ModelInfo
from aries_kernel.testing.fakes import ScriptedProvider, call, end, make_host, text


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "a.py").write_bytes(b"first = 1\r\nsecond = '$&'\r\n")
    return folder


def _aries(work: Path, *words: str) -> subprocess.CompletedProcess[str]:
    home = work.parent / "home"
    home.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    environ = {**kept, "HOME": str(home), "USERPROFILE": str(home)}
    return subprocess.run(
        [sys.executable, "-m", "aries_cli", *words],
        cwd=work, env=environ, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=180,
    )  # fmt: skip


def _turn(work: Path, codes: list[str], *flags: str) -> list[dict[str, Any]]:
    """Play a session in which the model runs these codes; gives the lines of its log."""
    lines = [{"pieces": [{"call": "Repl", "arguments": {"code": code}}]} for code in codes]
    script = work.parent / "script.jsonl"
    text = "".join(json.dumps(line) + "\n" for line in [*lines, {"pieces": [{"text": "done"}]}])
    script.write_text(text, encoding="utf-8")
    done = _aries(work, "-p", "go", "-m", f"replay/{script}", *flags)
    assert done.returncode == 0, done.stderr
    [log] = [file for file in (work.parent / "home").rglob("*.jsonl") if "sessions" in file.parts]
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def test_code_of_a_person_edits_and_runs_by_the_tools(work: Path) -> None:
    code = (
        "r = fs.edit('a.py', \"'$&'\", \"r'\\\\1 $& é'\")\n"
        "c = shell.run('cat a.py; exit 3')\n"
        "(r.changed, c.code, c.output)"
    )
    done = _aries(work, "--permissions", "all", "repl", "-c", code)
    assert done.returncode == 0, done.stderr
    assert (work / "a.py").read_bytes() == "first = 1\r\nsecond = r'\\1 $& é'\r\n".encode()
    assert "True" in done.stdout and "3" in done.stdout and "first = 1" in done.stdout


def test_calls_that_code_makes_are_judged_and_logged_as_calls_of_the_model_are(work: Path) -> None:
    codes = ["x = fs.write('new.txt', 'one\\n')\nx.text", "shell.run('echo two >> new.txt').code", "x.path"]
    log = _turn(work, codes, "--permissions", "all")
    assert (work / "new.txt").read_text(encoding="utf-8") == "one\ntwo\n"
    inner = [(line["call"]["name"], line["result"]["status"]) for line in log if line["type"] == "InnerCallEnded"]
    assert inner == [("Write", "ok"), ("Bash", "ok")]
    results = [line["result"]["text"] for line in log if line["type"] == "CallEnded"]
    assert results == ["'Created new.txt: 1 line, 4 bytes.'", "0", "'new.txt'"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="unconfined, code itself is asked about")
def test_what_would_ask_is_refused_within_code_and_the_plan_holds(work: Path) -> None:
    codes = ["1 + 1", "fs.write('new.txt', 'x')", "shell.run('touch new.txt')", "open('new.txt', 'w')"]
    for flags in ([], ["--phase", "plan"]):
        for file in (work.parent / "home").rglob("*.jsonl"):
            file.unlink()
        log = _turn(work, codes, *flags)
        texts = [line["result"]["text"] for line in log if line["type"] == "CallEnded"]
        assert texts[0] == "2" and "Refused" in texts[1] and "Refused" in texts[2] and "Error" in texts[3]
        assert not (work / "new.txt").exists()


def test_the_doctor_says_what_confines_code(work: Path) -> None:
    found = json.loads(_aries(work, "doctor", "--json").stdout)
    [line] = [one for one in found if one["what"] == "body"]
    assert line["grade"] == ("ok" if line["text"].startswith("confined by") else "note")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="unconfined, code itself is asked about")
def test_what_code_wrote_is_taken_back_with_what_the_tools_wrote(tmp_path: Path) -> None:
    codes = "fs.edit('a.py', 'first', 'second')\nfs.write('made.py', 'x = 1\\n')\nfs.edit('a.py', '= 1', '= 2')"
    script = [
        [call("Repl", "1", code=codes), end()],
        [call("Write", "2", path="by_tool.py", content="y = 1\n"), end()],
        [text("done"), end()],
    ]
    work = tmp_path / "work"
    work.mkdir()
    before = b"first = 1\r\nother = '$&'"
    (work / "a.py").write_bytes(before)
    drivers = make_plugins(Flags(), None, attrs.evolve(real_surroundings(), cache_folder=tmp_path / "cache")).drivers
    tools = [functools.partial(cast(Any, drivers.load("aries.tools", name))) for name in ("Repl", "Write", "Edit")]
    for tool, name in zip(tools, ("Repl", "Write", "Edit"), strict=True):
        cast(Any, tool).name = name
    provider = ScriptedProvider(script, ModelInfo("scripted"))
    host = make_host(tmp_path, provider, tools=tools, settings={"permissions": {"mode": "all"}}, environ=os.environ)

    async def play() -> tuple[set[str], Any]:
        agent = host.open()
        outcome = await agent.run("go")
        assert outcome.calls == 2, outcome
        written = {file.name for file in work.iterdir()}
        undone = agent.undo()
        await host.close()
        return written, undone

    written, undone = asyncio.run(play())
    assert written == {"a.py", "made.py", "by_tool.py"}
    assert {path.name for path in undone.restored} == written and undone.left == ()
    assert [file.name for file in work.iterdir()] == ["a.py"] and (work / "a.py").read_bytes() == before
