"""`ori query ranked` and `ori query similar`: what they print, what they refuse, what they load."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ori_memory.app import run
from ori_memory.retrieval.showing import tokens_of
from ori_memory.vault.making import adopt_vault

NOTES = {
    "notes/Rye bread.md": (
        "---\ncreated: 2024-05-03\nid: rye\nproject: [baking]\n---\n\nKneaded from rye. See [[Oven]].\n"
    ),
    "notes/Oven.md": "---\ncreated: 2024-05-20\nid: oven\nstatus: active\n---\n\nIt takes an hour to heat.\n",
    "notes/old/Wheat bread.md": "---\nstatus: archived\nid: wheat\n---\n\nKneaded from wheat.\n",
    "notes/Garden.md": "---\nid: garden\n---\n\nTulips.\n",
}
HEAVY = ("numpy", "onnxruntime", "tokenizers", "sqlalchemy", "networkx")

Ask = Callable[..., Any]


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    for name in [name for name in os.environ if name.startswith(("ORI_", "XDG_"))]:
        monkeypatch.delenv(name)
    for name, value in {"HOME": str(home), "USERPROFILE": str(home), "ORI_NO_BACKGROUND": "1"}.items():
        monkeypatch.setenv(name, value)
    root = tmp_path / "vault"
    for path, text in NOTES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    adopt_vault(root)
    return root


@pytest.fixture
def ask(vault: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """A question; its data with `--json`, its text with `--text`."""

    def asking(*arguments: str, command: str = "ranked", form: str = "--json") -> Any:
        code = run(["--vault", str(vault), "query", command, *arguments, form])
        printed = capsys.readouterr()
        assert code == 0, printed.err
        return json.loads(printed.out)["data"] if form == "--json" else printed.out

    return asking


@pytest.fixture
def refused(vault: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The message of a question that is refused; its document says the same."""

    def asking(*arguments: str, command: str = "ranked") -> str:
        assert run(["--vault", str(vault), "query", command, *arguments, "--json"]) == 2
        printed = capsys.readouterr()
        document = json.loads(printed.out)
        assert document["success"] is False and document["data"] is None
        assert document["error"] in printed.err
        return str(document["error"])

    return asking


def paths(data: Any) -> list[str]:
    return [hit["path"] for hit in data["results"]]


class TestJson:
    def test_the_document_says_what_was_found_and_how(self, ask: Ask) -> None:
        data = ask("kneaded", "rye")
        assert list(data) == [
            "query", "verdict", "confidence", "intent", "period", "results", "count", "left_out", "signals_run",
            "signals_skipped",
        ]  # fmt: skip
        assert (data["query"], data["intent"], data["period"], data["left_out"]) == ("kneaded rye", "semantic", "", 0)
        assert data["results"][0] == {
            "path": "notes/Rye bread.md",
            "title": "Rye bread",
            "score": 1.0,
            "snippet": "Kneaded from rye. See [[Oven]].",
            "line": 7,
        }
        assert data["count"] == len(data["results"]) == 2
        assert data["signals_run"] == ["keyword", "graph"]
        assert set(data["signals_skipped"]) == {"semantic", "time", "warmth", "thread", "pairs"}

    def test_a_line_is_that_of_the_file(self, ask: Ask, vault: Path) -> None:
        hit = ask("kneaded rye")["results"][0]
        lines = (vault / hit["path"]).read_text(encoding="utf-8").splitlines()
        assert lines[hit["line"] - 1] == "Kneaded from rye. See [[Oven]]."

    def test_explained_it_says_what_each_part_did(self, ask: Ask) -> None:
        data = ask("kneaded rye", "--explain")
        first = data["results"][0]
        assert (first["id"], first["created"], first["signals"]) == (
            "rye",
            "2024-05-03",
            {"keyword": 1.0, "graph": 1.0},
        )
        parts = {part["name"]: part["state"] for part in data["parts"]}
        assert parts == {
            "keyword": "ran", "semantic": "skipped", "time": "skipped", "warmth": "skipped", "thread": "skipped",
            "graph": "ran", "pairs": "skipped", "qvalue": "skipped", "exploration": "skipped",
        }  # fmt: skip
        assert all(part["reason"] for part in data["parts"] if part["state"] == "skipped")

    def test_a_time_phrase_is_told_as_days(self, ask: Ask) -> None:
        assert ask("bread in May 2024")["period"] == "2024-05-01..2024-05-31"

    def test_nothing_relevant_is_an_answer(self, ask: Ask) -> None:
        data = ask("zqxv wvutt")
        assert (data["verdict"], data["confidence"], data["results"]) == ("nothing relevant", 0.0, [])


