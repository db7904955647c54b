"""Quotes of YAML around a place within one line."""

from __future__ import annotations

__all__ = ["quote_before", "quoted", "unquoted"]


def quote_before(text: str, line_start: int, position: int) -> str:
    """The quote sign that is open at `position`; `#` in a comment; empty in neither."""
    quote = ""
    index = line_start
    before = " "
    while index < position:
        character = text[index]
        if quote == '"' and character == "\\":
            index += 1
        elif quote:
            if character == quote:
                quote = ""
        elif character in "\"'" and before in " \t[{,:-":
            quote = character
        elif character == "#" and before in " \t":
            return "#"
        before = character
        index += 1
    return quote


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
