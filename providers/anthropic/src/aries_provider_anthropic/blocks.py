"""One block of an answer while it grows."""

from __future__ import annotations

import json

from aries_kernel.model.stream import CallPiece, ReasoningPiece, StreamPiece, TextPiece
from aries_provider_anthropic.thinking import opaque_of
from aries_provider_http.text_joiner import TextJoiner

__all__ = ["Block", "CallBlock", "TextBlock", "ThinkingBlock"]


class TextBlock:
    """Text for the person."""

    def __init__(self) -> None:
        self._joiner = TextJoiner()

    def add(self, text: str) -> list[StreamPiece]:
        text = self._joiner.add(text)
        return [TextPiece(text)] if text else []

    def end(self) -> list[StreamPiece]:
        rest = self._joiner.end()
        return [TextPiece(rest)] if rest else []


class ThinkingBlock:
    """Thinking; all that the server sent with it is kept, because the block must go back unchanged."""

    def __init__(self, number: int, start: dict[str, object]) -> None:
        self._number, self._kept = number, start
        self._joiner = TextJoiner()

    def add(self, text: str) -> list[StreamPiece]:
        text = self._joiner.add(text)
        return [ReasoningPiece(text, self._number)] if text else []

    def sign(self, signature: str) -> list[StreamPiece]:
        old = self._kept.get("signature")
        self._kept["signature"] = f"{old if isinstance(old, str) else ''}{signature}"
        return []

    def end(self) -> list[StreamPiece]:
        return [ReasoningPiece(self._joiner.end(), self._number, opaque_of(self._kept))]


class CallBlock:
    """A call. `given` is an input that came whole with the start; pieces that follow replace it."""

    def __init__(self, number: int, name: str, wire_id: str | None, given: object) -> None:
        self._key, self._given = f"call-{number}", given
        self._joiner = TextJoiner()
        self._has_pieces = False
        self.first = CallPiece(self._key, name, "", wire_id)

    def add(self, piece: str) -> list[StreamPiece]:
        self._has_pieces = self._has_pieces or bool(piece)
        text = self._joiner.add(piece)
        return [CallPiece(self._key, arguments=text)] if text else []

    def end(self) -> list[StreamPiece]:
        rest = self._joiner.end()
        if not self._has_pieces:
            # An empty text stands for a call without arguments.
            rest = json.dumps(self._given, ensure_ascii=False) if isinstance(self._given, dict) else "{}"
        return [CallPiece(self._key, arguments=rest)] if rest else []


Block = TextBlock | ThinkingBlock | CallBlock
