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
    from cattrs.errors import ClassValidationError, IterableValidationError

    from aries_kernel.errors import ConfigError
    from aries_kernel.settings.layers import attributes_of, told, unknown_key
    from aries_kernel.structuring import problems_of, strict_converter

    place, known = str(root / CONFIG_NAME), attributes_of(kind)
    try:
        return strict_converter().structure(dict(given), kind)
    except (ClassValidationError, IterableValidationError) as error:
        problems = [((*where, *path), text) for path, text in problems_of(error)]
        raise ConfigError(
            told(place, path, text) if text else unknown_key(place, path, known).replace(", ignored", "")
            for path, text in problems
        ) from error
