"""One thing that happened in a session."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping
from typing import Any

from attrs import field

from aries_kernel.values import frozen

__all__ = ["EVIDENCE_KINDS", "Event"]

EVIDENCE_KINDS = ("said", "wrote", "named")
"""Events from which something may be learned; the others say what was found before."""


def _storable(text: str) -> str:
    """No database keeps zero bytes or halves of a sign, and what an environment or a client calls itself may have both.

    One such event would stop all learning of the vault, since the journal is looked at as a whole.
    """
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


@frozen
class Event:
    """One thing that happened."""

    session: str = field(converter=_storable)
    at: datetime.datetime
    kind: str
    data: Mapping[str, Any]
    client: str = field(default="", converter=_storable)
    id: str = field(factory=lambda: os.urandom(16).hex())
    """Tells it from all others, wherever it is noted."""
