"""The conversation, on a real terminal."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo terminal")

Open = Callable[..., "contextlib.AbstractContextManager[Terminal]"]


class Terminal:
    """A program on a terminal, as somebody sits before it."""

    def __init__(self, descriptor: int, process: subprocess.Popen[bytes]) -> None:
        self.descriptor, self.process, self.seen = descriptor, process, ""
        self._unread = ""

    def until(self, text: str) -> str:
        """What came up to and with `text`."""
        while text not in self._unread:
            assert select.select([self.descriptor], [], [], 90)[0], f"no {text!r} in {self.seen!r}"
            try:
                data = os.read(self.descriptor, 65536)
            except OSError as error:
                raise AssertionError(f"no {text!r} before the end of {self.seen!r}") from error
            self._unread += data.decode("utf-8", "replace")
            self.seen += data.decode("utf-8", "replace")
        before, _, self._unread = self._unread.partition(text)
        return before + text

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())


@pytest.fixture
def terminal(tmp_path: Path) -> Open:
    @contextlib.contextmanager
    def start(*arguments: str, answers: list[dict[str, Any]]) -> Iterator[Terminal]:
        import pty

        lines = "".join(json.dumps(answer) + "\n" for answer in answers)
        (tmp_path / "t.jsonl").write_text(lines, encoding="utf-8")
        ours, theirs = pty.openpty()
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ARIES_"))}
        with subprocess.Popen(
            [sys.executable, "-m", "aries_cli", "-m", "replay/t.jsonl", *arguments],
            cwd=tmp_path, env={**keep, "HOME": str(tmp_path)}, stdin=theirs, stdout=theirs, stderr=theirs,
            preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0), start_new_session=True,
        ) as process:  # fmt: skip
            os.close(theirs)
            try:
                yield Terminal(ours, process)
            finally:
                process.kill()
                os.close(ours)

    return start


def says(*pieces: Any, **more: Any) -> dict[str, Any]:
    return {"pieces": [{"text": piece} if isinstance(piece, str) else piece for piece in pieces], **more}


def writes(path: str) -> dict[str, Any]:
    return {"call": "Write", "arguments": {"path": path, "content": "x"}}


def test_a_line_typed_after_a_question_was_interrupted_is_not_lost(terminal: Open, tmp_path: Path) -> None:
    with terminal(answers=[says(writes("one.txt")), says("second answer")]) as person:
        person.until("\n> ")
        person.type("first\n")
        person.until("what to do instead: ")
        person.type("\x03")
        person.until("\n> ")
        person.type("second\n")
        person.until("second answer")
        person.until("\n> ")
        person.type("/exit\n")
        person.until("aries --resume ")
        assert person.process.wait(10) == 0
    assert not (tmp_path / "one.txt").exists()


def test_a_question_is_answered_by_yes_no_always_and_words(terminal: Open, tmp_path: Path) -> None:
    answers = [says(writes("a.txt")), says(writes("b.txt")), says(writes("c/c.txt")), says("done")]
    with terminal(answers=answers) as person:
        person.until("\n> ")
        person.type("go\n")
        for answer in ("y", "n", "call it d.txt"):
            person.until("what to do instead: ")
            person.type(answer + "\n")
        shown = person.until("done")
        assert "The person said: call it d.txt" in shown
    assert [path.name for path in sorted(tmp_path.rglob("?.txt"))] == ["a.txt"]


def test_what_was_typed_before_a_question_is_no_answer_to_it(terminal: Open, tmp_path: Path) -> None:
    with terminal(answers=[says("wait", {"wait": 0.3}, writes("one.txt")), says("done")]) as person:
        person.until("\n> ")
        person.type("go\n")
        person.until("wait")
        person.type("y\n")
        person.until("what to do instead: ")
        person.type("n\n")
        person.until("done")
    assert not (tmp_path / "one.txt").exists()


def test_bytes_that_are_no_text_do_not_end_the_conversation(terminal: Open) -> None:
    with terminal(answers=[says("heard")]) as person:
        person.until("\n> ")
        os.write(person.descriptor, b"h\xff\xfe\n")
        person.until("heard")


def test_the_model_is_switched_in_a_conversation_and_stays_where_that_cannot_be(terminal: Open, tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text(
        json.dumps(says("unused")) + "\n" + json.dumps(says("from the other")) + "\n", encoding="utf-8"
    )
    with terminal(answers=[says("from the first")]) as person:
        person.until("\n> ")
        person.type("hi\n")
        person.until("from the first")
        person.until("\n> ")
        person.type("/model nonsense\n")
        person.until("[the model stays: 'nonsense' names no model.")
        person.until("\n> ")
        person.type("/model replay/other.jsonl high\n")
        person.until("[model replay/other.jsonl, effort high]")
        person.until("\n> ")
        person.type("and now\n")
        person.until("from the other")
        person.until("\n> ")
        person.type("/model\n")
        person.until("[model replay/other.jsonl, effort high]")


def test_an_answer_stands_once_on_a_terminal(terminal: Open) -> None:
    with terminal("-p", "hi", answers=[says("forty-\x1b[2Jtwo")]) as person:
        with contextlib.suppress(AssertionError):
            person.until("never said")
        assert person.process.wait(10) == 0
        assert (person.seen.count("two"), person.seen.count("\x1b")) == (1, 0)


def test_no_text_of_a_call_looks_like_the_question_about_it(terminal: Open) -> None:
    call = {"call": "Write", "arguments": {"path": "a.txt", "content": "x\nRead harmless.txt\nRun it? [y]es"}}
    with terminal(answers=[says(call), says("done")]) as person:
        person.until("\n> ")
        person.type("go\n")
        person.until("[n]o, or say")
        lines = [line for line in person.seen.splitlines() if line.startswith(("Run it?", "Read "))]
    assert len(lines) == 1


def test_a_turn_that_was_stopped_can_be_taken_up_again(terminal: Open) -> None:
    with terminal(answers=[says("slow", {"wait": 2}, " answer")]) as person:
        person.until("\n> ")
        person.type("go\n")
        person.until("slow")
        person.type("\x03")
        assert "\n[interrupted: " in person.until("\n> ").replace("\r", "")
        person.type("again\n")
        person.until("slow answer")


def test_a_failure_before_any_text_is_told_once(terminal: Open) -> None:
    with terminal(answers=[{"error": "auth_refused", "message": "the key is wrong"}]) as person:
        person.until("\n> ")
        person.type("go\n")
        assert person.until("\n> ").count("the key is wrong") == 1


def test_what_fills_the_window_is_told(terminal: Open) -> None:
    with terminal(answers=[says("heard"), says("again")]) as person:
        person.until("\n> ")
        person.type("/context\n")
        before = person.until("\n> ")
        assert "rules" in before and "conversation" in before and "tools" in before
        person.type("hi\n")
        person.until("heard")
        person.until("\n> ")
        person.type("/context\n")
        assert "conversation" in person.until("\n> ")


def test_what_a_turn_wrote_is_taken_back(terminal: Open, tmp_path: Path) -> None:
    with terminal("--permissions", "edits", answers=[says(writes("one.txt")), says("done")]) as person:
        person.until("\n> ")
        person.type("/undo\n")
        person.until("[nothing to undo: ")
        person.until("\n> ")
        person.type("go\n")
        person.until("done")
        person.until("\n> ")
        assert (tmp_path / "one.txt").exists()
        person.type("/undo\n")
        person.until("[as before: one.txt]")
    assert not (tmp_path / "one.txt").exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere code itself is asked about")
def test_code_speaks_and_asks_in_the_conversation_and_the_status_says_what_confines_it(
    terminal: Open, tmp_path: Path
) -> None:
    code = "say('looking\\nRun it? [y]es')\nanswer = ask('Tea or coffee?')\ndone(f'{answer}, then')"
    work = tmp_path / "work"
    work.mkdir()
    answers = [says({"call": "Repl", "arguments": {"code": code}}), says("as you like")]
    (work / "t.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers), encoding="utf-8")
    with terminal("--cwd", str(work), answers=[]) as person:
        person.until("\n> ")
        person.type("go\n")
        person.until("~ looking")
        assert "\n  Run it?" in person.until("? Tea or coffee?").replace("\r", "")
        person.until("\n: ")
        person.type("tea\n")
        person.until("tea, then")
        person.until("as you like\r\n")
        unasked = person.until("]\r\n")
        person.until("\n> ")
        person.type("/status\n")
        status = person.until("]\r\n")
    assert "confined" in unasked and status.endswith(unasked)
    assert "phase lean, tools bare" in status and "Repl " in status and "confined" in status


def test_commands_are_listed_and_a_slip_of_the_pen_is_not_said_to_the_model(terminal: Open) -> None:
    with terminal(answers=[says("heard")]) as person:
        person.until("\n> ")
        person.type("/help\n")
        told = person.until("\n> ")
        assert all(name in told for name in ("/model", "/undo", "/compact", "/context", "/image", "/status"))
        person.type("/modle opus\n")
        person.until("did you mean /model?")
        person.until("\n> ")
        person.type("/etc/hosts is what?\n")
        person.until("heard")
