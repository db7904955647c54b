"""The tool Repl keeps the contract of tools."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from aries_body.tool import Repl, ReplArguments, UnconfinedRepl, make_repl
from aries_kernel.broker.effects import RunCommand
from aries_kernel.contracts.tool import ToolContext, ToolFactory, ToolOutput
from aries_kernel.errors import BadArguments
from aries_kernel.testing.tool_suite import ToolSuite
from aries_kernel.testing.workspaces import make_context


class TestRepl(ToolSuite):
    bad_calls = ({"code": "1 / 0"}, {"code": "x = = 1"}, {"code": "fs.read('none')"})

    @pytest.fixture
    def factory(self) -> ToolFactory:
        return make_repl

    @pytest.fixture
    def good_call(self, context: ToolContext) -> Mapping[str, object]:
        return {"code": "print('hello')\n40 + 2"}


def _run(tool: Repl, *codes: str) -> list[ToolOutput]:
    async def all_of_them() -> list[ToolOutput]:
        try:
            return [await tool.run(ReplArguments(code)) for code in codes]
        finally:
            await tool.close()

    return asyncio.run(all_of_them())


@pytest.fixture
def tool(tmp_path: Path) -> Repl:
    made = make_repl(make_context(tmp_path))
    assert isinstance(made, Repl)
    return made


def test_variables_stay_between_calls_and_prints_and_values_are_shown(tool: Repl) -> None:
    first, second = _run(tool, "x = 20\nprint('hello')\nx", "x * 2")
    assert (first.text, second.text) == ("hello\n20", "40")


def test_what_does_nothing_says_so_and_what_is_done_is_told(tool: Repl) -> None:
    quiet, done, rows = _run(tool, "x = 1", "done('the answer')", "print('on the way')\ndone([1, 2])\nprint('never')")
    assert (quiet.text, done.text, done.is_error) == ("[no output]", "the answer", False)
    assert (rows.text, dict(rows.details), dict(quiet.details)) == ("on the way\n[1, 2]", {"done": [1, 2]}, {})


def test_a_process_that_ends_is_an_error_that_names_what_is_lost(tool: Repl) -> None:
    _, died, after = _run(tool, "x = 1\ng = (i for i in [])", "import os; os._exit(3)", "x")
    assert died.is_error and "lost: g (generator)" in died.text and "kept: x" in died.text
    assert after.text == "1"


def test_long_output_is_kept_in_a_file(tool: Repl) -> None:
    [output] = _run(tool, "for i in range(20_000): print('line', i)")
    assert "left out" in output.text and len(output.text) < 31_000


def test_a_time_limit_out_of_bounds_is_refused(tool: Repl) -> None:
    for seconds in (0, -1, 601, float("nan")):
        with pytest.raises(BadArguments, match="seconds"):
            tool.effects(ReplArguments("1", seconds))


def test_code_that_nothing_confines_is_a_command_in_doubt(tmp_path: Path) -> None:
    tool = UnconfinedRepl(make_context(tmp_path))
    [effect] = tool.effects(ReplArguments("import os"))
    assert isinstance(effect, RunCommand) and effect.doubt is not None and not tool.reads_only
