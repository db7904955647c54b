"""Tables of markdown, where a pipe parts cells unless it is escaped, in a link as well."""

from __future__ import annotations

import re

__all__ = ["is_in_table"]

_RULE = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")


def is_in_table(text: str, position: int) -> bool:
    """Whether what stands at `position` of the text, whose line ends are LF, is in a row of a table."""
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    line = text[start : end if end >= 0 else len(text)]
    if "|" not in line:
        return False
    below = text[end + 1 :].partition("\n")[0] if end >= 0 else ""
    if _is_rule(below):
        return True
    while start > 0 and "|" in line:
        start, last = text.rfind("\n", 0, start - 1) + 1, start - 1
        line = text[start:last]
        if _is_rule(line):
            return "|" in text[text.rfind("\n", 0, start - 1) + 1 : start] if start else False
    return False


def _is_rule(line: str) -> bool:
    return "|" in line and _RULE.fullmatch(line) is not None
