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


def teach(root: Path, question: str = "how hot is green tea") -> None:
    from ori_memory.memory import Memory
    from ori_memory.retrieval.answer import Asked
    from ori_memory.vault.finding import open_vault

    with Memory.open(open_vault(root)) as memory:
        memory.ask(Asked(question, is_fast=True))
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


def test_status_tells_what_the_questions_have_shown(root: Path) -> None:
    assert ori(root, "status")[1]["data"]["experience"] is None
    teach(root, TEA)
    assert ori(root, "status")[1]["data"]["experience"] == {"agreed": 0, "differed": 0, "named": 1, "unnamed": 0}
    assert "questions that name a note: 1.0 useful notes were named, 0.0 were others" in told(root, "status")


def test_of_several_exports_none_is_merged_where_one_is_broken(root: Path, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.ndjson", tmp_path / "bad.ndjson"
    with LearnedStore(tmp_path / "other.db") as store:
        store.record_credits([Credit("gone", ("tea",), 0.5, "edit")])
        good.write_text(store.export(), encoding="utf-8")
    bad.write_text(good.read_text(encoding="utf-8") + "{half", encoding="utf-8")
    code, answer = ori(root, "merge", str(good), str(bad))
    assert (code, "bad.ndjson" in answer["error"], "Nothing was imported" in answer["error"]) == (2, True, True)
    assert ori(root, "show", "gone")[0] == 2


@pytest.mark.parametrize("command", ["import", "merge"])
def test_an_export_that_is_not_there_is_named_with_what_writes_one(root: Path, tmp_path: Path, command: str) -> None:
    code, answer = ori(root, command, str(tmp_path / "none.ndjson"))
    assert code == 2
    assert "none.ndjson: it is not there. `ori learned export FILE` writes one" in answer["error"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_an_export_is_read_as_shells_write_it(root: Path, tmp_path: Path, encoding: str) -> None:
    with LearnedStore(tmp_path / "other.db") as store:
        store.record_credits([Credit("gone \u00fc", ("tea",), 0.5, "edit")])
        (tmp_path / "it").write_text(store.export(), encoding=encoding, newline="\r\n")
    assert ori(root, "import", str(tmp_path / "it"))[0] == 0
    assert ori(root, "show", "gone \u00fc")[1]["data"]["reward"] == 0.5


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"\x80", b"\0\0", b"", b"SQLite format 3\0"])
def test_what_is_no_export_is_refused_by_file_and_by_standard_input(root: Path, tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "it"
    file.write_bytes(data)
    for words in (["import", "-"], ["import", str(file)], ["merge", str(file)], ["import", str(tmp_path)]):
        command = [sys.executable, "-m", "ori_memory", "--vault", str(root), "learned", *words, "--json"]
        done = subprocess.run(command, input=data, capture_output=True, timeout=120)
        assert (done.returncode, b"Traceback" in done.stderr) == (2, False), done.stderr
        assert json.loads(done.stdout)["success"] is False


def test_an_export_to_a_dash_is_standard_output_and_has_what_waits_to_be_counted(root: Path) -> None:
    from ori_memory.memory import Memory
    from ori_memory.retrieval.answer import Asked
    from ori_memory.vault.finding import open_vault

    with Memory.open(open_vault(root)) as memory:
        memory.ask(Asked("how hot is green tea", is_fast=True))
        memory.said(f"As [[{TEA}]] says.")
        memory.teaching.write_down()
        text = told(root, "export", "-")
    assert '"_t":"credit"' in text and not (root.parent / "-").exists()


def test_a_folder_in_the_place_of_the_store_is_told_set_aside_and_loses_nothing_of_its_copy(root: Path) -> None:
    with LearnedStore(root / ".ori" / "learned.db") as store:
        store.record_credits([Credit("gone", ("tea",), 0.5, "edit")])
        store.backup(root / ".ori" / "learned.backup.db")
    (root / ".ori" / "learned.db").unlink()
    (root / ".ori" / "learned.db").mkdir()
    code, answer = ori(root, "status")
    assert (code, "is a folder" in answer["data"]["soundness"]) == (1, True)
    teach(root)
    code, answer = ori(root, "show", "gone")
    assert (code, answer["data"]["reward"]) == (0, 0.5)
    assert ori(root, "status")[1]["data"]["soundness"] == "ok"


def test_what_was_learned_of_one_note_is_reset_and_taken_back_by_its_name(root: Path) -> None:
    teach(root)
    assert ori(root, "reset", "No such note", "--yes")[0] == 2
    code, answer = ori(root, "reset", TEA)
    assert (code, "--yes" in answer["error"]) == (2, True)
    assert ori(root, "reset", TEA, "--yes")[0] == 0
    assert ori(root, "show", TEA)[1]["data"]["credits"] == []
    assert ori(root, "reset", TEA, "--yes")[0] == 2
    (root / "notes" / f"{TEA}.md").rename(root / "notes" / "Tea.md")
    code, answer = ori(root, "reset", "Tea", "--undo")
    assert (code, answer["data"]["rows"] > 0) == (0, True)
    assert ori(root, "show", "Tea")[1]["data"]["reward"] == 1.0


def test_what_cannot_be_taken_back_is_told_by_what_there_is(root: Path) -> None:
    teach(root)
    done = ori(root, "reset", TEA, "--yes")[1]
    id = done["data"]["note"]
    code, answer = ori(root, "reset", "--undo")
    assert (code, "of one note comes back with its name" in answer["error"]) == (2, True)
    (root / "notes" / f"{TEA}.md").unlink()
    code, answer = ori(root, "reset", "Another", "--undo")
    assert (code, "by its id" in answer["error"]) == (2, True)
    assert f"rows of {id} came back" in told(root, "reset", id, "--undo")
