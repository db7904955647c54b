"""Quotes of YAML around a place within one line."""

from __future__ import annotations

__all__ = ["comment_start", "quote_before", "quoted", "unquoted"]


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


def comment_start(rest: str, follows_blank: bool) -> int:
    """Where the comment begins in what follows a key's colon; the length where there is none."""
    if follows_blank and rest.startswith("#"):
        return 0
    position = rest.find("#", 1)
    while position >= 0:
        if rest[position - 1] in " \t" and not quote_before(rest, 0, position):
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
