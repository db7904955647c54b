"""Text whose surrogate pairs may be split between two pieces."""

from __future__ import annotations

import re

__all__ = ["TextJoiner"]

_HALVES = re.compile("[\ud800-\udfff]")


class TextJoiner:
    """Holds back the first half of a pair until the second comes; a half that stays alone becomes U+FFFD."""

    def __init__(self) -> None:
        self._held = ""

    def add(self, text: str) -> str:
        """The text that is complete now."""
        if not self._held and (not text or (text.isascii())):
            return text
        text = self._held + text
        self._held = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            self._held, text = text[-1], text[:-1]
        if not _HALVES.search(text):
            return text
        return text.encode("utf-16-le", errors="surrogatepass").decode("utf-16-le", errors="replace")

    def end(self) -> str:
        """What is left."""
        held, self._held = self._held, ""
        return "\ufffd" if held else ""
