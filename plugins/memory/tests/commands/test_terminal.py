"""ori on a terminal of 80x24: what is asked, what an interrupt does, how tables fit."""

from __future__ import annotations

import contextlib
import os
import re
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("there is no pty", allow_module_level=True)

import fcntl
import pty
import struct
import termios

from ori_memory.vault.making import adopt_vault, init_vault

BOOT = (
    "import fcntl, termios, sys; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
    "from ori_memory.__main__ import main; sys.argv[0] = 'ori'; main()"
)
PLACE = "Where shall the vault be [{}]: "


class Terminal:
    """A program on a terminal: what it shows, what is typed."""

    def __init__(self, arguments: list[str], cwd: Path, home: Path) -> None:
        self._keys, screen = pty.openpty()
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORI_", "COLUMNS"))}
        self._program = subprocess.Popen(
            [sys.executable, "-c", BOOT, *arguments],
            stdin=screen,
            stdout=screen,
            stderr=screen,
            cwd=cwd,
            env={**keep, "HOME": str(home), "PATH": str(home / "programs")},  # What else is installed does not matter.
            start_new_session=True,
        )
        os.close(screen)
        self.shown = ""

    def wait_for(self, text: str) -> None:
        """Read until `text` is shown, behind what was waited for before."""
        start = len(self.shown)
        while text not in self.shown[max(0, start - len(text)) :]:
            assert self._read(), f"{text!r} was never shown:\n{self.shown}"

    def type(self, keys: str) -> None:
        os.write(self._keys, keys.encode())

    def interrupt(self) -> None:
        """Ctrl-C; again where it fell between the question and the reading, which then goes on until the next key."""
        for _ in range(6):
            self.type("\x03")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._program.wait(timeout=10)
                return
        raise TimeoutError(f"it goes on after six interrupts:\n{self.shown}")

    def end(self) -> int:
        """The exit code, once it has ended."""
        while self._read():
            pass
        return self._program.wait(timeout=20)

    def close(self) -> None:
        self._program.kill()
        self._program.wait(timeout=20)
        os.close(self._keys)

    def _read(self) -> bool:
        if not select.select([self._keys], [], [], 30)[0]:
            raise TimeoutError(self.shown)
        try:
            data = os.read(self._keys, 4096)
        except OSError:  # What Linux says once the program has closed its side.
            return False
        self.shown += data.decode().replace("\r\n", "\n")
        return bool(data)


Start = Callable[..., Terminal]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    opened = []

    def one(*arguments: str, cwd: Path = tmp_path) -> Terminal:
        opened.append(Terminal(list(arguments), cwd, tmp_path))
        return opened[-1]

    yield one
    for terminal in opened:
        terminal.close()


def test_a_vault_is_made_where_the_person_says(start: Start, tmp_path: Path) -> None:
    terminal = start("init")
    terminal.wait_for(PLACE.format(tmp_path / ".ori-memory"))
    terminal.type("my brain\n")
    assert terminal.end() == 0 and (tmp_path / "my brain/notes/index.md").exists()
    assert f"{tmp_path}/my brain is a vault now.\n" in terminal.shown
    assert terminal.shown.endswith(f"Next: cd '{tmp_path}/my brain'\n")
    assert [line for line in terminal.shown.splitlines() if len(line) > 80 and str(tmp_path) not in line] == []


def test_an_interrupt_at_each_question_makes_nothing(start: Start, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("a", encoding="utf-8")
    for answers in ([], ["notes\n"]):
        terminal = start("init")
        terminal.wait_for("]: ")
        for answer in answers:
            terminal.type(answer)
            terminal.wait_for("There are notes. Use them as they are, with no new folders [Y/n]: ")
        terminal.interrupt()
        assert terminal.end() == 130 and terminal.shown.endswith("\nori: Interrupted.\n")
    assert [file.name for file in tmp_path.rglob("*")] == ["notes", "a.md"]


def test_notes_that_are_there_are_taken_as_they_are(start: Start, tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "a.md").write_text("a", encoding="utf-8")
    terminal = start("init")
    terminal.wait_for(PLACE.format(tmp_path))
    terminal.type("\n")
    terminal.wait_for("[Y/n]: ")
    terminal.type("\n")
    assert terminal.end() == 0 and not (tmp_path / "notes").exists()
    assert terminal.shown.endswith('Next: ori add "A sentence that says one thing"\n')


def test_a_vault_that_is_there_is_changed_only_when_that_is_said(start: Start, tmp_path: Path) -> None:
    init_vault(tmp_path / "whole")
    (tmp_path / "bare").mkdir()
    adopt_vault(tmp_path / "bare")
    terminal = start("init")
    terminal.wait_for("]: ")
    terminal.type("whole\n")
    assert terminal.end() == 0 and "is a vault already; nothing was changed." in terminal.shown
    for answer, is_made in (("\n", False), ("y\n", True)):
        terminal = start("init")
        terminal.wait_for("]: ")
        terminal.type("bare\n")
        terminal.wait_for("Add 8 files of a new vault that it has not [y/N]: ")
        terminal.type(answer)
        assert terminal.end() == 0 and (tmp_path / "bare/notes/index.md").exists() == is_made


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("vault/new", "lies inside the vault"),
        ("file.txt", "file.txt is a file; a vault is a folder."),
        ("file.txt/new", "file.txt is a file; a vault is a folder."),
        ("/proc/nowhere/new", "/proc/nowhere cannot be written: "),
    ],
)
def test_a_place_that_cannot_be_is_told_in_a_line_and_nothing_is_made(
    start: Start, tmp_path: Path, place: str, told: str
) -> None:
    init_vault(tmp_path / "vault")
    (tmp_path / "file.txt").write_text("x", encoding="utf-8")
    terminal = start("init")
    terminal.wait_for("]: ")
    terminal.type(f"{place}\n")
    assert terminal.end() in (1, 2)
    assert told in terminal.shown and "Traceback" not in terminal.shown and not (tmp_path / "vault/new").exists()


