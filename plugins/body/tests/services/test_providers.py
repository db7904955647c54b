"""Groups of operations that plugins bring: found by their entry points, each failing alone."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from aries_body.services.providers import groups_with, providers_for
from aries_kernel.contracts.body import Group, GroupContext, Operation
from aries_kernel.errors import ConfigError, PluginError, Refused, UnknownName


class Weather:
    """A group as a plugin brings it."""

    group = Group("weather", "what it will be like", (Operation("today", "()", "str", "Today."),))

    def __init__(self, context: GroupContext) -> None:
        self.context = context

    def stale(self) -> None:
        return

    async def close(self) -> None:
        return

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        return f"rain in {self.context.options.get('place', 'nowhere')}"


def wrong_option(context: GroupContext) -> Weather:
    """A plugin whose settings are wrong."""
    raise ConfigError(["settings: body.groups.weather.plce is unknown."])


def broken(context: GroupContext) -> Weather:
    """A plugin with a defect."""
    raise RuntimeError("it fell over")


class Source:
    """Plugins by name; an exception is raised when it is loaded."""

    def __init__(self, **plugins: Any) -> None:
        self.plugins = plugins

    def names(self, group: str) -> tuple[str, ...]:
        return tuple(sorted(self.plugins)) if group == "aries.body_groups" else ()

    def load(self, group: str, name: str) -> object:
        found = self.plugins.get(name)
        if found is None:
            raise UnknownName("group", name, self.plugins)
        if isinstance(found, Exception):
            raise found
        return found


def _groups(folder: Path, source: Source | None, **options: Mapping[str, object]) -> dict[str, Group]:
    providers = providers_for(GroupContext(folder, {}, folder), source, options)
    return {group.name: group for group in groups_with(providers) if group.name}


def test_what_is_installed_is_found_and_given_its_settings(tmp_path: Path) -> None:
    source = Source(weather=Weather)
    assert _groups(tmp_path, source)["weather"] is Weather.group
    context = GroupContext(tmp_path, {}, tmp_path)
    [_, provider] = providers_for(context, source, {"weather": {"place": "Rome"}})
    assert asyncio.run(provider.call("today", {})) == "rain in Rome"


@pytest.mark.parametrize(
    ("plugin", "told"),
    [
        (PluginError("importing it failed", distribution="x", entry_point="weather"), "importing it failed"),
        (wrong_option, "body.groups.weather.plce is unknown"),
        (broken, "its plugin fails: RuntimeError: it fell over"),
        (lambda context: None, "its plugin fails: AttributeError"),
    ],
)
def test_one_that_fails_is_missing_with_the_reason_and_the_others_are_there(
    tmp_path: Path, plugin: Any, told: str
) -> None:
    found = _groups(tmp_path, Source(weather=plugin, other=type("Other", (Weather,), {"group": Group("other", "x")})))
    assert told in str(found["weather"].absent) and found["other"].absent is None and found["codebase"].operations
    provider = providers_for(GroupContext(tmp_path, {}, tmp_path), Source(weather=plugin), {})[1]
    with pytest.raises(Refused, match=r"weather\.today"):
        asyncio.run(provider.call("today", {}))


def test_one_that_calls_itself_differently_is_missing(tmp_path: Path) -> None:
    assert "it calls itself 'weather'" in str(_groups(tmp_path, Source(wether=Weather))["wether"].absent)


def test_names_of_the_body_are_not_given_away(tmp_path: Path) -> None:
    plain = _groups(tmp_path, None)
    assert _groups(tmp_path, Source(codebase=Weather, fs=Weather, state=broken)) == plain
    assert "pip install ori-memory" in str(plain["vault"].absent)
