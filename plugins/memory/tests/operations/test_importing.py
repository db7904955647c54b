"""Importing into a vault: once, never over anything, with a report of what was left out."""

from __future__ import annotations

import datetime
import json
import os
from pathlib import Path

import pytest

from aries_kernel.contracts.importer import Importer
from aries_kernel.errors import UserError
from ori_memory.importers.chatgpt import ChatGpt
from ori_memory.importers.memory_json import MemoryJson
from ori_memory.importers.obsidian import Obsidian
from ori_memory.notes.parsing import parse_note
from ori_memory.operations.importing import ImportReport, import_notes
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import adopt_vault, make_vault
from ori_memory.vault.vault import Vault

TODAY = datetime.date(2026, 3, 4)


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return make_vault(tmp_path / "vault")


def run(vault: Vault, importer: Importer, source: Path, *, is_dry_run: bool = False) -> ImportReport:
    return import_notes(vault, importer, source, today=TODAY, is_dry_run=is_dry_run)


def snapshot(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file() and file.suffix != ".lock")
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def chats(folder: Path, *titles: str) -> Path:
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["Say: [x] \ud800 # y"]}}
    data = [
        {"id": f"c{number}", "title": title, "create_time": 1_700_000_000, "mapping": {"a": {"message": message}}}
        for number, title in enumerate(titles)
    ]
    file = folder / "conversations.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def test_conversations_become_notes_of_the_inbox_that_read_back(vault: Vault, tmp_path: Path) -> None:
    title = 'Plan: #1 "x" \\ 会議 \u2028'
    report = run(vault, ChatGpt(), chats(tmp_path, title))
    [path] = report.imported
    parsed = parse_note((vault.root / path).read_text(encoding="utf-8"), "stem")
    assert path.startswith("inbox/")
    assert parsed.title == " ".join(title.split())
    assert parsed.properties["created"] == datetime.date(2023, 11, 14)
    source = parsed.properties["source"]
    assert isinstance(source, dict) and (source["client"], source["session"]) == ("chatgpt", "c0")
    assert parsed.properties["status"] == "inbox"
    assert parsed.problems == ()


def test_notes_of_one_title_are_two_files(vault: Vault, tmp_path: Path) -> None:
    (vault.root / "inbox" / "talk.md").write_text("mine\n", encoding="utf-8")
    report = run(vault, ChatGpt(), chats(tmp_path, "Talk", "talk", "Talk"))
    assert report.imported == ("inbox/Talk 2.md", "inbox/talk 3.md", "inbox/Talk 4.md")
    assert (vault.root / "inbox" / "talk.md").read_text(encoding="utf-8") == "mine\n"


def test_a_second_import_changes_nothing_though_notes_were_moved(vault: Vault, tmp_path: Path) -> None:
    source = chats(tmp_path, "One", "Two")
    run(vault, ChatGpt(), source)
    (vault.root / "inbox" / "One.md").rename(vault.root / "notes" / "Renamed.md")
    before = snapshot(vault.root)
    report = run(vault, ChatGpt(), source)
    assert (report.imported, report.already) == ((), 2)
    assert snapshot(vault.root) == before


def test_a_later_export_brings_only_what_is_new(vault: Vault, tmp_path: Path) -> None:
    run(vault, ChatGpt(), chats(tmp_path, "One"))
    report = run(vault, ChatGpt(), chats(tmp_path, "One", "Two"))
    assert (report.imported, report.already) == (("inbox/Two.md",), 1)


def test_a_conversation_that_went_on_is_told_of_and_its_note_stays(vault: Vault, tmp_path: Path) -> None:
    source = chats(tmp_path, "One")
    run(vault, ChatGpt(), source)
    before = snapshot(vault.root)
    source.write_text(source.read_text(encoding="utf-8").replace("Say:", "Say more:"), encoding="utf-8")
    report = run(vault, ChatGpt(), source)
    assert [loss.reason for loss in report.losses] == ["it has changed since it was imported; the note stays as it is"]
    assert snapshot(vault.root) == before


