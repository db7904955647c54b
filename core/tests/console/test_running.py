"""A command line that was not finished is told what is missing."""

from __future__ import annotations

import click
import pytest

from aries_kernel.console.running import USER_ERROR, run_command_line


@click.group()
def tool() -> None:
    """Do things."""


@tool.group()
def inner() -> None:
    """Do more."""


@inner.command()
def hello() -> None:
    """Greet."""


@pytest.mark.parametrize(("arguments", "told"), [((), "inner"), (("inner",), "hello")])
def test_a_group_alone_shows_its_help_and_says_which_commands_there_are(
    arguments: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    failures: list[str] = []
    code = run_command_line(tool, arguments, "tool", lambda message, code: failures.append(message))
    assert code == USER_ERROR
    assert failures == [f"{' '.join(('tool', *arguments))} needs a command: {told}."]
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("Usage: tool") and shown.err.rstrip().endswith(failures[0])
