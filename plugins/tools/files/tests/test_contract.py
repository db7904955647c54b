"""Every tool keeps the contract, and together they are small."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import entry_points

import pytest

from aries_kernel.contracts.tool import ToolContext, ToolFactory
from aries_kernel.testing.tool_suite import ToolSuite
from aries_kernel.tools.schema import json_schema
from aries_tool_files.edit import Edit
from aries_tool_files.glob import Glob
from aries_tool_files.grep import Grep
from aries_tool_files.read import Read
from aries_tool_files.write import Write

TOOLS = (Read, Write, Edit, Glob, Grep)


def test_the_five_schemas_together_stay_below_2800_characters() -> None:
    whole = [
        {"name": tool.name, "description": tool.description, "parameters": json_schema(tool.arguments)}
        for tool in TOOLS
    ]
    assert len(json.dumps(whole)) < 2_800


def test_the_entry_points_name_the_five_tools() -> None:
    found = {
        point.name: point.load() for point in entry_points(group="aries.tools") if "aries_tool_files" in point.value
    }
    assert found == {tool.name: tool for tool in TOOLS}


class TestRead(ToolSuite):
    bad_calls = ({"path": "missing"}, {"path": "."}, {"path": ""}, {"path": "a.txt", "offset": 0})

    @pytest.fixture
    def factory(self) -> ToolFactory:
        return Read

    @pytest.fixture
    def good_call(self, context: ToolContext) -> Mapping[str, object]:
        (context.workspace.root / "a.txt").write_bytes(b"one\r\n\x1b[2J\xff\n" + b"y\n" * 100_000)
        return {"path": "a.txt"}


class TestWrite(ToolSuite):
    bad_calls = ({"path": ".", "content": ""}, {"path": "a/", "content": ""}, {"path": "a", "content": "\ud800"})

    @pytest.fixture
    def factory(self) -> ToolFactory:
        return Write

    @pytest.fixture
    def good_call(self) -> Mapping[str, object]:
        return {"path": "new/folder/a.txt", "content": "text\n"}


class TestEdit(ToolSuite):
    bad_calls = (
        {"path": "a.txt", "old": "absent", "new": "x"},
        {"path": "a.txt", "old": "one", "new": "one"},
        {"path": "a.txt", "old": "", "new": "x"},
        {"path": "missing", "old": "a", "new": "b"},
    )

    @pytest.fixture
    def factory(self) -> ToolFactory:
        return Edit

    @pytest.fixture
    def good_call(self, context: ToolContext) -> Mapping[str, object]:
        (context.workspace.root / "a.txt").write_text("one\ntwo\n", encoding="utf-8")
        return {"path": "a.txt", "old": "one", "new": "1"}


class TestGlob(ToolSuite):
    bad_calls = ({"pattern": ""}, {"pattern": "["}, {"pattern": "*", "path": "missing"}, {"pattern": "*/../x"})

    @pytest.fixture
    def factory(self) -> ToolFactory:
        return Glob

    @pytest.fixture
    def good_call(self, context: ToolContext) -> Mapping[str, object]:
        for number in range(1_200):
            (context.workspace.root / f"{number}\x1b\u202e.txt").touch()
        return {"pattern": "*.txt"}


class TestGrep(ToolSuite):
    bad_calls = (
        {"pattern": "("},
        {"pattern": ""},
        {"pattern": r"\p{L}"},
        {"pattern": "[[:alpha:]]"},
        {"pattern": "x", "path": "missing"},
        {"pattern": "x", "context": -1},
    )

    @pytest.fixture
    def factory(self) -> ToolFactory:
        return Grep

    @pytest.fixture
    def good_call(self, context: ToolContext) -> Mapping[str, object]:
        (context.workspace.root / "a.txt").write_bytes(b"x\x1b[2J\x07\n" * 5_000)
        (context.workspace.root / "b.txt").write_bytes(b"x" * 2_000_000)
        return {"pattern": "x", "path": ".", "context": 1}
