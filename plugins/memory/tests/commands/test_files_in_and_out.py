"""wake, validate, backup, restore, import and learned as processes: one document, right exit codes, light imports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ori_memory.notes.properties import read_properties
from ori_memory.vault.making import make_vault
from ori_memory.vault.vault import Vault

HEAVY = {"numpy", "sqlalchemy", "alembic", "onnxruntime", "mcp", "rustworkx", "graspologic_native"}


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return make_vault(tmp_path / "vault")


def ori(vault: Vault, *arguments: str, cwd: Path | None = None) -> tuple[int, Any]:
    command = [sys.executable, "-m", "ori_memory", "--vault", str(vault.root), *arguments, "--json"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, cwd=cwd or vault.root.parent)
    return done.returncode, json.loads(done.stdout)


def export(folder: Path, count: int) -> Path:
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["text " * 50]}}
    talks = [{"id": f"c{n}", "title": f"Talk {n % 50}", "mapping": {"a": {"message": message}}} for n in range(count)]
    file = folder / "export.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps(talks))
    return file


def test_wake_answers_with_lines_and_sections(vault: Vault) -> None:
    code, answer = ori(vault, "wake", "--budget", "3")
    assert code == 0 and answer["success"]
    assert len(answer["data"]["lines"]) <= 3 and "identity" in answer["data"]["sections"]
    assert ori(vault, "wake", "--budget", "0")[0] == 2


@pytest.mark.parametrize("command", [["wake"], ["validate", "notes/index.md"], ["learned", "status"]])
def test_quick_commands_import_nothing_heavy(vault: Vault, command: list[str]) -> None:
    code = (
        "import sys; from ori_memory.app import run; code = run(sys.argv[1:]); sys.stderr.write(' '.join(sys.modules))"
    )
    arguments = [sys.executable, "-c", code, "--vault", str(vault.root), "--json", *command]
    done = subprocess.run(arguments, capture_output=True, encoding="utf-8", timeout=60)
    json.loads(done.stdout)
    assert not HEAVY & {module.partition(".")[0] for module in done.stderr.split()}


def test_validate_exits_with_1_where_there_is_an_error(vault: Vault) -> None:
    (vault.root / "notes" / "bad.md").write_text("no head\n", encoding="utf-8")
    code, answer = ori(vault, "validate", "notes/bad.md")
    assert code == 1 and not answer["success"] and "no frontmatter" in answer["data"]["errors"][0]
    code, answer = ori(vault, "validate", "--all")
    assert code == 1 and [one["path"] for one in answer["data"]["notes"]] == ["notes/bad.md"]
    assert ori(vault, "validate", "../x.md")[0] == 2
    assert ori(vault, "validate")[0] == 2


def test_a_backup_is_restored_elsewhere_and_told_of(vault: Vault, tmp_path: Path) -> None:
    code, answer = ori(vault, "backup")
    file = answer["data"]["file"]
    assert code == 0 and Path(file).parent == tmp_path.resolve()
    code, answer = ori(vault, "restore", file, "--into", "new")
    assert code == 0 and "notes/index.md" in answer["data"]["restored"]
    (vault.root / "notes" / "index.md").write_text("changed\n", encoding="utf-8")
    code, answer = ori(vault, "restore", file)
    assert code == 1 and answer["data"]["conflicts"] == ["notes/index.md"]
    assert ori(vault, "restore", "none.zip")[0] == 2


def test_import_answers_with_what_came_and_what_did_not(vault: Vault, tmp_path: Path) -> None:
    code, answer = ori(vault, "import", "chatgpt", str(export(tmp_path, 2)))
    assert code == 0 and len(answer["data"]["imported"]) == 2
    assert {loss["reason"] for loss in answer["data"]["losses"]} == {"it has no date; the day of the import was taken"}
    code, answer = ori(vault, "import", "evernote", "x")
    assert code == 2 and "chatgpt, claude, memory-json, obsidian" in answer["error"]


@pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")
def test_an_import_of_which_nothing_can_be_taken_is_no_success(vault: Vault, tmp_path: Path) -> None:
    for name, text, code in (
        ("a.json", "hello", 1),
        ("b.json", '[{"mapp', 1),
        ("c.json", "[5]", 1),
        ("d.json", "[]", 0),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        done, answer = ori(vault, "import", "chatgpt", str(tmp_path / name))
        assert (done, answer["success"], len(answer["data"]["losses"])) == (code, not code, code)


def test_an_import_that_is_killed_again_and_again_ends_with_every_note_once(vault: Vault, tmp_path: Path) -> None:
    source = export(tmp_path, 120)
    command = [sys.executable, "-m", "ori_memory", "--vault", str(vault.root), "import", "chatgpt", str(source)]
    for wanted in (5, 30, 70):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and len(list((vault.root / "inbox").glob("*.md"))) < wanted:
            pass
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert ori(vault, "import", "chatgpt", str(source))[0] == 0
    heads = [read_properties(file.read_text(encoding="utf-8")).values for file in (vault.root / "inbox").glob("*.md")]
    sessions = sorted(source["session"] for head in heads if isinstance(source := head["source"], dict))
    assert sessions == sorted(f"c{n}" for n in range(120))
    assert [file.name for file in (vault.root / "inbox").iterdir() if file.suffix != ".md"] == []


def test_learned_data_goes_out_as_text_and_comes_back(vault: Vault, tmp_path: Path) -> None:
    from ori_memory.learned.store import LearnedStore

    with LearnedStore(vault.learned_path) as store:
        store.record_access(["a", "a"])
    assert ori(vault, "learned", "export", "l.ndjson")[1]["data"]["rows"] == 1
    other = make_vault(tmp_path / "other")
    for new in (1, 0):
        code, answer = ori(other, "learned", "import", "l.ndjson")
        assert code == 0 and answer["data"]["changed"]["access"] == new
    code, answer = ori(vault, "learned", "export", "--json")
    assert (answer["data"]["rows"], answer["data"]["tables"]) == (1, {"access": 1})
    assert [record["note_id"] for record in answer["data"]["records"]] == ["a"]
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    assert ori(vault, "learned", "export", "mine.txt")[0] == 2
    assert ori(vault, "learned", "import", "mine.txt")[0] == 2
