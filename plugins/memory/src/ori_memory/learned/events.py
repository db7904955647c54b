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


@frozen
class Event:
    """One thing that happened."""

    session: str
    at: datetime.datetime
    kind: str
    data: Mapping[str, Any]
    client: str = ""
    id: str = field(factory=lambda: os.urandom(16).hex())
    """Tells it from all others, wherever it is noted."""
