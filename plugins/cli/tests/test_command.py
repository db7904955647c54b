"""The command as a person or a script runs it: a real process, real tools, a scripted model."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "hello.txt").write_text("hello\n", encoding="utf-8")
    return folder


def environment(home: Path, **more: str) -> dict[str, str]:
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ARIES_", "OPENAI_"))}
    return {**keep, "HOME": str(home), "USERPROFILE": str(home), **more}


@pytest.fixture
def aries(home: Path, work: Path) -> Run:
    def run(*arguments: str, stdin: str | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "aries_cli", *arguments],
            cwd=work,
            env=environment(home, **more),
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )

    return run


def script(work: Path, *answers: dict[str, Any], name: str = "t.jsonl") -> str:
    (work / name).write_text("".join(json.dumps(answer) + "\n" for answer in answers), encoding="utf-8")
    return f"replay/{name}"


def says(*pieces: Any, **more: Any) -> dict[str, Any]:
    return {"pieces": [{"text": piece} if isinstance(piece, str) else piece for piece in pieces], **more}


def calls(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"call": tool, "arguments": arguments}


def document(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


class TestOutput:
    def test_text_is_the_answer_alone(self, aries: Run, work: Path) -> None:
        done = aries(
            "-p", "hi", "-m", script(work, says("Let me see.", calls("Read", path="hello.txt")), says("It says hello."))
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "It says hello.\n", "")

    def test_json_is_one_document(self, aries: Run, work: Path) -> None:
        model = script(work, says(calls("Bash", command="echo x")), says("ok", usage={"input": 7, "output": 2}))
        done = aries("-p", "hi", "-m", model, "--output-format", "json")
        result = document(done)
        assert done.stdout.count("\n") == 1
        assert (result["status"], result["exit_code"], result["text"], result["calls"]) == ("done", 0, "ok", 1)
        assert (result["usage"]["input"], result["usage"]["output"], result["cost_usd"]) == (7, 2, 0.0)
        assert result["refused"][0]["tool"] == "Bash" and "--allow" in result["refused"][0]["reason"]

    def test_stream_json_is_a_document_a_line_and_the_result_comes_last(self, aries: Run, work: Path) -> None:
        model = script(work, says("a ", calls("Read", path="hello.txt")), says("half", cut=True), says("b"))
        done = aries("-p", "hi", "-m", model, "--output-format", "stream-json")
        kinds = [json.loads(line)["type"] for line in done.stdout.splitlines()]
        assert kinds == [
            "session_opened", "user_spoke", "text_piece", "answer_completed", "call_started", "call_finished",
            "text_piece", "answer_discarded", "text_piece", "answer_completed", "result",
        ]  # fmt: skip

    def test_a_reader_that_goes_away_is_no_traceback(self, home: Path, work: Path) -> None:
        model = script(
            work, *[says(calls("Read", path="hello.txt", limit=n + 1)) for n in range(40)], says("x" * 200_000)
        )
        command = [sys.executable, "-m", "aries_cli", "-p", "hi", "-m", model, "--output-format", "stream-json"]
        with subprocess.Popen(
            command,
            cwd=work,
            env=environment(home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None and process.stderr is not None
            process.stdout.readline()
            process.stdout.close()
            assert b"Traceback" not in process.stderr.read()


class TestPrompt:
    def test_it_may_come_through_a_pipe(self, aries: Run, work: Path) -> None:
        done = aries("-m", script(work, says("ok")), "--output-format", "stream-json", stdin="what is this?\n")
        assert json.loads(done.stdout.splitlines()[1])["message"]["text"] == "what is this?\n"

    def test_piped_data_is_added_to_it(self, aries: Run, work: Path) -> None:
        done = aries(
            "-p", "review", "-m", script(work, says("ok")), "--output-format", "stream-json", stdin="diff --git"
        )
        assert json.loads(done.stdout.splitlines()[1])["message"]["text"] == "review\n\ndiff --git"

    def test_a_pipe_that_stays_open_and_silent_is_not_waited_for(self, home: Path, work: Path) -> None:
        model = script(work, says("ok"))
        read, write = os.pipe()
        try:
            done = subprocess.run(
                [sys.executable, "-m", "aries_cli", "-p", "hi", "-m", model],
                cwd=work, env=environment(home), stdin=read, capture_output=True, encoding="utf-8", timeout=30,
            )  # fmt: skip
        finally:
            os.close(read)
            os.close(write)
        assert (done.returncode, done.stdout) == (0, "ok\n")

    def test_without_one_and_without_a_terminal_there_is_an_error(self, aries: Run) -> None:
        done = aries()
        assert done.returncode == 2 and "There is no prompt" in done.stderr and done.stdout == ""


class TestExitCodes:
    def case(self, aries: Run, model: str, *more: str) -> tuple[int, str]:
        done = aries("-p", "hi", "-m", model, *more)
        assert "Traceback" not in done.stderr
        return done.returncode, done.stderr

    def test_failed(self, aries: Run, work: Path) -> None:
        code, told = self.case(aries, script(work, {"error": "auth_refused", "message": "the key is wrong"}))
        assert code == 1 and "the key is wrong" in told

    def test_limit(self, aries: Run, work: Path) -> None:
        answers = [says(calls("Read", path="hello.txt", limit=n + 1)) for n in range(5)]
        code, told = self.case(aries, script(work, *answers), "--max-turns", "2")
        assert code == 3 and "budget.max_turns" in told

    def test_stuck(self, aries: Run, work: Path) -> None:
        code, told = self.case(aries, script(work, *[says(calls("Read", path="hello.txt"))] * 5))
        assert code == 4 and "3 times" in told

    @pytest.mark.skipif(os.name != "posix", reason="sends a signal")
    def test_interrupted(self, home: Path, work: Path) -> None:
        model = script(work, says("waiting", {"wait": 60}))
        command = [sys.executable, "-m", "aries_cli", "-p", "hi", "-m", model, "--output-format", "stream-json"]
        with subprocess.Popen(
            command, cwd=work, env=environment(home), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8"
        ) as process:
            assert process.stdout is not None
            while "text_piece" not in process.stdout.readline():
                pass
            process.send_signal(signal.SIGINT)
            result = json.loads(process.stdout.read().strip().splitlines()[-1])
            assert process.wait(10) == 130
        assert result["status"] == "interrupted"

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["-p", "x", "-m", "gpt-5"], "provider/model"),
            (["-p", "x", "-m", "opnai/gpt-5"], "Did you mean 'openai'?"),
            (["-p", "x"], "OPENAI_API_KEY"),
            (["-p", "x", "--permissions", "everything"], "permissions.mode must be one of"),
            (["-p", "x", "--allow", "Bash(git"], "Bash(git"),
            (["-p", "x", "-r", "nothing"], "There is no session 'nothing'"),
            (["-p", "x", "-c"], "no session to continue"),
            (["-p", "x", "--cwd", "nowhere"], "there is no such folder"),
            (["-p", "x", "-m", "replay/none.jsonl"], "none.jsonl cannot be read"),
            (["-p", "x", "--phase", "ful"], "Did you mean 'full'?"),
            (["-p", "  "], "prompt is empty"),
            (["-p"], "requires an argument"),
            (["--max-cost", "free"], "--max-cost"),
            (["--no-such-flag"], "No such option"),
            (["plugin"], "Did you mean 'plugins'?"),
            (["fix the bug"], "aries -p 'fix the bug'"),
            (["sessions", "show", "nothing"], "There is no session"),
        ],
    )  # fmt: skip
    def test_a_mistake_of_the_person_is_told_in_a_line(
        self, aries: Run, work: Path, arguments: Sequence[str], told: str
    ) -> None:
        done = aries(*arguments)
        assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr and done.stdout == ""
        assert not list(work.parent.rglob("*.jsonl"))

    def test_a_reader_of_documents_gets_one_for_a_mistake_too(self, aries: Run) -> None:
        done = aries("-p", "x", "-m", "nope", "--output-format", "json")
        result = document(done)
        assert (
            done.returncode == 2
            and result["exit_code"] == 2
            and result["is_error"]
            and "provider/model" in result["reason"]
        )


class TestSessions:
    def test_a_session_is_continued_with_its_model_and_listed_shown_and_exported(self, aries: Run, work: Path) -> None:
        model = script(work, says("one"), says("two"))
        first = document(aries("-p", "first prompt", "-m", model, "--output-format", "json"))
        second = document(aries("-c", "-p", "second prompt", "--output-format", "json"))
        assert (second["text"], second["session"]) == ("two", first["session"])
        listed = json.loads(aries("sessions", "list", "--json").stdout)
        assert [(one["id"], one["first_prompt"]) for one in listed] == [(first["session"], "first prompt")]
        shown = aries("sessions", "show", first["session"]).stdout
        assert [shown.index(part) for part in ("first prompt", "one", "second prompt", "two")] == sorted(
            shown.index(part) for part in ("first prompt", "one", "second prompt", "two")
        )
        assert aries("sessions", "export", first["session"], "-o", "out.jsonl").returncode == 0
        again = document(aries("-p", "first prompt", "-m", "replay/out.jsonl", "--output-format", "json"))
        assert again["text"] == "one"
        assert aries("sessions", "export", first["session"], "-o", "out.jsonl").returncode == 2

    def test_a_session_goes_on_in_its_own_folder(self, aries: Run, work: Path, tmp_path: Path) -> None:
        model = script(work, says("one"), says(calls("Read", path="hello.txt")), says("two"))
        first = document(aries("-p", "x", "-m", model, "--output-format", "json"))
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        done = subprocess.run(
            [sys.executable, "-m", "aries_cli", "-r", first["session"], "-p", "y"],
            cwd=elsewhere, env=environment(tmp_path / "home"), stdin=subprocess.DEVNULL, capture_output=True,
            encoding="utf-8",
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (0, "two\n")

    def test_a_fork_needs_a_session(self, aries: Run) -> None:
        done = aries("-p", "x", "--fork")
        assert done.returncode == 2 and "--fork needs a session" in done.stderr


class TestPermissions:
    def test_a_rule_on_the_command_line_allows(self, aries: Run, work: Path) -> None:
        model = script(work, says(calls("Bash", command="echo allowed > made.txt")), says("ok"))
        aries("-p", "x", "-m", model, "--allow", "Bash(echo)", "--permissions", "edits")
        assert (work / "made.txt").read_text(encoding="utf-8") == "allowed\n"

    def test_deny_wins_over_everything(self, aries: Run, work: Path) -> None:
        model = script(work, says(calls("Bash", command="true && env -i touch made.txt")), says("ok"))
        aries("-p", "x", "-m", model, "--permissions", "all", "--deny", "Bash(touch)")
        assert not (work / "made.txt").exists()

    @pytest.mark.parametrize("mode", ["ask", "all"])
    def test_no_way_out_and_no_secret_is_read(self, aries: Run, work: Path, tmp_path: Path, mode: str) -> None:
        (tmp_path / "outside.txt").write_text("outside text", encoding="utf-8")
        (work / ".env").write_text("PASSWORD=hunter2hunter2\n", encoding="utf-8")
        (work / "link").symlink_to(tmp_path / "outside.txt")
        paths = ["link", ".env", str(tmp_path / "outside.txt"), "../outside.txt"]
        model = script(work, says(*[calls("Read", path=path) for path in paths]), says("ok"))
        done = aries("-p", "x", "-m", model, "--permissions", mode, "--output-format", "stream-json")
        results = [json.loads(line)["result"] for line in done.stdout.splitlines() if '"call_finished"' in line]
        assert [result["status"] for result in results] == ["refused"] * 4
        assert "outside text" not in done.stdout and "hunter2" not in done.stdout

    def test_a_command_cannot_print_our_key(self, aries: Run, work: Path) -> None:
        model = script(
            work, says(calls("Bash", command="env; cat /proc/self/environ; cat /proc/$PPID/environ")), says("ok")
        )
        done = aries(
            "-p", "x", "-m", model, "--permissions", "all", "--output-format", "stream-json",
            OPENAI_API_KEY="sk-this-is-ours", MY_TOKEN="and-this-one-too",
        )  # fmt: skip
        assert "sk-this-is-ours" not in done.stdout and "and-this-one-too" not in done.stdout

    def test_spilled_output_can_be_read(self, aries: Run, work: Path) -> None:
        (work / "big.txt").write_text("\n".join(f"line {number}" for number in range(50_000)), encoding="utf-8")
        model = script(work, says(calls("Bash", command="cat big.txt")), says("ok"))
        done = aries("-p", "x", "-m", model, "--permissions", "all", "--output-format", "stream-json")
        [result] = [json.loads(line)["result"] for line in done.stdout.splitlines() if '"call_finished"' in line]
        assert len(result["text"]) < 40_000
        spilled = next(word.strip("'.,;]") for word in result["text"].split() if "spill" in word)
        assert Path(spilled).exists()


class TestCommands:
    def test_config_shows_where_values_come_from(self, aries: Run, home: Path, work: Path) -> None:
        (home / ".aries").mkdir()
        (home / ".aries" / "config.yaml").write_text("budget:\n  max_turns: 7\n", encoding="utf-8")
        (work / ".aries").mkdir()
        (work / ".aries" / "config.yaml").write_text("phase: full\npermissions: {mode: all}\n", encoding="utf-8")
        done = aries("-m", "replay/x", "config", "show", "--json")
        values = {one["key"]: (one["value"], one["origin"]) for one in json.loads(done.stdout)["values"]}
        assert values["budget.max_turns"] == (7, f"{home / '.aries' / 'config.yaml'}:2")
        assert values["phase"] == ("full", f"{work / '.aries' / 'config.yaml'}:1")
        assert values["models.primary.model"] == ("replay/x", "flags")
        assert values["permissions.mode"] == ("ask", "default")
        assert "permissions.mode is ignored" in done.stderr

    def test_every_command_reports_a_broken_settings_file_in_a_line(self, aries: Run, home: Path) -> None:
        (home / ".aries").mkdir()
        (home / ".aries" / "config.yaml").write_text("phase: [", encoding="utf-8")
        for command in (["config", "show"], ["tools"], ["-p", "x"]):
            done = aries(*command)
            assert done.returncode == 2 and "config.yaml:1: is not valid YAML" in done.stderr
        done = aries("plugins")
        assert done.returncode == 0 and "config.yaml:1" in done.stderr and "aries-tool-shell" in done.stdout
        done = aries("doctor")
        assert done.returncode == 1 and "config.yaml:1" in done.stdout

    def test_plugins_lists_states_and_switches(self, aries: Run) -> None:
        rows = json.loads(aries("--disable", "replay", "plugins", "--json").stdout)["plugins"]
        states = {(row["group"], row["name"]): (row["state"], row["distribution"]) for row in rows}
        assert states["aries.providers", "replay"] == ("off", "aries-provider-replay")
        assert states["aries.tools", "Bash"] == ("enabled", "aries-tool-shell")
        assert aries("plugins", "--check").returncode == 0

    def test_a_tool_that_is_switched_off_is_not_exposed(self, aries: Run) -> None:
        names = [one["name"] for one in json.loads(aries("--disable", "Bash", "tools", "--json").stdout)["tools"]]
        assert names == ["Read", "Write", "Edit", "Glob", "Grep", "Tools"]

    def test_a_tool_that_the_settings_switch_off_is_not_exposed(self, aries: Run, home: Path) -> None:
        (home / ".aries").mkdir()
        (home / ".aries" / "config.yaml").write_text("plugins: {disabled: [aries-tool-files]}\n", encoding="utf-8")
        names = [one["name"] for one in json.loads(aries("tools", "--json").stdout)["tools"]]
        assert names == ["Bash", "Tools"]

    def test_tools_prints_a_phase_and_its_size(self, aries: Run) -> None:
        lean = json.loads(aries("tools", "--phase", "lean", "--json").stdout)
        plan = json.loads(aries("tools", "--phase", "plan", "--json").stdout)
        assert lean["total_characters"] < 8_000 and lean["total_tokens"] == round(lean["total_characters"] / 4)
        # Repl only reads where the system confines it.
        assert [one["name"] for one in plan["tools"] if one["name"] != "Repl"] == ["Glob", "Grep", "Read"]

    def test_doctor_says_what_is_missing(self, aries: Run, work: Path) -> None:
        assert "OPENAI_API_KEY" in aries("doctor").stdout
        done = aries("-m", script(work, says("x")), "doctor")
        assert done.returncode == 0, done.stdout

    def test_demo_runs_and_leaves_nothing(self, aries: Run, work: Path) -> None:
        before = sorted(work.rglob("*"))
        done = aries("demo")
        assert done.returncode == 0 and "The model is a script" in done.stdout
        assert "longest is scripted" in done.stdout
        assert sorted(work.rglob("*")) == before

    def test_version_imports_nothing_it_does_not_need(self, home: Path) -> None:
        code = "import sys; sys.argv[1:] = ['-V']; from aries_cli.__main__ import main; main(); print(*sys.modules)"
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment(home), capture_output=True, encoding="utf-8"
        )
        loaded = set(done.stdout.split())
        assert not loaded & {
            "click",
            "attrs",
            "attr",
            "cattrs",
            "asyncio",
            "httpx",
            "ruamel.yaml",
            "pluggy",
            "stevedore",
        }

    def test_help_imports_no_provider_and_no_tool(self, home: Path) -> None:
        code = "import sys; from aries_cli.app import run; run(['--help']); print(*sys.modules)"
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment(home), capture_output=True, encoding="utf-8"
        )
        loaded = set(done.stdout.split())
        assert not loaded & {"httpx", "tree_sitter", "aries_provider_openai", "aries_tool_shell", "aries_tool_files"}
