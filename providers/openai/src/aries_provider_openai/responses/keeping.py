"""What is kept of an answer so that it can go back: reasoning items as they came, and who followed them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from aries_kernel.model.messages import Reasoning

__all__ = ["Follower", "Kept", "read_kept"]


@frozen
class Follower:
    """The item after a reasoning item; the server wants to see both or none."""

    kind: str
    id: str | None = None
    phase: str | None = None
    """Whether a message is a commentary or the answer; the server wants it back."""

    @classmethod
    def of(cls, item: Mapping[str, object]) -> Follower:
        """What is to be kept of an item besides its text."""
        found = {name: item.get(name) for name in ("type", "id", "phase")}
        kind, id_, phase = (value if isinstance(value, str) and value else None for value in found.values())
        return cls(kind or "", id_, phase)


@frozen
class Kept:
    """The `opaque` of a part of reasoning. Without an `item` it only tells of the part that follows."""

    item: dict[str, Any] | None = None
    follower: Follower | None = None

    def as_opaque(self) -> str:
        """For `Reasoning.opaque`."""
        record: dict[str, object] = {"item": self.item} if self.item else {}
        if self.follower is not None:
            one = self.follower
            record["follower"] = {"type": one.kind, "id": one.id, "phase": one.phase}
        return json.dumps(record, ensure_ascii=False)


def read_kept(part: Reasoning, provider: str, model: str) -> Kept | None:
    """None for reasoning of another model, or of another wire format."""
    if (part.provider, part.model) != (provider, model):
        return None
    try:
        record = json.loads(part.opaque or "")
    except (ValueError, RecursionError):
        return None  # Not written by us: the server would not know it.
    if not isinstance(record, dict):
        return None
    item, follower = record.get("item"), record.get("follower")
    # Without its encrypted content the server looks for the item in a store that we told it not to use.
    is_whole = isinstance(item, dict) and item.get("type") == "reasoning" and item.get("encrypted_content")
    return Kept(
        item if is_whole and isinstance(item, dict) else None,
        Follower.of(follower) if isinstance(follower, dict) else None,
    )