def test_a_dry_run_tells_the_same_and_writes_nothing(vault: Vault, tmp_path: Path) -> None:
    source = chats(tmp_path, "One", "One")
    before = snapshot(vault.root)
    told = run(vault, ChatGpt(), source, is_dry_run=True)
    assert snapshot(vault.root) == before
    assert told.imported == run(vault, ChatGpt(), source).imported


def test_relations_of_a_memory_file_are_links_that_lead_to_their_notes(vault: Vault, tmp_path: Path) -> None:
    (vault.root / "notes" / "Ann.md").write_text("another Ann\n", encoding="utf-8")
    file = tmp_path / "memory.json"
    lines = [
        {"type": "entity", "name": "Ann", "entityType": "person", "observations": ["likes tea", 3]},
        {"type": "entity", "name": "a/b|c", "entityType": "", "observations": []},
        {"type": "relation", "from": "Ann", "to": "a/b|c", "relationType": "knows"},
        {"type": "relation", "from": "Ann", "to": "Nobody", "relationType": "knows"},
        "no object",
    ]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    report = run(vault, MemoryJson(), file)
    assert report.imported == ("notes/memory/Ann.md", "notes/memory/a b c.md")
    assert "- knows [[a b c|a/b c]]" in (vault.root / "notes/memory/Ann.md").read_text(encoding="utf-8")
    assert len(report.losses) == 3


