"""One output item of a response while it grows; whatever did not come in pieces is taken from the whole item."""

from __future__ import annotations

import json
from collections.abc import Mapping

from aries_kernel.errors import StreamCut
from aries_kernel.model.stream import CallPiece, ReasoningPiece, StreamPiece, TextPiece
from aries_provider_http.text_joiner import TextJoiner
from aries_provider_openai.responses.keeping import Follower, Kept

__all__ = ["CallItem", "Item", "MessageItem", "ReasoningItem"]

Record = Mapping[str, object]


class MessageItem:
    """Text for the person."""

    def __init__(self) -> None:
        self._joiner = TextJoiner()
        self._has_text = False
        self.has_refusal = False

    def add(self, text: str, *, is_refusal: bool = False) -> list[StreamPiece]:
        self._has_text = self._has_text or bool(text)
        self.has_refusal = self.has_refusal or (is_refusal and bool(text))
        ready = self._joiner.add(text)
        return [TextPiece(ready)] if ready else []

    def end(self, item: Record) -> list[StreamPiece]:
        found: list[StreamPiece] = []
        if not self._has_text:
            for part in _listed(item.get("content")):
                found += self.add(_text(part.get("text")))
                found += self.add(_text(part.get("refusal")), is_refusal=True)
        rest = self._joiner.end()
        return [*found, *([TextPiece(rest)] if rest else [])]


class CallItem:
    """A call."""

    def __init__(self, number: int, name: str, wire_id: str | None) -> None:
        self._key = f"call-{number}"
        self._name, self._wire_id = name, wire_id
        self._pieces: list[str] = []
        self._joiner = TextJoiner()

    def start(self) -> list[StreamPiece]:
        return [CallPiece(self._key, self._name, "", self._wire_id)]

    def add(self, arguments: str) -> list[StreamPiece]:
        self._pieces.append(arguments)
        ready = self._joiner.add(arguments)
        return [CallPiece(self._key, arguments=ready)] if ready else []

    def end(self, item: Record) -> list[StreamPiece]:
        whole = _text(item.get("arguments"))
        had = "".join(self._pieces)
        if had and whole and not _are_equal(had, whole):
            raise StreamCut("The pieces of a call are not the call that the server says it sent; nothing of it ran.")
        found = [] if had else self.add(whole)
        rest = self._joiner.end()
        return [*found, *([CallPiece(self._key, arguments=rest)] if rest else [])]


class ReasoningItem:
    """Reasoning; its item is kept as it came, and the follower is added when it is known."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._joiner = TextJoiner()
        self._has_text = False
        self._item: dict[str, object] | None = None

    def add(self, text: str) -> list[StreamPiece]:
        self._has_text = self._has_text or bool(text)
        ready = self._joiner.add(text)
        return [ReasoningPiece(ready, self._number)] if ready else []

    def part(self) -> list[StreamPiece]:
        """A new paragraph of the summary begins."""
        return self.add("\n\n") if self._has_text else []

    def end(self, item: Record) -> list[StreamPiece]:
        found: list[StreamPiece] = []
        if not self._has_text:
            parts = [*_listed(item.get("summary")), *_listed(item.get("content"))]
            found = self.add("\n\n".join(filter(None, (_text(part.get("text")) for part in parts))))
        self._item = {name: value for name, value in item.items() if value is not None} or None
        kept = Kept(self._item).as_opaque() if self._item else None
        rest = self._joiner.end()
        return [*found, *([ReasoningPiece(rest, self._number, kept)] if rest or kept else [])]

    def followed_by(self, item: Record) -> list[StreamPiece]:
        if self._item is None:
            return []
        return [ReasoningPiece("", self._number, Kept(self._item, Follower.of(item)).as_opaque())]


def _are_equal(first: str, second: str) -> bool:
    """Servers write the same object with other spaces at the end than in the pieces."""
    if first.strip() == second.strip():
        return True
    try:
        return bool(json.loads(first) == json.loads(second))
    except (ValueError, RecursionError):
        return False


Item = MessageItem | CallItem | ReasoningItem


def _listed(value: object) -> list[Record]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
