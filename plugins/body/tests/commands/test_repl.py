"""`aries repl`, as people run it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from made_bodies import is_alive

_CLI = [sys.executable, "-m", "aries_cli"]


def _run(folder: Path, *words: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*_CLI, *words],
        cwd=folder,
        env=_environ(folder),
        input=given,
        stdin=subprocess.DEVNULL if given is None else None,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def _environ(folder: Path) -> dict[str, str]:
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return {**kept, "HOME": str(home), "USERPROFILE": str(home)}


def test_code_is_run_without_a_model_and_its_value_printed(project: Path) -> None:
    done = _run(project, "repl", "-c", "print('hello')\n40 + 2")
    assert (done.returncode, done.stdout) == (0, "hello\n42\n"), done.stderr


def test_code_may_come_through_a_pipe(project: Path) -> None:
    assert _run(project, "repl", given="x = 3\nx * 2\n").stdout == "6\n"
    assert _run(project, "repl", "-c", "-", given="fs.read('a.py')[:3]").stdout == "'def'\n"


def test_code_that_fails_gives_its_error_and_an_exit_code(project: Path) -> None:
    done = _run(project, "repl", "-c", "print('before')\n1 / 0")
    assert (done.returncode, done.stdout) == (1, "before\n")
    assert done.stderr.endswith("ZeroDivisionError: division by zero\n") and "aries_body" not in done.stderr


def test_no_code_is_said_in_one_line(project: Path) -> None:
    done = _run(project, "repl", "-c", " ")
    assert done.returncode == 2 and "There is no code" in done.stderr and "Traceback" not in done.stderr


def test_without_confinement_a_word_about_it_is_said_each_time(project: Path) -> None:
    done = _run(project, "repl", "--unconfined", "-c", "1")
    assert done.stdout == "1\n" and "not confined" in done.stderr


def test_what_changes_something_meets_the_permissions(project: Path) -> None:
    refused = _run(project, "repl", "-c", "fs.write('b.txt', 'x')")
    assert refused.returncode == 1 and "Refused" in refused.stderr and not (project / "b.txt").exists()


def test_state_is_there_the_next_time(project: Path) -> None:
    _run(project, "repl", "-c", "state.put('k', [1, 2])")
    assert _run(project, "repl", "-c", "state.get('k')").stdout == "[1, 2]\n"


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the system does not list processes")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("option", [[], ["--unconfined"]], ids=["confined", "unconfined"])
def test_nothing_is_left_of_a_body_whose_host_is_killed(
    project: Path, number: signal.Signals, option: list[str]
) -> None:
    code = """
import os, time
for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
say("up")
while True: pass
"""
    host = subprocess.Popen(
        [*_CLI, "repl", *option, "-c", code],
        cwd=project, env=_environ(project), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8",
    )  # fmt: skip
    assert host.stdout is not None
    assert host.stdout.readline() == "up\n"
    below = _below(host.pid)
    assert len(below) >= 4
    host.send_signal(number)
    host.wait(30)
    host.stdout.close()
    while any(map(is_alive, below)):
        continue


@pytest.mark.skipif(os.name == "nt", reason="another process cannot be sent Ctrl-C there")
def test_ctrl_c_stops_the_code_and_not_the_command(project: Path) -> None:
    code = """
import time
say("up")
try:
    time.sleep(600)
except KeyboardInterrupt:
    print("stopped")
"""
    host = subprocess.Popen(
        [*_CLI, "repl", "-c", code],
        cwd=project, env=_environ(project), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8",
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # whoever runs the tests may ignore it
    )  # fmt: skip
    assert host.stdout is not None
    assert host.stdout.readline() == "up\n"
    host.send_signal(signal.SIGINT)
    rest, _ = host.communicate(timeout=60)
    assert rest == "stopped\n"


def test_a_conversation_keeps_variables_takes_several_lines_and_completes(project: Path) -> None:
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    host = subprocess.Popen(
        [*_CLI, "repl"], cwd=project, env={**_environ(project), "TERM": "dumb"},
        stdin=follower, stdout=follower, stderr=follower, start_new_session=True,
    )  # fmt: skip
    os.close(follower)
    try:
        _until(leader, b"Ctrl-D leaves", b">>> ")
        os.write(leader, b"def twice(x):\n")
        _until(leader, b"... ")
        os.write(leader, b"    y = 2 * x\n")
        _until(leader, b"... ")
        os.write(leader, b"    return y\n\n")
        _until(leader, b">>> ")
        os.write(leader, b"twi\t21)\n")
        _until(leader, b"twice(21)", b"42", b">>> ")
        os.write(leader, b"1 / 0\n")
        _until(leader, b"ZeroDivisionError", b">>> ")
        os.write(leader, b"\x04")
        assert host.wait(60) == 0
    finally:
        host.kill()
        host.wait()
        os.close(leader)


def _until(descriptor: int, *wanted: bytes) -> None:
    """Read until all of it was seen, in this order."""
    seen = b""
    for words in wanted:
        while words not in seen:
            seen += os.read(descriptor, 4096)
        seen = seen.partition(words)[2]


def _below(pid: int) -> list[int]:
    found = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        for word in file.read_text(encoding="ascii").split():
            found += [int(word), *_below(int(word))]
    return found


def test_without_a_model_a_question_to_one_is_a_failure_that_says_what_to_set(project: Path) -> None:
    done = _run(project, "repl", "-c", "rlm_call('why?') + '!'")
    assert done.returncode == 1 and "models.cheap.model" in done.stderr and "NoAnswer" in done.stderr
    done = _run(project, "repl", "-c", "found = rlm_call('why?')\n(found.ok, found.kind, bool(found))")
    assert done.stdout == "(False, 'refused', False)\n"


def test_settings_of_the_body_hold_for_people_too_and_wrong_ones_are_told_in_a_line(project: Path) -> None:
    settings = project.parent / "home" / ".aries" / "config.yaml"
    _run(project, "--version")
    settings.parent.mkdir(parents=True)
    settings.write_text("body: {seconds: 0.5, output: 4}\n", encoding="utf-8")
    assert "time limit of 0.5 s" in _run(project, "repl", "-c", "while True: pass").stderr
    assert "left out here" in _run(project, "repl", "-c", "print('x' * 50_000)").stdout
    settings.write_text("body: {secnds: 1, memory: 5}\n", encoding="utf-8")
    done = _run(project, "repl", "-c", "1")
    assert done.returncode == 2 and "body.memory must be a number from 128 on, not 5" in done.stderr
    assert "Traceback" not in done.stderr
