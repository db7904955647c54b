"""Plugins made on the spot, registered as if entry points had named them."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from aries_kernel.discovery.entry import Entry
from aries_kernel.discovery.plugins import HookManager
from aries_kernel.discovery.report import Report
from aries_kernel.events import Events
from aries_kernel.hookspecs import hookimpl

Connect = Callable[..., tuple[Events, Report]]


@pytest.fixture
def connect() -> Connect:
    """`connect(weather=[function, ...], ...)`: one plugin for each distribution."""

    def make(**plugins: list[Callable[..., object]]) -> tuple[Events, Report]:
        manager, report = HookManager(), Report()
        for distribution, functions in plugins.items():
            plugin = ModuleType(distribution)
            plugin.__dict__.update({function.__name__: hookimpl(function) for function in functions})
            name = f"{distribution}/hooks"
            manager.register(plugin, name)
            manager.entries[name] = Entry("aries.plugins", "hooks", "m", distribution, "1.0")
        return Events(manager, report), report

    return make
