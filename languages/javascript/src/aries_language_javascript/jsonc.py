"""JSON as tools of the language write it: with comments and a comma too many."""

from __future__ import annotations

import json
import re

__all__ = ["Json", "parse"]

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None

_TOKEN = re.compile(
    r'"[^"\\]*+(?:\\.[^"\\]*+)*"|//[^\n]*+|/\*.*?(?:\*/|\Z)|,(?=(?:\s++|//[^\n]*+\n|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*/)*[}\]])',
    re.DOTALL,
)


def parse(text: str) -> dict[str, Json]:
    """The object that a settings file holds; an empty one where the text is none."""
    try:
        found = json.loads(_TOKEN.sub(_kept, text.lstrip("\ufeff")), strict=False)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _kept(token: re.Match[str]) -> str:
    return token[0] if token[0].startswith('"') else " "
