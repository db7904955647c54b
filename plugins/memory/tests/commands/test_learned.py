"""`ori learned` as its user types it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ori_memory.learned.crediting import Credit
from ori_memory.learned.schema import REVISION
from ori_memory.learned.store import LearnedStore
from ori_memory.vault.making import make_vault

TEA = "Green tea is brewed at 80 degrees"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = make_vault(tmp_path / "vault").root
    (folder / "notes" / f"{TEA}.md").write_text(f"# {TEA}\n\nNothing more.\n", encoding="utf-8")
    return folder


def ori(root: Path, *words: str) -> tuple[int, Any]:
    command = [sys.executable, "-m", "ori_memory", "--vault", str(root), "learned", *words, "--json"]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", timeout=120, stdin=subprocess.DEVNULL, cwd=root.parent
    )
    return done.returncode, json.loads(done.stdout)


def told(root: Path, *words: str) -> str:
    command = [sys.executable, "-m", "ori_memory", "--vault", str(root), "learned", *words, "--text"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, stdin=subprocess.DEVNULL)
    return done.stdout + done.stderr


def teach(root: Path) -> None:
    from ori_memory.memory import Memory
    from ori_memory.retrieval.answer import Asked
    from ori_memory.vault.finding import open_vault

    with Memory.open(open_vault(root)) as memory:
        memory.ask(Asked("how hot is green tea", is_fast=True))
        memory.said(f"As [[{TEA}]] says.")


def test_show_tells_the_question_and_the_evidence(root: Path) -> None:
    teach(root)
    code, shown = ori(root, "show", TEA)
    (credit,) = shown["data"]["credits"]
    assert (code, credit["question"], credit["sources"], credit["reward"]) == (
        0,
        ["hot", "green", "tea"],
        {"citation": 1},
        1.0,
    )
    assert (shown["data"]["shown"], shown["data"]["accesses"]) == (1, 0)
    assert "1.00  hot green tea  (citation once;" in told(root, "show", TEA)


def test_show_knows_no_note_of_that_name_but_one_that_is_gone(root: Path) -> None:
    code, answer = ori(root, "show", "No such note")
    assert (code, answer["success"]) == (2, False)
    with LearnedStore(root / ".ori" / "learned.db") as store:
        store.record_credits([Credit("gone", ("tea",), 0.5, "edit")])
    code, answer = ori(root, "show", "gone")
    assert (code, answer["data"]["path"], answer["data"]["reward"]) == (0, "", 0.5)


def test_a_reset_asks_keeps_and_can_be_taken_back(root: Path) -> None:
    assert ori(root, "reset", "--yes")[0] == 2  # There is nothing yet.
    teach(root)
    code, answer = ori(root, "reset")
    assert (code, "--yes" in answer["error"]) == (2, True)
    code, answer = ori(root, "reset", "--yes")
    kept = Path(answer["data"]["kept"])
    assert code == 0 and kept.is_file() and answer["data"]["rows"] > 0
    assert ori(root, "show", TEA)[1]["data"]["credits"] == []
    assert ori(root, "reset", "--undo")[0] == 0
    assert ori(root, "show", TEA)[1]["data"]["reward"] == 1.0
    assert ori(root, "reset", "--undo")[0] == 2
    assert ori(root, "reset", "--undo", "--yes")[0] == 2


def test_exports_of_several_machines_are_merged_in_one_go(root: Path, tmp_path: Path) -> None:
    files = []
    for number in range(2):
        with LearnedStore(tmp_path / f"{number}.db") as store:
            store.record_credits([Credit("gone", ("tea",), 0.5, "edit")])
            files.append(tmp_path / f"{number}.ndjson")
            files[-1].write_text(store.export(), encoding="utf-8")
    for _ in range(2):
        code, answer = ori(root, "merge", *map(str, files))
        assert (code, len(answer["data"]["files"])) == (0, 2)
    assert ori(root, "show", "gone")[1]["data"]["reward"] == 1.0
    assert ori(root, "merge", str(tmp_path / "nothing.ndjson"))[0] == 2


def test_status_counts_rows_and_evidence(root: Path) -> None:
    teach(root)
    code, answer = ori(root, "status")
    assert (code, answer["data"]["revision"], answer["data"]["rows"]["credit"]) == (0, REVISION, 1)
    assert answer["data"]["evidence"]["citation"]["credits"] == 1
    assert "citation: found 1" in told(root, "status")
