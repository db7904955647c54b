"""What `/props` says."""

from __future__ import annotations

import json
from collections.abc import Mapping

from attrs import frozen

from aries_provider_http.counts import read_count

__all__ = ["Properties", "read_properties"]


@frozen
class Properties:
    """None: the server does not say."""

    window: int | None = None
    """Tokens that one conversation may have."""
    has_images: bool | None = None


def read_properties(body: bytes) -> Properties:
    """Whatever is not as expected counts as not said: the page is a help, and its form has changed before."""
    try:
        record = json.loads(body)
    except (ValueError, RecursionError):
        return Properties()
    window = _member(_member(record, "default_generation_settings"), "n_ctx")
    sees = _member(_member(record, "modalities"), "vision")
    return Properties(
        read_count(window) or None,
        sees if isinstance(sees, bool) else None,
    )


def _member(record: object, name: str) -> object:
    return record.get(name) if isinstance(record, Mapping) else None