class TestObsidianVaults:
    @pytest.fixture
    def brain(self, tmp_path: Path) -> Path:
        folder = tmp_path / "brain"
        for path, text in {
            "Home.md": "---\naliases: [Start]  # mine\n---\n[[A]] [[Projects/A]] ![[pic.png]] `[[A]]`\r\n",
            "Projects/A.md": "[[Home]] [[Start|go]] [up](../Home.md#x) [top](/Home.md)\n",
            "toml.md": "+++\ntitle = 'x'\n+++\n[[Home]]\n",
        }.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text.encode())
        (folder / "pic.png").write_bytes(b"\x89PNG\x00")
        (folder / "latin.md").write_bytes(b"caf\xe9\n")
        (folder / ".trash").mkdir()
        return folder

    def test_all_is_copied_below_one_folder_and_only_the_source_is_added(self, vault: Vault, brain: Path) -> None:
        report = run(vault, Obsidian(), brain)
        home = (vault.root / "notes/brain/Home.md").read_bytes().decode()
        head, _, body = home.partition("---\n[[")
        assert head.startswith("---\naliases: [Start]  # mine\nsource: {client: ") and body.startswith(
            "A]] [[Projects/A]]"
        )
        assert (vault.root / "notes/brain/pic.png").read_bytes() == b"\x89PNG\x00"
        assert (vault.root / "notes/brain/toml.md").read_bytes() == (brain / "toml.md").read_bytes()
        assert {loss.where for loss in report.losses} == {".trash", "toml.md"}

    def test_importing_again_changes_nothing(self, vault: Vault, brain: Path) -> None:
        first = run(vault, Obsidian(), brain)
        before = snapshot(vault.root)
        again = run(vault, Obsidian(), brain)
        assert (again.imported, again.already) == ((), len(first.imported))
        assert snapshot(vault.root) == before

    def test_links_do_not_lead_to_notes_of_the_same_name_that_were_here(self, vault: Vault, brain: Path) -> None:
        (vault.root / "notes" / "Home.md").write_text("mine\n", encoding="utf-8")
        (vault.root / "notes" / "A.md").write_text("mine\n", encoding="utf-8")
        run(vault, Obsidian(), brain)
        home = (vault.root / "notes/brain/Home.md").read_text(encoding="utf-8")
        project = (vault.root / "notes/brain/Projects/A.md").read_text(encoding="utf-8")
        assert "[[notes/brain/Projects/A]] [[Projects/A]] ![[pic.png]] `[[A]]`" in home
        assert "[[notes/brain/Home]] [[Start|go]] [up](../Home.md#x) [top](../Home.md)" in project

    def test_a_link_of_a_note_here_that_a_new_note_takes_over_is_told(self, vault: Vault, brain: Path) -> None:
        (vault.root / "notes" / "mine.md").write_text("---\naliases: [toml]\n---\n", encoding="utf-8")
        (vault.root / "ops" / "log.md").write_text("x\n[[toml]]\n", encoding="utf-8")
        report = run(vault, Obsidian(), brain)
        assert [loss.reason for loss in report.losses if loss.where == "ops/log.md"] == [
            "line 2: the link to 'toml' meant notes/mine.md and now means notes/brain/toml.md"
        ]

    @pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may read everything")
    def test_a_note_here_that_cannot_be_read_is_told(self, vault: Vault, brain: Path) -> None:
        hidden = vault.root / "notes" / "hidden.md"
        hidden.write_text("[[toml]]\n", encoding="utf-8")
        hidden.chmod(0)
        report = run(vault, Obsidian(), brain)
        assert report.imported and [loss.where for loss in report.losses if "links" in loss.reason] == [
            "notes/hidden.md"
        ]

    def test_files_that_are_too_large_for_the_index_answer_to_no_link_and_are_told(
        self, vault: Vault, brain: Path
    ) -> None:
        (vault.root / "ori.config.yaml").write_text("index: {max_bytes: 2000}\n", encoding="utf-8")
        large = "[[toml]] " * 300
        (vault.root / "notes" / "large.md").write_text(large, encoding="utf-8")
        (brain / "huge.md").write_text(large, encoding="utf-8")
        (brain / "to.md").write_text("[[large]] [[huge]]", encoding="utf-8")
        report = run(open_vault(vault.root), Obsidian(), brain)
        told = {loss.where: loss.reason for loss in report.losses}
        assert told["notes/large.md"].startswith("it has 2,700 bytes and index.max_bytes allows 2,000")
        assert told["huge.md"] == "too large for a note; it was copied as it is"
        assert "[[large]] [[notes/brain/huge]]" in (vault.root / "notes/brain/to.md").read_text(encoding="utf-8")

    def test_what_was_edited_on_either_side_is_never_overwritten(self, vault: Vault, brain: Path) -> None:
        run(vault, Obsidian(), brain)
        (brain / "Home.md").write_text("changed there\n", encoding="utf-8")
        (brain / "pic.png").write_bytes(b"changed there")
        (vault.root / "notes/brain/Projects/A.md").write_text("changed here\n", encoding="utf-8")
        before = snapshot(vault.root)
        report = run(vault, Obsidian(), brain)
        assert snapshot(vault.root) == before
        assert {"Home.md", "pic.png", "Projects/A.md"} <= {loss.where for loss in report.losses}

    def test_links_of_the_file_system_are_not_followed(self, vault: Vault, brain: Path, tmp_path: Path) -> None:
        (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
        (brain / "out.md").symlink_to(tmp_path / "secret.md")
        report = run(vault, Obsidian(), brain)
        assert not (vault.root / "notes/brain/out.md").exists()
        assert "out.md" in {loss.where for loss in report.losses}

    def test_an_adopted_vault_gets_no_notes_folder(self, brain: Path, tmp_path: Path) -> None:
        (tmp_path / "other").mkdir()
        vault = adopt_vault(tmp_path / "other").vault
        assert "brain/Home.md" in run(vault, Obsidian(), brain).imported

    def test_a_folder_that_the_vault_lies_in_is_refused(self, vault: Vault) -> None:
        for source in (vault.root, vault.root.parent, vault.root / "notes"):
            with pytest.raises(UserError, match="lie in each other"):
                run(vault, Obsidian(), source)