class TestText:
    def test_a_note_has_its_place_its_file_with_the_line_and_its_words(self, ask: Ask) -> None:
        lines = ask("kneaded rye", form="--text").splitlines()
        assert lines[0] == " 1. Rye bread  [1.00]"
        assert re.fullmatch(r"    notes/Rye bread\.md:\d+", lines[1])
        assert lines[2] == "    Kneaded from rye. See [[Oven]]."
        assert re.fullmatch(
            r"relevant \(confidence 0\.\d\d\), semantic; "
            r"by keyword, graph \(not semantic, time, warmth, thread, pairs\)",
            lines[-1],
        )

    def test_explained_there_is_a_table_of_the_parts(self, ask: Ask) -> None:
        text = ask("kneaded rye", "--explain", form="--text")
        assert "    keyword 1.00, graph 1.00\n" in text
        assert re.search(r"^PART +STATE +FOUND +MS +REASON$", text, re.MULTILINE)
        assert re.search(r"^warmth +skipped +0 +[\d.]+ +no note is warm$", text, re.MULTILINE)

    def test_nothing_relevant_is_said_in_the_first_line(self, ask: Ask) -> None:
        assert ask("zqxv wvutt", form="--text").splitlines()[0] == "Nothing relevant."

    def test_signs_that_steer_a_terminal_are_shown_not_sent(self, ask: Ask, vault: Path) -> None:
        (vault / "notes/Evil.md").write_text("\x1b[31m zebra\x07 stripes\n", encoding="utf-8")
        text = ask("zebra", form="--text")
        assert "zebra" in text and "\x1b" not in text and "\x07" not in text


class TestOptions:
    def test_archived_notes_come_only_when_they_are_asked_for(self, ask: Ask) -> None:
        assert paths(ask("kneaded wheat")) == ["notes/Rye bread.md", "notes/Oven.md"]
        assert paths(ask("kneaded wheat", "--include-archived"))[0] == "notes/old/Wheat bread.md"

    def test_the_limit_is_kept(self, ask: Ask) -> None:
        assert paths(ask("kneaded rye oven", "--limit", "1")) == ["notes/Rye bread.md"]

    def test_the_limit_of_the_settings_holds_without_one(self, ask: Ask, vault: Path) -> None:
        (vault / "ori.config.yaml").write_text("retrieval:\n  limit: 1\n", encoding="utf-8")
        assert paths(ask("kneaded rye oven")) == ["notes/Rye bread.md"]
        assert len(paths(ask("kneaded rye oven", "--limit", "2"))) == 2

    def test_the_budget_is_kept_and_what_does_not_fit_is_counted(self, ask: Ask) -> None:
        whole = ask("kneaded rye oven")
        data = ask("kneaded rye oven", "--budget", "170")
        assert (data["count"], data["left_out"]) == (1, 1) and whole["count"] == 2
        document = json.dumps({"success": True, "data": data, "warnings": []}, ensure_ascii=False, indent=2)
        assert tokens_of(document) <= 170

    def test_a_project_and_a_folder_narrow_the_answer(self, ask: Ask) -> None:
        assert paths(ask("kneaded", "--project", "baking")) == ["notes/Rye bread.md"]
        assert paths(ask("kneaded", "--include-archived", "--folder", "notes/old")) == ["notes/old/Wheat bread.md"]
        assert paths(ask("kneaded", "--project", "gardening")) == []

    def test_as_of_a_day_later_notes_are_not_there_yet(self, ask: Ask) -> None:
        assert paths(ask("oven rye", "--as-of", "2024-05-10")) == ["notes/Rye bread.md"]

    def test_only_and_without_choose_the_signals(self, ask: Ask) -> None:
        assert ask("rye", "--only", "keyword")["signals_run"] == ["keyword"]
        data = ask("rye", "--without", "graph", "--without", "exploration", "--explain")
        assert "graph" not in data["signals_run"] and data["signals_skipped"]["graph"] == "left out"
        assert [part["reason"] for part in data["parts"] if part["name"] == "exploration"] == ["left out"]

    def test_similar_asks_the_vectors_alone_and_says_where_there_are_none(self, ask: Ask) -> None:
        data = ask("rye", command="similar")
        assert (data["results"], data["signals_run"]) == ([], [])
        assert data["signals_skipped"] == {"semantic": "no note is embedded yet"}


