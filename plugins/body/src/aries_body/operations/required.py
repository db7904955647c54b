"""Texts that whatever matches a regular expression has to hold, so that most files need not be tried."""

from __future__ import annotations

import re

__all__ = ["TWINS", "required_by"]

TWINS = "ıſ"
"""Small letters that an expression takes for another one, `i` and `s`, when the case does not matter."""
_FLAGS = re.compile(r"\(\?[a-zA-Z-]+\)")
"""They may give blanks another meaning."""
_TOKEN = re.compile(
    r"""
    (?P<class>\[\^?\]?(?:\\.|[^\]\\])*\])
    | (?P<sign>\\[^0-9A-Za-z])
    | (?P<known>\\[AbBdDsSwWZafnrtv])
    | (?P<group>\((?:\?(?:[:=!>]|<[=!]|P<\w+>))?)
    | (?P<end>\))
    | (?P<either>\|)
    | (?P<times>\{\d*,?\d*\}\??|[*+?][?+]?)
    | (?P<any>[.^$])
    | (?P<plain>[^\\()\[\]{}|*+?.^$])
    """,
    re.VERBOSE | re.DOTALL,
)


def required_by(expression: str) -> tuple[bytes, ...]:
    """In small letters; none where that is not plain to see. The expression has to be a right one."""
    if _FLAGS.match(expression):
        return ()
    runs: list[str] = [""]
    depth = position = 0
    while position < len(expression):
        token = _TOKEN.match(expression, position)
        if token is None or (token.lastgroup == "either" and not depth):
            return ()
        kind, position = token.lastgroup, token.end()
        depth += (kind == "group") - (kind == "end")
        # Letters that are not ASCII may match more than their small form.
        if depth or kind not in ("plain", "sign", "times") or not token[0].isascii():
            runs.append("")
        elif kind == "times":
            # What is repeated may be missing, and what follows need not be beside it.
            runs[-1] = runs[-1] if token[0].startswith("+") else runs[-1][:-1]
            runs.append("")
        else:
            runs[-1] += token[0][-1].lower()
    return tuple(dict.fromkeys(run.encode() for run in runs if run.strip()))
