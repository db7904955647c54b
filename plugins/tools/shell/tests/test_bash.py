"""The tool Bash on real processes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import pytest

from aries_kernel.contracts.tool import ToolContext, ToolFactory, ToolOutput
from aries_kernel.errors import BadArguments, ToolFailed
from aries_kernel.settings.schema import OutputLimits
from aries_kernel.testing.tool_suite import ToolSuite
from aries_kernel.testing.workspaces import make_context
from aries_kernel.tools.schema import json_schema
from aries_tool_shell import Bash, BashArguments

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
PATIENCE = 20.0


class TestContract(ToolSuite):
    bad_calls: ClassVar[tuple[Mapping[str, object], ...]] = (
        {"command": "exit 3"},
        {"command": " "},
        {"command": "(", "timeout": 0},
    )

    @pytest.fixture
    def factory(self) -> ToolFactory:
        return Bash

    @pytest.fixture
    def good_call(self, context: ToolContext) -> Mapping[str, object]:
        return {"command": "echo hello"}


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return make_context(tmp_path)


@pytest.fixture
def bash(context: ToolContext) -> Bash:
    return Bash(context)


def run(bash: Bash, command: str, timeout: float | None = None) -> ToolOutput:
    return asyncio.run(bash.run(BashArguments(command, timeout)))


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def await_death(*pids: int) -> bool:
    deadline = time.monotonic() + PATIENCE
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(map(is_alive, pids))


def await_pids(file: Path, count: int) -> list[int]:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        words = file.read_text(encoding="ascii").split() if file.exists() else []
        if len(words) >= count:
            return list(map(int, words))
        time.sleep(0.02)
    raise AssertionError(f"{file} never held {count} process ids")


def test_output_comes_in_order_with_the_exit_code(bash: Bash) -> None:
    output = run(bash, "echo one; echo two >&2; echo three; exit 3")
    assert output.is_error
    assert output.text.startswith("one\ntwo\nthree\n[exit code 3, ")


def test_what_the_model_reads_is_short(bash: Bash) -> None:
    assert len(bash.description) + len(json.dumps(json_schema(BashArguments))) < 900


def test_it_runs_in_the_root_and_cd_does_not_persist(bash: Bash, context: ToolContext) -> None:
    run(bash, "cd /")
    assert run(bash, "pwd").text.startswith(f"{context.workspace.root}\n")


def test_there_is_no_input_and_no_terminal_and_no_stray_descriptor(bash: Bash) -> None:
    assert run(bash, "cat; tty; echo $TERM $GIT_PAGER").text.startswith("not a tty\ndumb cat\n")
    if Path("/proc/self/fd").exists():
        assert run(bash, "echo /proc/self/fd/*").text.split("\n")[0].split() == [
            f"/proc/self/fd/{n}" for n in (0, 1, 2, 3)
        ]


def test_variables_that_steer_bash_do_not_reach_it(tmp_path: Path) -> None:
    trap = tmp_path / "trap.sh"
    trap.write_text("echo trapped", encoding="utf-8")
    environ = {**os.environ, "BASH_ENV": str(trap), "BASH_FUNC_ls%%": "() { echo trapped; }", "KEPT": "kept"}
    bash = Bash(make_context(tmp_path, environ=environ))
    output = run(bash, "ls; echo $KEPT")
    assert "trapped" not in output.text and "kept" in output.text


@pytest.mark.parametrize(
    "command",
    ["yes | head -c 5000000", "head -c 2000000 /dev/zero | tr '\\0' a", "head -c 300000 /dev/urandom", "seq 5000"],
)
def test_a_flood_is_cut_and_kept_in_a_file(command: str, bash: Bash, context: ToolContext) -> None:
    output = run(bash, command)
    assert len(output.text.encode()) <= context.limits.max_bytes
    assert len(output.text.splitlines()) <= context.limits.max_lines
    assert not any(ord(sign) < 32 and sign not in "\n\t" for sign in output.text)
    (spilled,) = context.spill_folder.iterdir()
    assert str(spilled) in output.text and "[exit code 0, " in output.text
    if command.startswith("yes"):
        assert spilled.stat().st_size == 5_000_000 and output.text.startswith("y\ny\n")
    if command.startswith("seq"):
        assert output.text.startswith("1\n2\n") and "\n4999\n5000\n[exit code" in output.text


def test_endless_output_stays_flat_in_memory_and_on_disk(bash: Bash, context: ToolContext) -> None:
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    output = run(bash, "yes", 1.5)
    assert output.is_error and "time limit" in output.text
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000
    assert sum(file.stat().st_size for file in context.spill_folder.iterdir()) <= 64 * 1024 * 1024


def test_escape_sequences_are_stripped(bash: Bash) -> None:
    assert run(bash, "printf '\\033[31mred\\033[0m\\r\\n\\007'").text.startswith("red\n\\x07\n[exit code 0")


def test_small_limits_hold(tmp_path: Path) -> None:
    bash = Bash(make_context(tmp_path, limits=OutputLimits(max_bytes=1000, max_lines=10)))
    output = run(bash, "seq 100")
    assert len(output.text.splitlines()) <= 10 and len(output.text.encode()) <= 1000


@LINUX
def test_a_background_child_does_not_hold_the_call_and_does_not_outlive_it(bash: Bash) -> None:
    output = run(bash, "sleep 600 & echo $!")
    pid = int(output.text.split()[0])
    assert not output.is_error and "1 background process ended with the call" in output.text
    assert await_death(pid)


@LINUX
@pytest.mark.parametrize(
    "start",
    [
        "sleep 600 &",
        "setsid sleep 600 &",
        "nohup sleep 600 >/dev/null 2>&1 & disown",
        "(trap '' TERM HUP; sleep 600) &",
        "setsid bash -c 'trap \"\" TERM; sleep 600; sleep 600' &",
        "env -i setsid sleep 600 &",
        "(setsid sleep 600 &) &",
    ],
)
@pytest.mark.parametrize("end", ["exit 0", "sleep 600"])
def test_nothing_outlives_a_call(start: str, end: str, bash: Bash, context: ToolContext) -> None:
    number = f"600{os.getpid()}"  # tells its processes from those of other tests
    run(bash, f"{start}\nsleep 0.05; {end}".replace("600", number), 0.4)
    assert _processes(number.encode()) == set()


def _processes(word: bytes) -> set[tuple[int, str]]:
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # ended meanwhile
        if word in words:
            found.add((int(folder.name), repr(words)))
    return found


@LINUX
def test_a_time_out_stops_a_child_that_ignores_term(bash: Bash, context: ToolContext) -> None:
    output = run(bash, "echo $$ > pids; trap '' TERM; echo started; sleep 600 & echo $! >> pids; wait; sleep 600", 0.5)
    # bash may still say "Killed" between the two.
    first, *_, last = output.text.splitlines()
    assert output.is_error and first == "started" and last.startswith("[stopped at the time limit of 0.5 s")
    assert await_death(*await_pids(context.workspace.root / "pids", 2))


@LINUX
def test_a_cancelled_call_is_gone_before_the_cancellation_goes_on(bash: Bash, context: ToolContext) -> None:
    pids = context.workspace.root / "pids"

    async def cancelled() -> list[int]:
        task = asyncio.create_task(
            bash.run(BashArguments("trap '' TERM; echo $$ > pids; setsid sleep 600 & echo $! >> pids; wait"))
        )
        found = await asyncio.to_thread(await_pids, pids, 2)
        task.cancel()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return [pid for pid in found if is_alive(pid)]

    assert asyncio.run(cancelled()) == []


@LINUX
@pytest.mark.parametrize("sign", ["KILL", "STOP"])
def test_a_call_whose_supervisor_is_killed_or_halted_leaves_nothing(
    sign: str, bash: Bash, context: ToolContext
) -> None:
    output = run(bash, f"env -i setsid sleep 600 & echo $$ $! > pids; kill -{sign} $PPID; sleep 600", 1)
    assert output.is_error
    assert await_death(*await_pids(context.workspace.root / "pids", 2))


@LINUX
def test_a_host_that_is_killed_leaves_no_command_behind(tmp_path: Path) -> None:
    host = (
        "import asyncio, sys; from pathlib import Path\n"
        "from aries_kernel.testing.workspaces import make_context\n"
        "from aries_tool_shell import Bash, BashArguments\n"
        "script = \"trap '' TERM; echo $$ $PPID > pids; setsid sleep 600 & echo $! >> pids; wait; sleep 600\"\n"
        "asyncio.run(Bash(make_context(Path(sys.argv[1]))).run(BashArguments(script)))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", host, str(tmp_path)])
    pids = await_pids(tmp_path / "work" / "pids", 3)
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=PATIENCE)
    assert await_death(*pids)


@LINUX
def test_fifty_calls_leave_no_zombie_and_no_open_file(bash: Bash) -> None:
    run(bash, "true")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(50):
        run(bash, "true & sleep 0 | cat")
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    children = [file.read_text(encoding="ascii").split() for file in Path("/proc/self/task").glob("*/children")]
    assert [pid for pids in children for pid in pids if not is_alive(int(pid))] == []


def test_calls_side_by_side_each_get_their_own_output(bash: Bash) -> None:
    async def together() -> list[ToolOutput]:
        return list(await asyncio.gather(*(bash.run(BashArguments(f"sleep 0.1; echo {n}")) for n in range(8))))

    assert [output.text.split()[0] for output in asyncio.run(together())] == [str(n) for n in range(8)]


def test_a_command_killed_by_a_signal_says_so(bash: Bash) -> None:
    output = run(bash, "kill -9 $$")
    assert output.is_error and output.text.startswith("[killed by signal 9, ")


@pytest.mark.parametrize(
    "arguments",
    [
        BashArguments(""),
        BashArguments("a\0b"),
        BashArguments("x" * 200_000),
        BashArguments("\ud800"),
        BashArguments("ls", 0),
        BashArguments("ls", -1),
        BashArguments("ls", 601),
        BashArguments("ls", float("nan")),
    ],
)
def test_arguments_that_cannot_work_are_refused_with_a_reason(arguments: BashArguments, bash: Bash) -> None:
    with pytest.raises(BadArguments, match=r"command: |timeout: "):
        bash.effects(arguments)


def test_a_root_that_is_gone_is_an_error_for_the_model(bash: Bash, context: ToolContext) -> None:
    context.workspace.root.rmdir()
    with pytest.raises(ToolFailed, match="could not be started"):
        run(bash, "ls")


def test_a_shell_is_found_without_a_path(tmp_path: Path) -> None:
    bash = Bash(make_context(tmp_path, environ={}))
    assert run(bash, "echo hi").text.startswith("hi\n")