class TestRefused:
    @pytest.mark.parametrize("day", ["2024-02-30", "yesterday", "03/05/2024"])
    def test_a_wrong_date_says_how_one_is_written(self, refused: Callable[..., str], day: str) -> None:
        message = refused("rye", "--as-of", day)
        assert f"'{day}' is no date; write it as 2026-01-31." in message and "--as-of" in message

    @pytest.mark.parametrize("arguments", [("--limit", "0"), ("--budget", "10"), ("--limit", "many")])
    def test_a_wrong_number_names_its_option(self, refused: Callable[..., str], arguments: tuple[str, str]) -> None:
        assert arguments[0] in refused("rye", *arguments)

    def test_no_question_is_told(self, refused: Callable[..., str]) -> None:
        assert "QUESTION" in refused()

    def test_an_empty_question_is_told(self, refused: Callable[..., str]) -> None:
        assert refused(" ") == "The question is empty. Say what to look for."

    def test_an_unknown_signal_lists_the_known_ones(self, refused: Callable[..., str]) -> None:
        message = refused("rye", "--only", "keywrod")
        assert "'keywrod'" in message and "keyword" in message and "semantic" in message

    def test_a_misspelt_part_to_leave_out_is_told(self, refused: Callable[..., str]) -> None:
        assert "'grpah'" in refused("rye", "--without", "grpah")

    def test_a_wrong_setting_is_told_with_its_line(self, refused: Callable[..., str], vault: Path) -> None:
        (vault / "ori.config.yaml").write_text("retrieval:\n  fusion: magic\n", encoding="utf-8")
        assert "ori.config.yaml:2: retrieval.fusion" in refused("rye")

    def test_a_wrong_option_of_a_signal_is_told(self, refused: Callable[..., str], vault: Path) -> None:
        (vault / "ori.config.yaml").write_text("retrieval:\n  options:\n    graph:\n      sedes: 3\n", encoding="utf-8")
        message = refused("rye")
        assert "retrieval.options.graph" in message and "sedes" in message

    def test_no_vault_is_told(self, vault: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["--vault", str(tmp_path / "home"), "query", "ranked", "rye", "--json"]) == 2
        assert "is no vault" in json.loads(capsys.readouterr().out)["error"]


SCRIPT = """
import json, sys
from ori_memory.app import run
code = run(sys.argv[2:])
print(json.dumps([name for name in json.loads(sys.argv[1]) if name in sys.modules]), file=sys.stderr)
sys.exit(code)
"""


class TestLoading:
    @pytest.mark.parametrize("arguments", [("--fast",), ("--only", "keyword")])
    def test_what_needs_no_model_imports_no_numeric_library(self, vault: Path, arguments: tuple[str, ...]) -> None:
        command = [sys.executable, "-c", SCRIPT, json.dumps(HEAVY)]
        command += ["--vault", str(vault), "query", "ranked", "rye bread", *arguments, "--json"]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60)
        assert (done.returncode, done.stderr) == (0, "[]\n")
        assert paths(json.loads(done.stdout)["data"])[0] == "notes/Rye bread.md"

    def test_a_second_answer_loads_neither_openssl_nor_archivers(self, vault: Path) -> None:
        command = [sys.executable, "-c", SCRIPT, json.dumps(["_hashlib", "lzma", "tempfile"])]
        command += ["--vault", str(vault), "query", "ranked", "rye bread", "--fast", "--json"]
        # The first one makes the index, and the list of plugins.
        first, second = (subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60) for _ in "12")
        assert (first.returncode, second.returncode, second.stderr) == (0, 0, "[]\n")

    def test_a_fast_answer_says_what_it_did_without(self, ask: Ask) -> None:
        assert ask("rye", "--fast")["signals_skipped"]["semantic"] == "too slow for a fast answer"
