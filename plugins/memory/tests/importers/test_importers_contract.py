"""Every importer of ours keeps the contract."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from aries_kernel.contracts.importer import Importer
from aries_kernel.testing.importer_suite import ImporterSuite
from ori_memory.importers.chatgpt import ChatGpt
from ori_memory.importers.claude import Claude
from ori_memory.importers.memory_json import MemoryJson
from ori_memory.importers.obsidian import Obsidian


class TestObsidian(ImporterSuite):
    @pytest.fixture
    def importer(self) -> Importer:
        return Obsidian()

    @pytest.fixture
    def source(self, tmp_path: Path) -> Path:
        folder = tmp_path / "brain"
        (folder / "Projects").mkdir(parents=True)
        (folder / "Home.md").write_text("[[Projects/A]]\n", encoding="utf-8")
        (folder / "Projects" / "A.md").write_text("# A\n", encoding="utf-8")
        (folder / "picture.png").write_bytes(b"\x89PNG")
        (folder / ".obsidian").mkdir()
        return folder


class TestChatGpt(ImporterSuite):
    @pytest.fixture
    def importer(self) -> Importer:
        return ChatGpt()

    @pytest.fixture
    def source(self, tmp_path: Path) -> Path:
        message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["Hello", None]}}
        mapping = {"r": {"message": None, "parent": None}, "a": {"message": message, "parent": "r"}}
        data = [{"conversation_id": "c1", "title": "Greeting", "mapping": mapping, "current_node": "a"}]
        return _zip(tmp_path / "export.zip", data)


class TestClaude(ImporterSuite):
    @pytest.fixture
    def importer(self) -> Importer:
        return Claude()

    @pytest.fixture
    def source(self, tmp_path: Path) -> Path:
        message = {"uuid": "m1", "sender": "human", "text": "Hello", "created_at": "2026-01-02T03:04:05.6Z"}
        return _zip(tmp_path / "export.zip", [{"uuid": "c1", "name": "Greeting", "chat_messages": [message]}])


class TestMemoryJson(ImporterSuite):
    @pytest.fixture
    def importer(self) -> Importer:
        return MemoryJson()

    @pytest.fixture
    def source(self, tmp_path: Path) -> Path:
        file = tmp_path / "memory.jsonl"
        lines = [
            {"type": "entity", "name": "Ann", "entityType": "person", "observations": ["likes tea"]},
            {"type": "entity", "name": "C#/Net", "entityType": "thing", "observations": []},
            {"type": "relation", "from": "Ann", "to": "C#/Net", "relationType": "uses"},
        ]
        file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        return file


def _zip(path: Path, conversations: object) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps(conversations))
    return path
