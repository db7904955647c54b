"""Signals and stages of a vault's settings, loaded when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from aries_kernel.discovery.registry import Plugins
from aries_kernel.errors import ConfigError
from ori_memory.vault.config import Retrieval

__all__ = ["SIGNALS", "STAGES", "Parts"]

SIGNALS, STAGES = "ori.signals", "ori.stages"


class Parts:
    """Makes each part once. May be shared by several threads that ask for different parts."""

    def __init__(self, plugins: Callable[[], Plugins], settings: Retrieval) -> None:
        self._plugins, self._settings = plugins, settings
        self._made: dict[tuple[str, str], Any] = {}

    def load(self, group: str, name: str) -> Any:
        """The part of that name. Raises: UnknownName, PluginError, ConfigError for wrong options."""
        key = (group, name)
        if key not in self._made:
            factory: Any = self._plugins().drivers.load(group, name)
            self._made[key] = factory(_options(factory.options_type, name, self._settings.options.get(name, {})))
        return self._made[key]


def _options(kind: type[Any], name: str, given: Mapping[str, object]) -> Any:
    if not given:
        return kind()
    from cattrs.errors import ClassValidationError, IterableValidationError

    from aries_kernel.structuring import problems_of, strict_converter

    try:
        return strict_converter().structure(dict(given), kind)
    except (ClassValidationError, IterableValidationError) as error:
        known = ", ".join(attribute.name for attribute in attrs.fields(kind)) or "none"
        raise ConfigError(
            f"ori.config.yaml: retrieval.options.{'.'.join((name, *path))} {text or f'is unknown; known are {known}'}"
            for path, text in problems_of(error)
        ) from error
