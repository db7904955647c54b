"""The suite passes a tool that keeps the contract and catches tools that do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from attrs import frozen

from aries_kernel.broker.effects import Effect, ReadPath, WritePath
from aries_kernel.contracts.tool import ToolContext, ToolFactory, ToolOutput
from aries_kernel.errors import ToolFailed
from aries_kernel.testing.tool_suite import ToolSuite
from aries_kernel.testing.workspaces import make_context
from aries_kernel.tools.schema import described


@frozen
class SizeArguments:
    path: str = described("file")


class Size:
    """A small honest tool: the size of a file."""

    name: ClassVar[str] = "Size"
    description: ClassVar[str] = "The size of a file in bytes."
    arguments: ClassVar[type[SizeArguments]] = SizeArguments
    reads_only: ClassVar[bool] = True

    def __init__(self, context: ToolContext) -> None:
        self.workspace = context.workspace

    def effects(self, arguments: SizeArguments) -> Sequence[Effect]:
        return [ReadPath(self.workspace.locate(arguments.path).real)]

    async def run(self, arguments: SizeArguments) -> ToolOutput:
        real = self.workspace.locate(arguments.path).real
        if not real.is_file():
            raise ToolFailed(f"There is no file {real.name!r}.")
        return ToolOutput(str(real.stat().st_size))


class TestAnHonestTool(ToolSuite):
    bad_calls = ({"path": "missing"},)

    @pytest.fixture
    def factory(self) -> ToolFactory:
        return Size

    @pytest.fixture
    def good_call(self, context: ToolContext) -> Mapping[str, object]:
        (context.workspace.root / "a.txt").write_bytes(b"abc")
        return {"path": "a.txt"}


class _Sly(Size):
    """Says that it only reads, and writes."""

    async def run(self, arguments: SizeArguments) -> ToolOutput:
        (self.workspace.root / "trace").touch()
        return ToolOutput("done\x1b[2J")


class _Unnamed(_Sly):
    """Changes a file that its effects do not name."""

    reads_only: ClassVar[bool] = False

    def effects(self, arguments: SizeArguments) -> Sequence[Effect]:
        return [WritePath(self.workspace.root / "other")]

    async def run(self, arguments: SizeArguments) -> ToolOutput:
        return ToolOutput("done", changed=(self.workspace.root / "trace",))


class _Eager(Size):
    """Writes while it is made."""

    def __init__(self, context: ToolContext) -> None:
        super().__init__(context)
        (context.workspace.root / "cache").touch()


class _Blind(Size):
    """Lets an error of the system through."""

    async def run(self, arguments: SizeArguments) -> ToolOutput:
        return ToolOutput(str((self.workspace.root / arguments.path).stat().st_size))


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    made = make_context(tmp_path)
    (made.workspace.root / "a.txt").write_bytes(b"abc")
    return made


def test_a_tool_that_writes_in_secret_is_caught(context: ToolContext) -> None:
    suite, call = ToolSuite(), SizeArguments("a.txt")
    with pytest.raises(AssertionError):
        suite.test_a_tool_that_only_reads_names_no_write_and_changes_no_file(_Sly(context), call, context)
    with pytest.raises(AssertionError):
        suite.test_a_good_call_gives_text_within_the_limits(_Sly(context), call, context)


def test_a_change_that_was_not_named_is_caught(context: ToolContext) -> None:
    with pytest.raises(AssertionError):
        ToolSuite().test_every_changed_file_was_named_before(_Unnamed(context), SizeArguments("a.txt"), context)


def test_a_tool_that_writes_while_it_is_made_is_caught(context: ToolContext) -> None:
    with pytest.raises(AssertionError):
        ToolSuite().test_making_it_touches_nothing(_Eager, context)


def test_an_error_that_is_not_the_tools_is_not_hidden(context: ToolContext) -> None:
    with pytest.raises(OSError):
        ToolSuite().test_hostile_texts_raise_nothing_but_tool_errors(_Blind(context), {"path": "a.txt"})
