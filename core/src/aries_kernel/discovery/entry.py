"""One entry point of an installed distribution, and whether it is used."""

from __future__ import annotations

import re
from enum import StrEnum

from aries_kernel.values import frozen

__all__ = ["Entry", "State", "normalised"]


class State(StrEnum):
    """Whether an entry point is used."""

    ENABLED = "enabled"
    OFF = "off"
    """Somebody switched it off."""
    DUPLICATE = "duplicate"
    """Another one has the same name in the same group; neither is used."""
    INCOMPATIBLE = "incompatible"
    """Made for another version of the kernel."""


@frozen
class Entry:
    """An entry point. `reason` says why it is not used; empty where it is."""

    group: str
    name: str
    value: str
    """What is loaded: `module:attribute` or `module`."""
    distribution: str
    version: str
    state: State = State.ENABLED
    reason: str = ""


def normalised(name: str) -> str:
    """A distribution's name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()
