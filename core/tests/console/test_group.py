"""A command line over entry points: built-in commands run at once, the others are looked for."""

from __future__ import annotations

import click
import pytest

from aries_kernel.console.group import EntryPointGroup
from aries_kernel.discovery.registry import Plugins
from aries_kernel.errors import UserError


def _never() -> Plugins:
    raise AssertionError("nothing was to be looked for")


def group(plugins: object) -> EntryPointGroup:
    return EntryPointGroup(
        "tool",
        entry_points="ori.commands",
        owner="nobody",
        plugins=plugins,  # type: ignore[arg-type]  # a function of no arguments, as both are
        exit_codes={},
        built_in={"hello": f"{__name__}:hello"},
        elsewhere={"hallo": "tool hello"},
    )


@click.command()
def hello() -> int:
    """Greet."""
    return 7


def test_a_built_in_command_runs_without_a_look_at_what_is_installed() -> None:
    assert group(_never).main(["hello"], standalone_mode=False) == 7


def test_any_other_name_is_looked_for() -> None:
    with pytest.raises(AssertionError, match="nothing was to be looked for"):
        group(_never).main(["other"], standalone_mode=False)


def test_a_name_from_elsewhere_is_told_and_no_lookalike_is_proposed() -> None:
    none = Plugins.discover(search_path=[])
    with pytest.raises(UserError, match=r"There is no command 'hallo': it is `tool hello`\.$"):
        group(lambda: none).main(["hallo"], standalone_mode=False)
