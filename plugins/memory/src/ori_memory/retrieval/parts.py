"""Signals and stages of a vault's settings, loaded when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aries_kernel.discovery.registry import Plugins
from ori_memory.vault.options import plugin_options
from ori_memory.vault.vault import Vault

__all__ = ["SIGNALS", "STAGES", "Parts"]

SIGNALS, STAGES = "ori.signals", "ori.stages"


class Parts:
    """Makes each part once. May be shared by several threads that ask for different parts."""

    def __init__(self, plugins: Callable[[], Plugins], vault: Vault) -> None:
        self._plugins, self._root, self._settings = plugins, vault.root, vault.config.retrieval
        self._made: dict[tuple[str, str], Any] = {}

    def names(self) -> tuple[str, ...]:
        """Those of the settings, and those that are installed."""
        drivers = self._plugins().drivers
        known = {*self._settings.signals, *self._settings.stages, *drivers.names(SIGNALS), *drivers.names(STAGES)}
        return tuple(sorted(known))

    def load(self, group: str, name: str) -> Any:
        """The part of that name. Raises: UnknownName, PluginError, ConfigError for wrong options."""
        key = (group, name)
        if key not in self._made:
            factory: Any = self._plugins().drivers.load(group, name)
            given = self._settings.options.get(name, {})
            where = ("retrieval", "options", name)
            self._made[key] = factory(plugin_options(self._root, where, factory.options_type, given))
        return self._made[key]
