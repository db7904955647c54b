"""Settings that a plugin of the vault defines for itself."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ori_memory.vault.vault import CONFIG_NAME

__all__ = ["plugin_options"]


def plugin_options(root: Path, where: tuple[str, ...], kind: type[Any], given: Mapping[str, object]) -> Any:
    """What stands at `where` in the settings of the vault at `root`, as the plugin's own type.

    Raises: ConfigError with every wrong value, and for an unknown key the nearest known one.
    """
    if not given:
        return kind()
    from aries_kernel.settings.layers import structure_given

    return structure_given(str(root / CONFIG_NAME), where, kind, given)
