"""Quotes of YAML around a place within one line."""

from __future__ import annotations

__all__ = ["QuoteScanner", "comment_start", "quoted", "unquoted"]


class QuoteScanner:
    """Tells the quotes around places of one text, asked from left to right, in time linear in the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = self._line_start = 0
        self._quote, self._before = "", " "

    def quote_at(self, line_start: int, position: int) -> str:
        """The quote sign that is open at `position`; `#` in a comment; empty in neither."""
        if line_start != self._line_start or position < self._position:
            self._line_start = self._position = line_start
            self._quote, self._before = "", " "
        while self._position < position and self._quote != "#":
            self._step(self._text[self._position])
        return self._quote

    def _step(self, character: str) -> None:
        self._position += 1
        if self._quote == '"' and character == "\\":
            self._position += 1
        elif self._quote:
            if character == self._quote:
                self._quote = ""
        elif (character in "\"'" and self._before in " \t[{,:-") or (character == "#" and self._before in " \t"):
            self._quote = character
        self._before = character


def comment_start(rest: str, follows_blank: bool) -> int:
    """Where the comment begins in what follows a key's colon; the length where there is none."""
    if follows_blank and rest.startswith("#"):
        return 0
    scanner = QuoteScanner(rest)
    position = rest.find("#", 1)
    while position >= 0:
        if rest[position - 1] in " \t" and not scanner.quote_at(0, position):
            return position
        position = rest.find("#", position + 1)
    return len(rest)


def quoted(text: str, quote: str) -> str:
    """`text` as it must stand between such quotes."""
    if quote == '"':
        return text.replace("\\", "\\\\").replace('"', '\\"')
    return text.replace("'", "''") if quote == "'" else text


def unquoted(text: str, quote: str) -> str:
    """The opposite of `quoted`."""
    if quote == '"':
        return text.replace('\\"', '"').replace("\\\\", "\\")
    return text.replace("''", "'") if quote == "'" else text
