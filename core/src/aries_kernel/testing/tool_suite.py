"""The contract of a tool as tests: subclass `ToolSuite`, name the factory and one good call.

    class TestClock(ToolSuite):
        @pytest.fixture
        def factory(self) -> ToolFactory:
            return Clock

        @pytest.fixture
        def good_call(self, context: ToolContext) -> Mapping[str, object]:
            return {"zone": "UTC"}

        bad_calls = ({"zone": "Nowhere"},)

`good_call` may prepare `context.workspace.root` first. Calls of a tool that changes something are really run there.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from aries_kernel.broker.effects import ReachNetwork, ReadPath, RunCommand, WritePath
from aries_kernel.contracts.tool import Tool, ToolContext, ToolFactory, ToolOutput
from aries_kernel.errors import BadArguments, ToolFailed
from aries_kernel.testing.workspaces import make_context
from aries_kernel.tools.output import escape_controls
from aries_kernel.tools.schema import json_schema, parse_arguments

__all__ = ["ToolSuite"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}\Z")
_LONGEST_SCHEMA = 4_000
_HOSTILE = ("", " ", "\0", "\ud800", "\x1b[2J", "a\nb", "x" * 5_000, "~nobody-of-that-name/x", "-", "--", "*", "[", "(")
_CLIMBING = ("../" * 40, "~", "/")
"""Only named, never run: a search of the whole machine takes its time."""


class ToolSuite:
    """What every tool must keep; see the module for how to use it."""

    bad_calls: ClassVar[tuple[Mapping[str, object], ...]] = ()
    """Arguments that fit the schema but cannot work: each must give `ToolFailed` or an error output."""

    @pytest.fixture
    def context(self, tmp_path: Path) -> ToolContext:
        """The context the tool is made from; override it for other limits or another environment."""
        return make_context(tmp_path)

    @pytest.fixture
    def factory(self) -> ToolFactory:
        """What the entry point names."""
        raise NotImplementedError("override the fixture `factory`")

    @pytest.fixture
    def good_call(self, context: ToolContext) -> Mapping[str, object]:
        """Arguments of a call that works."""
        raise NotImplementedError("override the fixture `good_call`")

    @pytest.fixture
    def tool(self, factory: ToolFactory, context: ToolContext) -> Iterator[Tool]:
        """The tool under test, closed at the end."""
        tool = factory(context)
        assert tool is not None, "the fixtures `factory` and `context` must give a tool"
        yield tool
        _close(tool)

    @pytest.fixture
    def arguments(self, tool: Tool, good_call: Mapping[str, object]) -> Any:
        """The good call as the tool receives it."""
        return parse_arguments(tool.arguments, json.dumps(good_call))

    def test_it_has_a_plain_name_a_description_and_says_whether_it_only_reads(self, tool: Tool) -> None:
        assert _NAME.match(tool.name)
        assert tool.description.strip() == tool.description != ""
        assert isinstance(tool.reads_only, bool)

    def test_making_it_touches_nothing(self, factory: ToolFactory, context: ToolContext) -> None:
        before = _snapshot(context)
        factory(context)
        assert _snapshot(context) == before

    def test_its_schema_is_a_plain_object_with_every_argument_described(self, tool: Tool) -> None:
        schema = json_schema(tool.arguments)
        text = json.dumps(schema)
        assert schema["type"] == "object"
        assert not re.search(r'"(\$ref|\$defs|anyOf|oneOf|allOf)"', text)
        properties: Any = schema["properties"]
        assert [name for name, about in properties.items() if not about.get("description")] == []

    def test_what_the_model_reads_before_any_call_is_short(self, tool: Tool) -> None:
        assert len(tool.description) + len(json.dumps(json_schema(tool.arguments))) < _LONGEST_SCHEMA

    def test_an_unknown_argument_is_refused_by_name(self, tool: Tool, good_call: Mapping[str, object]) -> None:
        with pytest.raises(BadArguments, match="no_such_argument"):
            parse_arguments(tool.arguments, json.dumps({**good_call, "no_such_argument": 1}))

    def test_each_required_argument_is_asked_for_by_name(self, tool: Tool, good_call: Mapping[str, object]) -> None:
        required: Any = json_schema(tool.arguments)["required"]
        for name in required:
            less = {key: value for key, value in good_call.items() if key != name}
            with pytest.raises(BadArguments, match=name):
                parse_arguments(tool.arguments, json.dumps(less))

    def test_effects_are_known_kinds_and_change_nothing(self, tool: Tool, arguments: Any, context: ToolContext) -> None:
        before = _snapshot(context)
        effects = tool.effects(arguments)
        assert all(isinstance(effect, ReadPath | WritePath | RunCommand | ReachNetwork) for effect in effects)
        assert _snapshot(context) == before

    def test_a_tool_that_only_reads_names_no_write_and_changes_no_file(
        self, tool: Tool, arguments: Any, context: ToolContext
    ) -> None:
        if not tool.reads_only:
            return
        before = _snapshot(context)
        assert not any(isinstance(effect, WritePath) for effect in tool.effects(arguments))
        assert _run(tool, arguments).changed == ()
        assert _snapshot(context) == before

    def test_a_good_call_gives_text_within_the_limits(self, tool: Tool, arguments: Any, context: ToolContext) -> None:
        output = _run(tool, arguments)
        assert not output.is_error, output.text
        assert output.text
        assert len(output.text.encode()) <= context.limits.max_bytes
        assert len(output.text.splitlines()) <= context.limits.max_lines
        assert output.text == escape_controls(output.text)

    def test_every_changed_file_was_named_before(self, tool: Tool, arguments: Any, context: ToolContext) -> None:
        effects = tool.effects(arguments)
        if any(isinstance(effect, RunCommand) for effect in effects):
            return  # A command's changes cannot be known before.
        named = {context.workspace.locate(one.path).real for one in effects if isinstance(one, WritePath)}
        changed = {context.workspace.locate(path).real for path in _run(tool, arguments).changed}
        assert changed <= named

    def test_calls_that_cannot_work_fail_with_a_reason(self, tool: Tool, good_call: Mapping[str, object]) -> None:
        for bad in self.bad_calls:
            arguments = parse_arguments(tool.arguments, json.dumps(bad))
            try:
                tool.effects(arguments)
                output = _run(tool, arguments)
            except (ToolFailed, BadArguments) as error:
                assert str(error).strip()
            else:
                assert output.is_error and output.text.strip(), bad

    def test_hostile_texts_raise_nothing_but_tool_errors(self, tool: Tool, good_call: Mapping[str, object]) -> None:
        for name, value in good_call.items():
            for text in (*_HOSTILE, *_CLIMBING) if isinstance(value, str) else ():
                try:
                    arguments = parse_arguments(tool.arguments, json.dumps({**good_call, name: text}))
                    tool.effects(arguments)
                    if tool.reads_only and text not in _CLIMBING:
                        _run(tool, arguments)
                except (ToolFailed, BadArguments) as error:
                    assert str(error).strip()

    def test_calls_side_by_side_do_not_disturb_each_other(self, tool: Tool, arguments: Any) -> None:
        if not tool.reads_only:
            return

        async def together() -> list[ToolOutput]:
            return list(await asyncio.gather(*(tool.run(arguments) for _ in range(3))))

        assert len({output.text for output in asyncio.run(together())}) == 1

    def test_a_cancelled_call_leaves_no_process_behind(self, tool: Tool, arguments: Any) -> None:
        before = _children()

        async def cancelled() -> None:
            task = asyncio.create_task(tool.run(arguments))
            for _ in range(3):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait({task}, timeout=5)
            assert task.done(), "a cancelled call must end"

        asyncio.run(cancelled())
        _close(tool)
        assert _children() <= before


def _run(tool: Tool, arguments: Any) -> ToolOutput:
    output = asyncio.run(tool.run(arguments))
    assert isinstance(output, ToolOutput)
    return output


def _close(tool: Tool) -> None:
    closing = getattr(tool, "close", None)
    if closing is not None:
        asyncio.run(closing())


def _snapshot(context: ToolContext) -> dict[str, object]:
    root = context.workspace.root
    return {
        str(path.relative_to(root)): (path.lstat().st_mode, path.lstat().st_mtime_ns, path.lstat().st_size)
        for path in sorted(root.rglob("*"))
    }


def _children() -> set[str]:
    """Child processes of this one, where the system lists them."""
    lists = Path("/proc/self/task").glob("*/children") if Path("/proc/self/task").is_dir() else ()
    return {child for file in lists for child in file.read_text(encoding="ascii").split()}
