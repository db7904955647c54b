"""What plugins keep in notes for themselves: drawings and settings in a comment that nobody reads."""

from __future__ import annotations

import re

__all__ = ["without_program_data"]

_MARK = re.compile(r"^%%(?!.*%%)", re.MULTILINE)
_FENCE = re.compile(r"^(?:```|~~~)", re.MULTILINE)
_SIGN = re.compile(r"[^\n]")


def without_program_data(body: str) -> str:
    """The body with blanks in place of every comment between lines of `%%` that holds a fenced block.

    Excalidraw keeps whole drawings so, Kanban its settings: thousands of words that are on no page.
    """
    if "%%" not in body:
        return body
    marks = [mark.start() for mark in _MARK.finditer(body)]
    pieces: list[str] = []
    position = 0
    for start, end in zip(marks[::2], [*marks[1::2], len(body)], strict=False):
        if _FENCE.search(body, start, end) is not None:
            pieces += [body[position:start], _SIGN.sub(" ", body[start:end])]
            position = end
    return "".join((*pieces, body[position:]))
