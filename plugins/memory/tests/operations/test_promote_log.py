"""The log of what was promoted, where git carries a vault between machines."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from ori_memory.memory import Memory
from ori_memory.operations.composing import NewNote
from ori_memory.operations.promoting import LOG
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import init_vault


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def promote(folder: Path, title: str) -> None:
    with Memory.open(open_vault(folder)) as memory:
        assert memory.add(NewNote(title, f"What is known of {title.lower()}, in a few words.")).is_promoted
    git(folder, "add", "-A")
    git(folder, "commit", "-m", title)


@pytest.mark.skipif(shutil.which("git") is None, reason="git merges here")
def test_lines_of_two_machines_are_both_kept_where_git_merges_them(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    init_vault(one)
    git(one, "init", "-b", "main")
    promote(one, "Tea")
    git(tmp_path, "clone", "-q", str(one), str(other))
    promote(one, "Rye")
    promote(other, "Oats")
    git(other, "pull", "--no-rebase", "--no-edit", "origin", "main")
    lines = (other / LOG).read_text(encoding="utf-8").splitlines()
    assert [any(f"notes/{title}.md" in line for line in lines) for title in ("Tea", "Rye", "Oats")] == [True] * 3
    assert len(lines) == 3


def test_attributes_of_ones_own_stay_as_they_are(tmp_path: Path) -> None:
    init_vault(tmp_path / "one")
    own = (tmp_path / "one" / LOG).with_name(".gitattributes")
    own.write_bytes(b"*.md text\r\n")
    with Memory.open(open_vault(tmp_path / "one")) as memory:
        memory.add(NewNote("Tea", "What is known of tea, in a few words."))
    assert own.read_bytes() == b"*.md text\r\n"
