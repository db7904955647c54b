"""A workspace and short calls of the tools."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from aries_kernel.contracts.tool import Tool, ToolContext, ToolOutput
from aries_kernel.testing.workspaces import make_context
from aries_kernel.tools.schema import parse_arguments
from aries_tool_files.edit import Edit
from aries_tool_files.glob import Glob
from aries_tool_files.grep import Grep
from aries_tool_files.read import Read
from aries_tool_files.write import Write


class Bench:
    """The five tools on one workspace."""

    def __init__(self, context: ToolContext) -> None:
        self.context = context
        self.root = context.workspace.root
        tools: list[Tool] = [Read(context), Write(context), Edit(context), Glob(context), Grep(context)]
        self.tools = {tool.name: tool for tool in tools}

    def output(self, name: str, **arguments: object) -> ToolOutput:
        """Call as the loop does: parse, ask for effects, run."""
        tool = self.tools[name]
        parsed = parse_arguments(tool.arguments, json.dumps(arguments))
        tool.effects(parsed)
        return asyncio.run(tool.run(parsed))

    def text(self, name: str, **arguments: object) -> str:
        return self.output(name, **arguments).text

    def file(self, path: str, data: bytes) -> Path:
        """Make a file with its folders."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        return file


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(make_context(tmp_path))


@pytest.fixture(scope="session")
def make_bench() -> Callable[[ToolContext], Bench]:
    """For tests that need another context."""
    return Bench
