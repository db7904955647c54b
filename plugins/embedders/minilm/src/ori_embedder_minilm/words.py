"""Texts as numbers of word pieces."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from aries_kernel.local_models import readable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["WINDOW", "WordPieces"]

WINDOW = 256
"""Pieces of a text that count, the two that frame it among them."""

_LONGEST = 100
"""Characters of a word above which it becomes a single unknown piece: so a word has at most as many pieces."""
_HEAD = 8_192
"""Characters looked at first; three of four pieces have three characters or more."""
_FIRST, _LAST = 101, 102


class WordPieces:
    """The tokenizer of one file."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Start and end, in characters, of every piece."""
        offsets: list[tuple[int, int]] = self._tokenizer.encode(readable(text), add_special_tokens=False).offsets
        return offsets

    def window(self, text: str) -> list[int]:
        """The pieces that count, framed; empty for a text without any."""
        size = _HEAD
        while True:
            ids: list[int] = self._tokenizer.encode(readable(text[:size]), add_special_tokens=False).ids
            # The last word of the head may be cut, and so may have other pieces than in the text.
            if size >= len(text) or len(ids) >= WINDOW + _LONGEST:
                return [_FIRST, *ids[: WINDOW - 2], _LAST] if ids else []
            size *= 4