def _clients(home: Path) -> None:
    (home / ".codex").mkdir()
    (home / ".codex/config.toml").write_text('# mine\nmodel = "x"\n', encoding="utf-8")
    (home / ".cursor").mkdir()
    (home / "programs").mkdir()
    (home / "programs/claude").write_text("#!/bin/sh\n", encoding="utf-8")
    (home / "programs/claude").chmod(0o755)


def _files(home: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in home.rglob("*") if file.is_file()}


OFFER = "Which of them (names, all, none) [none]: "


def test_clients_that_are_here_are_offered_the_memory_and_enter_changes_none(start: Start, tmp_path: Path) -> None:
    _clients(tmp_path)
    before = _files(tmp_path)
    terminal = start("init")
    terminal.wait_for("]: ")
    terminal.type("\n")
    terminal.wait_for(OFFER)
    assert re.findall(r"^  ([a-z-]+) +[A-Z]", terminal.shown, re.MULTILINE) == ["claude-code", "codex", "cursor"]
    terminal.type("\n")
    assert terminal.end() == 0
    after = _files(tmp_path)
    assert {file: after[file] for file in before} == before
    assert {file.relative_to(tmp_path).parts[0] for file in after.keys() - before.keys()} <= {".ori-memory", ".cache"}


def test_a_client_that_is_named_gets_the_vault_that_was_made_and_is_not_offered_again(
    start: Start, tmp_path: Path
) -> None:
    _clients(tmp_path)
    terminal = start("init")
    terminal.wait_for("]: ")
    terminal.type("brain\n")
    terminal.wait_for(OFFER)
    terminal.type("codex, curser\n")
    terminal.wait_for("'curser' is none of claude-code, codex, cursor.")
    terminal.wait_for(OFFER)
    terminal.type("codex, cursor\n")
    assert terminal.end() == 0 and "Codex has the memory now." in terminal.shown
    written = (tmp_path / ".codex/config.toml").read_text(encoding="utf-8")
    assert written.startswith('# mine\nmodel = "x"\n') and str(tmp_path / "brain") in written
    assert str(tmp_path / "brain") in (tmp_path / ".cursor/mcp.json").read_text(encoding="utf-8")
    again = start("init")
    again.wait_for("]: ")
    again.type("brain\n")
    again.wait_for(OFFER)
    assert re.findall(r"^  ([a-z-]+) +[A-Z]", again.shown, re.MULTILINE) == ["claude-code"]
    again.interrupt()
    assert again.end() == 130


def test_a_vault_in_the_folder_one_works_in_is_for_this_folder(start: Start, tmp_path: Path) -> None:
    _clients(tmp_path)
    project = tmp_path / "project"
    project.mkdir()
    terminal = start("init", cwd=project)
    terminal.wait_for("]: ")
    terminal.type(".\n")
    terminal.wait_for(OFFER)
    terminal.type("all\n")
    assert terminal.end() == 0
    assert (project / ".mcp.json").exists() and (project / ".codex/config.toml").exists()
    assert not (tmp_path / ".claude.json").exists() and not (tmp_path / ".cursor/mcp.json").exists()


def test_a_client_whose_file_cannot_be_read_keeps_the_others_from_nothing(start: Start, tmp_path: Path) -> None:
    _clients(tmp_path)
    (tmp_path / ".codex/config.toml").write_text("model = [\n", encoding="utf-8")
    terminal = start("init")
    terminal.wait_for("]: ")
    terminal.type("\n")
    terminal.wait_for(OFFER)
    terminal.type("all\n")
    assert terminal.end() == 1
    assert "ori: codex: " in terminal.shown and (tmp_path / ".cursor/mcp.json").exists()
    assert (tmp_path / ".codex/config.toml").read_text(encoding="utf-8") == "model = [\n"


def test_without_a_question_nothing_is_offered(start: Start, tmp_path: Path) -> None:
    _clients(tmp_path)
    before = _files(tmp_path)
    for arguments in (["init", "brain"], ["init", "--json"]):
        folder = tmp_path / "elsewhere"
        folder.mkdir(exist_ok=True)
        terminal = start(*arguments, cwd=folder)
        assert terminal.end() == 0 and "On this machine" not in terminal.shown
    assert {file: data for file, data in _files(tmp_path).items() if file in before} == before


def test_a_table_is_cut_to_the_terminal_and_keeps_its_paths(start: Start, tmp_path: Path) -> None:
    vault = init_vault(tmp_path / "vault").vault
    name = "a note with a long name that somebody wrote down.md"
    (vault.root / "notes" / name).write_text("See [[index]], " + "会议记录 and more " * 9, encoding="utf-8")
    terminal = start("query", "backlinks", "index", cwd=vault.root)
    assert terminal.end() == 0
    header, row = terminal.shown.splitlines()
    assert header.split() == ["NOTE", "LINE", "CONTEXT"] and row.startswith(f"notes/{name}  1     See")
    wide = len(re.findall("[会议记录]", row))
    assert row.endswith("…") and 78 <= len(row) + wide <= 80
