"""Words that ask for what is newest: "the latest decision about tea", "die neueste Notiz zum Tee"."""

from __future__ import annotations

import re
from functools import cache

__all__ = ["newest_in"]

_HINT = re.compile(r"lates|newes|recent|neues|récen|recien|最新|최신|последн|нов", re.IGNORECASE)
"""What every such phrase holds. Most questions do not; the pattern itself takes a while to compile."""
_WORDS = (
    *("latest", "newest", r"most recent(?:ly)?", r"neueste[nrms]?", r"plus récente?s?"),
    *(r"más recientes?", r"mais recentes?", r"più recent[ei]", r"последн(?:ий|яя|ее|ие)", r"самы[йе] новы[йе]"),
)
_WITHOUT_BLANKS = ("最新", "최신")


def newest_in(text: str) -> str:
    """The first words of `text` that ask for the newest; empty where there are none."""
    found = _pattern().search(text) if _HINT.search(text) else None
    return found[0] if found else ""


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(_WORDS)})\b|{'|'.join(_WITHOUT_BLANKS)}", re.IGNORECASE)
