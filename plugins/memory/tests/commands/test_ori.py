"""The command ori as a process: which vault, which form, which exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ori_memory.app import COMMANDS as BUILT_IN

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def ori(home: Path, tmp_path: Path) -> Run:
    def run(*arguments: str, cwd: Path | None = None, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORI_"))}
        return subprocess.run(
            [sys.executable, "-m", "ori_memory", *arguments],
            cwd=cwd or tmp_path,
            env={**keep, "HOME": str(home), "USERPROFILE": str(home), **more},
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )

    return run


@pytest.fixture
def vault(ori: Run, tmp_path: Path) -> Path:
    assert ori("init", str(tmp_path / "vault")).returncode == 0
    return tmp_path / "vault"


def data(done: subprocess.CompletedProcess[str]) -> Any:
    document = json.loads(done.stdout)
    assert done.returncode == 0 and document["success"], done.stderr
    return document["data"]


class TestWhichVault:
    def test_the_flag_then_the_variable_then_the_folder_then_the_global_one(
        self, ori: Run, tmp_path: Path, home: Path
    ) -> None:
        for name in ("flag", "variable", "folder"):
            ori("init", str(tmp_path / name))
        ori("init", str(home / ".ori-memory"))
        inner = tmp_path / "folder" / "notes"
        assert data(ori("--vault", str(tmp_path / "flag"), "status", cwd=inner, ORI_VAULT=str(tmp_path / "variable")))[
            "vault"
        ].endswith("flag")
        assert data(ori("status", cwd=inner, ORI_VAULT=str(tmp_path / "variable")))["vault"].endswith("variable")
        assert data(ori("status", cwd=inner))["vault"].endswith("folder")
        assert data(ori("status"))["vault"].endswith(".ori-memory")

    def test_the_flag_names_what_init_makes_a_vault(self, ori: Run, tmp_path: Path) -> None:
        folder, here = tmp_path / "meant", tmp_path / "here"
        here.mkdir()
        assert data(ori("--vault", str(folder), "init", cwd=here))["vault"] == str(folder)
        assert data(ori("--vault", str(folder), "init", str(folder), cwd=here))["created"] == []
        refused = ori("--vault", str(folder), "init", "other", cwd=here)
        assert refused.returncode == 2 and "Give one of them" in refused.stdout
        assert list(here.iterdir()) == []

    @pytest.mark.parametrize("how", ["flag", "variable"])
    def test_one_that_is_named_and_is_none_is_never_passed_over(
        self, ori: Run, vault: Path, tmp_path: Path, how: str
    ) -> None:
        (tmp_path / "plain" / ".ori").mkdir(parents=True)
        named = str(tmp_path / "plain")
        done = (
            ori("--vault", named, "status", cwd=vault) if how == "flag" else ori("status", cwd=vault, ORI_VAULT=named)
        )
        assert done.returncode == 2 and "is no vault" in done.stderr and json.loads(done.stdout)["success"] is False

    @pytest.mark.skipif(os.name == "nt", reason="Windows keeps a folder that somebody works in")
    def test_a_working_directory_that_is_gone_is_told(self, ori: Run, vault: Path, tmp_path: Path) -> None:
        (tmp_path / "gone").mkdir()
        script = "import os, sys; os.rmdir(os.getcwd()); from ori_memory.app import run; sys.exit(run(sys.argv[1:]))"
        done = subprocess.run(
            [sys.executable, "-c", script, "status"], cwd=tmp_path / "gone", capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 2 and "working directory is no longer there" in done.stderr
        assert json.loads(done.stdout)["success"] is False

    def test_a_bare_marker_folder_at_home_is_no_vault(self, ori: Run, home: Path) -> None:
        (home / ".ori").mkdir()
        done = ori("status", cwd=home)
        assert done.returncode == 2 and "There is no vault" in done.stderr

    def test_the_answer_is_the_same_from_any_folder(self, ori: Run, vault: Path, tmp_path: Path) -> None:
        ori("add", "One thing", "-c", "linked to [[index]]", cwd=vault)
        for command in (
            ["status"],
            ["query", "orphans"],
            ["query", "backlinks", "index"],
            ["health"],
            ["query", "important"],
        ):
            here, there = ori(*command, cwd=vault), ori("--vault", str(vault), *command, cwd=tmp_path)
            assert here.stdout == there.stdout

    def test_a_damaged_marker_is_told_and_left_alone(self, ori: Run, vault: Path) -> None:
        (vault / ".ori" / "vault.json").write_text("{", encoding="utf-8")
        done = ori("status", cwd=vault)
        assert done.returncode == 2 and "cannot be read" in done.stderr
        assert (vault / ".ori" / "vault.json").read_text(encoding="utf-8") == "{"

    def test_a_wrong_setting_is_told_with_its_line(self, ori: Run, vault: Path) -> None:
        file = vault / "ori.config.yaml"
        file.write_text("vitality:\n  actr_decay: fast\nforgetting: {}\n", encoding="utf-8")
        done = ori("status", cwd=vault)
        assert done.returncode == 2 and "ori.config.yaml:2: vitality.actr_decay must be a number" in done.stderr
        file.write_text("forgetting: {}\n", encoding="utf-8")
        done = ori("status", cwd=vault)
        assert done.returncode == 0 and "unknown key forgetting" in json.loads(done.stdout)["warnings"][0]


class TestInit:
    def test_nothing_that_is_there_is_changed(self, ori: Run, tmp_path: Path) -> None:
        folder = tmp_path / "v"
        (folder / "notes").mkdir(parents=True)
        (folder / "notes" / "index.md").write_text("mine", encoding="utf-8")
        made = data(ori("init", str(folder)))
        assert "notes/index.md" in made["skipped"] and "templates/note.md" in made["created"]
        assert (folder / "notes" / "index.md").read_text(encoding="utf-8") == "mine"
        assert data(ori("init", str(folder)))["created"] == []

    def test_a_folder_of_notes_is_adopted_as_it_is(self, ori: Run, tmp_path: Path) -> None:
        folder = tmp_path / "obsidian"
        (folder / ".obsidian").mkdir(parents=True)
        (folder / "sub").mkdir()
        (folder / "sub" / "a.md").write_bytes(b"\xef\xbb\xbf[[B]] ![[b#h|x]]\r\n")
        (folder / "b.md").write_text("---\naliases: [Bee]\n---\n# h\n", encoding="utf-8")
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        assert data(ori("init", "--adopt", str(folder)))["created"] == [
            "ori.config.yaml",
            ".ori/.gitignore",
            ".ori/vault.json",
        ]
        found = data(ori("query", "backlinks", "Bee", cwd=folder))
        assert [one["path"] for one in found["backlinks"]] == ["sub/a.md", "sub/a.md"]
        assert {path: path.read_bytes() for path in before} == before

    def test_templates_of_the_program_before_are_no_notes(self, ori: Run, tmp_path: Path) -> None:
        folder = tmp_path / "obsidian"
        (folder / ".obsidian" / "plugins" / "templater-obsidian").mkdir(parents=True)
        settings = folder / ".obsidian"
        (settings / "templates.json").write_text('{"folder": "Extras/My [new] ones"}', encoding="utf-8")
        (settings / "daily-notes.json").write_text('{"template": "Journal/Form"}', encoding="utf-8")
        (settings / "plugins" / "templater-obsidian" / "data.json").write_text("{broken", encoding="utf-8")
        for name in ("Extras/My [new] ones/a.md", "Templates/b.md", "Journal/Form.md", "Journal/day.md", "Extras/c.md"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text("text\n", encoding="utf-8")
        made = data(ori("init", "--adopt", str(folder)))
        assert made["left_out"] == ["/Templates/", r"/Extras/My \[new\] ones/", "/Journal/Form.md"]
        paths = data(ori("query", "orphans", cwd=folder))["orphans"]
        assert paths == ["Extras/c.md", "Journal/day.md"]
        assert data(ori("init", "--adopt", str(folder)))["left_out"] == []

    def test_a_vault_inside_a_vault_is_refused(self, ori: Run, vault: Path) -> None:
        done = ori("init", str(vault / "notes"))
        assert done.returncode == 2 and "lies inside the vault" in done.stderr


COMMANDS = (
    "status", "health", "query orphans", "query dangling", "query cross-project", "query important", "query fading",
    "graph metrics", "graph communities", "prune", "archive", "wake", "promote --all", "index build", "index status",
    "doctor", "validate --all",
)  # fmt: skip


class TestForms:
    def test_a_terminal_would_get_text_and_a_pipe_gets_one_document(self, ori: Run, vault: Path) -> None:
        assert json.loads(ori("status", cwd=vault).stdout)["success"] is True
        assert ori("status", "--text", cwd=vault).stdout.startswith(str(vault))
        assert json.loads(ori("--text", "status", "--json", cwd=vault).stdout)["data"]["notes"] > 0

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["add", "x", "-c", " "], "content is empty"),
            (["add", "x", "-c", "a", "--content-stdin"], "Give the content once"),
            (["add", "x", "-f", "missing.md"], "missing.md"),
            (["promote"], "Name a note"),
            (["promote", "nothing"], "There is no note 'nothing'"),
            (["mv", "nothing", "x"], "There is no note"),
            (["read", "idnex"], "Did you mean 'index'?"),
            (["read", "../x"], "leads out of the vault"),
            (["query", "backlinks", "idnex"], "Did you mean 'index'?"),
            (["forget", " "], "Say what to forget"),
            (["graph", "html", "no/such/graph.html"], "there is no such folder"),
            (["nonsense"], "ori add 'nonsense'"),
            (["query", "important", "--limit", "0"], "--limit"),
        ],
    )  # fmt: skip
    def test_a_mistake_is_a_line_a_document_and_an_exit_code(
        self, ori: Run, vault: Path, arguments: Sequence[str], told: str
    ) -> None:
        done = ori(*arguments, cwd=vault)
        assert done.returncode in (1, 2) and told in done.stderr and "Traceback" not in done.stderr
        assert json.loads(done.stdout)["success"] is False

    def test_content_may_come_through_a_pipe_and_from_a_file(self, ori: Run, vault: Path) -> None:
        one = data(ori("add", "From a pipe", "--content-stdin", cwd=vault, stdin="piped \u2192 \u0416\n"))
        (vault.parent / "c.txt").write_text("filed", encoding="utf-8")
        two = data(ori("add", "From a file", "-f", "../c.txt", cwd=vault))
        assert "piped \u2192 \u0416" in (vault / one["path"]).read_text(encoding="utf-8")
        assert "filed" in (vault / two["path"]).read_text(encoding="utf-8")

    def test_an_ascii_terminal_is_no_reason_to_fail(self, ori: Run, vault: Path) -> None:
        done = ori("add", "\u4f1a\u8bae\u8bb0\u5f55", "-c", "\u2192 \u0416", cwd=vault, LC_ALL="C", PYTHONUTF8="0")
        assert done.returncode == 0, done.stderr
        assert (vault / "notes" / "\u4f1a\u8bae\u8bb0\u5f55.md").exists()

    def test_every_command_that_lists_answers_in_an_empty_vault(self, ori: Run, tmp_path: Path) -> None:
        folder = tmp_path / "empty"
        folder.mkdir()
        ori("init", "--adopt", str(folder))
        for command in COMMANDS:
            for form in ("--json", "--text"):
                done = ori(*command.split(), form, cwd=folder)
                assert done.returncode == 0 and "Traceback" not in done.stderr, (command, done.stderr)


HEAVY = {"numpy", "sqlalchemy", "alembic", "onnxruntime", "mcp", "rustworkx", "graspologic_native", "watchfiles"}
SLOW = {"cattrs", "importlib.metadata", "platformdirs", "ruamel.yaml", "stevedore"}
"""What a built-in command has no need of: each costs about a tenth of what a command that a hook runs may take."""


@pytest.mark.parametrize(
    "command",
    [["--version"], ["--help"], ["status"], ["add", "A", "-c", "b"], ["promote", "--all"], ["query", "orphans"],
     ["query", "dangling"], ["query", "backlinks", "index"], ["read", "index"], ["wake"], ["validate", "--all"],
     ["index", "build"]],
)  # fmt: skip
def test_commands_that_do_not_rank_import_nothing_heavy(ori: Run, vault: Path, command: list[str]) -> None:
    code = f"import sys; sys.argv = ['ori', *{command!r}]\ntry:\n    from ori_memory.__main__ import main; main()\n"
    code += "except SystemExit: pass\nsys.stderr.write('LOADED ' + ' '.join(sys.modules))"
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORI_"))}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=vault, env=keep, capture_output=True, encoding="utf-8", timeout=60
    )
    loaded = set(done.stderr.rpartition("LOADED ")[2].split())
    assert "ori_memory" in loaded and not loaded & HEAVY
    if command != ["--help"]:
        assert not loaded & SLOW


def test_built_in_commands_are_those_that_the_distribution_offers() -> None:
    from importlib.metadata import distribution

    offered = distribution("ori-memory").entry_points.select(group="ori.commands")
    assert {entry.name: entry.value for entry in offered} == BUILT_IN


class TestForgetting:
    def test_a_supersession_is_shown_before_it_is_done(self, ori: Run, vault: Path) -> None:
        ori("add", "Capital is Bonn", "-c", "The capital is Bonn.", cwd=vault)
        words = ["forget", "Capital is Bonn", "--supersede", "Capital is Berlin", "-c", "Since 1990."]
        before = (vault / "notes/Capital is Bonn.md").read_bytes()
        assert data(ori(*words, cwd=vault)) == {
            "new": "Capital is Berlin",
            "superseded": "notes/Capital is Bonn.md",
            "is_applied": False,
        }
        assert (vault / "notes/Capital is Bonn.md").read_bytes() == before
        assert data(ori(*words, "--apply", cwd=vault))["new"] == "notes/Capital is Berlin.md"

    def test_nothing_found_is_no_success(self, ori: Run, vault: Path) -> None:
        done = ori("forget", "xyzzy", cwd=vault)
        assert (done.returncode, json.loads(done.stdout)["success"]) == (1, False)

    def test_superseding_what_is_not_there_is_told(self, ori: Run, vault: Path) -> None:
        done = ori("add", "New fact", "-c", "text", "--supersedes", "Nobody", cwd=vault)
        assert "supersedes 'Nobody', which no note is called" in json.loads(done.stdout)["warnings"][0]


def test_a_list_that_was_cut_says_so_and_its_order_is_stable(ori: Run, vault: Path) -> None:
    for number in range(25):
        text = "---\ntags: [same]\nstatus: active\ncreated: 2000-01-01\n---\nbody\n"
        (vault / f"notes/n{number}.md").write_text(text, encoding="utf-8")
    first = ori("query", "fading", "--text", cwd=vault)
    assert "ori: 5 more notes are that weak; a limit of 25 shows all." in first.stderr
    assert ori("query", "fading", "--text", cwd=vault).stdout == first.stdout
    every = data(ori("query", "fading", "--limit", "25", cwd=vault))["results"]
    assert [one["path"] for one in every] == sorted(f"notes/n{number}.md" for number in range(25))
    assert data(ori("sql", "select path from v_tag where tag = 'same'", cwd=vault))["rows"][24:25] != []


class TestReading:
    def test_json_holds_the_file_and_what_is_known_of_it(self, ori: Run, vault: Path) -> None:
        added = data(ori("add", "Tea at 80", "-c", "not above", cwd=vault))
        found = data(ori("read", added["id"], cwd=vault))
        assert found["text"] == (vault / added["path"]).read_text(encoding="utf-8")
        assert (found["path"], found["accesses"], found["source"]["client"]) == (added["path"], 2, "")
        assert data(ori("read", "Tea at 80", cwd=vault))["accesses"] == 3

    def test_text_shows_no_control_characters(self, ori: Run, vault: Path) -> None:
        (vault / "notes/odd.md").write_bytes(b"one\r\n\x1b[31mred\r\n")
        shown = ori("read", "odd", "--text", cwd=vault).stdout
        assert shown.startswith("notes/odd.md  ") and shown.endswith("\n\none\n\\x1b[31mred\n")

    def test_an_ambiguous_name_is_one_line_with_the_candidates(self, ori: Run, vault: Path) -> None:
        for folder in ("a", "b"):
            (vault / folder).mkdir()
            (vault / folder / "README.md").write_text("x", encoding="utf-8")
        done = ori("read", "README", cwd=vault)
        assert (done.returncode, done.stderr) == (
            2,
            "ori: 'README' may be any of a/README.md, b/README.md. Say the path.\n",
        )


def test_links_to_one_heading_are_asked_for_by_its_name(ori: Run, vault: Path) -> None:
    (vault / "notes/a.md").write_text("[[index]]\n[[index#Key Notes]]\n", encoding="utf-8")
    assert [one["line"] for one in data(ori("query", "backlinks", "index#key notes", cwd=vault))["backlinks"]] == [2]


def test_what_ori_derives_and_learns_is_not_offered_to_git(ori: Run, vault: Path) -> None:
    settings = vault / "ori.config.yaml"
    settings.write_text("retrieval: {limit: 5}\n", encoding="utf-8")
    ori(
        "--vault",
        str(vault),
        "add",
        "Green tea wants eighty degrees",
        "--content",
        "We decided that.",
        ORI_NO_BACKGROUND="1",
    )
    for command in (
        ["query", "ranked", "green tea"],
        ["explore", "green tea"],
        ["explore-start", "green tea"],
        ["read", "Green tea wants eighty degrees"],
        ["index", "build"],
        ["index", "embed"],
        ["health"],
        ["wake"],
    ):
        assert ori("--vault", str(vault), *command, ORI_NO_BACKGROUND="1").returncode in (0, 1), command
    subprocess.run(["git", "init", "-q", str(vault)], check=True)
    listed = subprocess.run(
        ["git", "-C", str(vault), "ls-files", "--others", "--exclude-standard", ".ori"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert sorted(listed.stdout.split()) == [".ori/.gitignore", ".ori/vault.json"]
    assert (vault / ".ori" / "settings.stamp").is_file()
