"""The command where the caller's streams, locale, folder or home are not as they should be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest

COMMAND = (sys.executable, "-m", "aries_cli")
posix_only = pytest.mark.skipif(os.name != "posix", reason="about POSIX locales and descriptors")


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ARIES_", "OPENAI_"))}
    return {**keep, "HOME": str(tmp_path), "USERPROFILE": str(tmp_path), **more}


def play(folder: Path, *texts: str, name: str = "t.jsonl") -> Sequence[str]:
    lines = (json.dumps({"pieces": [{"text": text}]}) + "\n" for text in texts)
    (folder / name).write_text("".join(lines), encoding="utf-8")
    return ("-p", "hi", "-m", f"replay/{name}")


def run(tmp_path: Path, *arguments: str, shell: str = '"$@"', **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", shell, "sh", *COMMAND, *arguments],
        cwd=tmp_path, env=environment(tmp_path, **more), stdin=subprocess.DEVNULL, capture_output=True,
        encoding="utf-8", timeout=60,
    )  # fmt: skip


@posix_only
class TestLocale:
    PLAIN: ClassVar[dict[str, str]] = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    def test_text_and_file_names_are_utf_8_where_the_locale_says_ascii(self, tmp_path: Path) -> None:
        play(tmp_path, "grün — 日本", name="näme.jsonl")
        done = run(tmp_path, "-p", "hé", "-m", "replay/näme.jsonl", **self.PLAIN)
        assert (done.returncode, done.stdout, done.stderr) == (0, "grün — 日本\n", "")

    def test_a_prompt_arrives_as_it_was_typed(self, tmp_path: Path) -> None:
        play(tmp_path, "ok")
        done = run(tmp_path, "-p", "hé", "-m", "replay/t.jsonl", "--output-format", "stream-json", **self.PLAIN)
        assert json.loads(done.stdout.splitlines()[1])["message"]["text"] == "hé"

    def test_what_the_encoding_of_a_stream_lacks_is_escaped(self, tmp_path: Path) -> None:
        done = run(tmp_path, *play(tmp_path, "a — b"), PYTHONIOENCODING="ascii")
        assert (done.returncode, done.stdout) == (0, "a \\u2014 b\n")


@posix_only
class TestStreams:
    @pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
    def test_a_closed_stream_ends_nothing_and_its_number_is_given_to_no_file(self, tmp_path: Path, closed: str) -> None:
        done = run(tmp_path, *play(tmp_path, "the answer"), shell=f'"$@" {closed}')
        assert (done.returncode, done.stderr) == (0, "")
        [log] = tmp_path.rglob("sessions/*.jsonl")
        assert all(json.loads(line) for line in log.read_text(encoding="utf-8").splitlines())

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
    @pytest.mark.parametrize("arguments", [(), ("--output-format", "json"), ("tools",), ("--help",)])
    def test_output_that_is_not_taken_is_an_error_in_a_line(self, tmp_path: Path, arguments: Sequence[str]) -> None:
        done = run(tmp_path, *play(tmp_path, "the answer"), *arguments, shell='"$@" >/dev/full')
        assert done.returncode == 1 and done.stderr.count("\n") == 1
        assert "No space left" in done.stderr

    def test_an_error_cannot_steer_the_terminal(self, tmp_path: Path) -> None:
        done = run(tmp_path, "\x1b[2Jplugin")
        assert done.returncode == 2 and "\x1b" not in done.stderr and "\\x1b[2J" in done.stderr


@pytest.mark.parametrize("prompt", ["text", "--output-format=text"])
def test_a_prompt_that_reads_like_a_format_is_none(tmp_path: Path, prompt: str) -> None:
    done = run(tmp_path, "--output-format", "json", f"--prompt={prompt}", "-m", "nope")
    assert done.returncode == 2 and json.loads(done.stdout)["exit_code"] == 2


@posix_only
@pytest.mark.parametrize("command", [("tools",), ("plugins",), ("sessions", "list"), ("-p", "hi"), ("demo",)])
def test_a_folder_that_was_removed_is_told_in_a_line(tmp_path: Path, command: Sequence[str]) -> None:
    done = run(tmp_path, *command, shell='mkdir gone; cd gone; rmdir ../gone; exec "$@"')
    assert done.returncode == 2 and "The current folder was removed" in done.stderr.splitlines()[-1]
