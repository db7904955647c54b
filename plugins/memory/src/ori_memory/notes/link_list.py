"""Whether a note is a list of others: a table of contents, an index, a map."""

from __future__ import annotations

import re

__all__ = ["is_link_list"]

_FEWEST = 5
"""Entries; a note with fewer is one with a few references."""
_ENTRY = re.compile(
    r"^[ \t>]{0,99}(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[^\]\n]\][ \t]+)?|\|[ \t]*)[*_~`]{0,3}!?"
    r"(?:\[\[|\[[^\]\n]{0,300}\]\((?!https?:|mailto:|#))",
    re.MULTILINE,
)
_SAYS = re.compile(r"^[ \t]*+(?!#{1,6} |[-=*_|: \t]+$|%%|<!--|<br)\S", re.MULTILINE)
"""A line that is no heading, no rule and no comment."""


def is_link_list(body: str) -> bool:
    """Whether at least two thirds of its lines are entries, or rows of a table, that begin with a link to a note.

    Such a note holds the names of all that it lists, and answers nothing that they are asked for.
    """
    if body.count("](") + body.count("[[") < _FEWEST:
        return False
    entries = len(_ENTRY.findall(body))
    return entries >= _FEWEST and 3 * entries >= 2 * len(_SAYS.findall(body))
