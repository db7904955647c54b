"""Words that ask for what is newest: "the latest decision about tea", "die neueste Notiz zum Tee"."""

from __future__ import annotations

import re
from functools import cache

__all__ = ["newest_in", "present_in"]

_HINTS = ("lates", "newes", "recent", "neues", "récen", "recien", "最新", "최신", "последн", "нов")
"""What every such phrase holds. Most questions do not; the pattern itself takes a while to compile."""
_WORDS = (
    *("latest", "newest", r"most recent(?:ly)?", r"neueste[nrms]?", r"plus récente?s?"),
    *(r"más recientes?", r"mais recentes?", r"più recent[ei]", r"последн(?:ий|яя|ее|ие)", r"самы[йе] новы[йе]"),
)
_WITHOUT_BLANKS = ("最新", "최신")

_PRESENT_HINTS = (
    *("curren", "now", "moment", "present", "these days", "aktuell", "derzeit", "zurzeit", "actu", "atual", "attual"),
    *("huidig", "jetzt", "ahora", "agora", "adesso", " nu", "сейчас", "текущ", "现在", "現在", "目前", "当前", "當前"),
    *("今は", "현재", "지금", "요즘"),
)
_PRESENT = (
    *("currently", "nowadays", "right now", "at the moment", "at present", "these days", r"now(?=\W*\Z)"),
    *(
        r"(?:is|are|am|my|our|your|his|her|its|their|the) current",
        r"aktuell(?:e[nrms]?)?",
        "derzeit",
        "momentan",
        "zurzeit",
    ),
    *("actuellement", "en ce moment", r"actuel(?:le)?s?", "actualmente", "atualmente", "attualmente", r"attual[ei]"),
    *("momenteel", "huidige", r"(?:jetzt|ahora|agora|adesso|nu)(?=\W*\Z)", "сейчас", r"текущ(?:ий|ая|ее|ие|ей)"),
)
_PRESENT_WITHOUT_BLANKS = ("现在", "現在", "目前", "当前", "當前", "今は", "현재", "지금", "요즘")


def newest_in(text: str) -> str:
    """The first words of `text` that ask for the newest; empty where there are none."""
    found = _pattern(_WORDS, _WITHOUT_BLANKS).search(text) if _may_hold(text, _HINTS) else None
    return found[0] if found else ""


def present_in(text: str) -> str:
    """The first words that ask how things are now: what was so before is said in older notes, as well or better."""
    found = _pattern(_PRESENT, _PRESENT_WITHOUT_BLANKS).search(text) if _may_hold(text, _PRESENT_HINTS) else None
    return found[0] if found else ""


def _may_hold(text: str, hints: tuple[str, ...]) -> bool:
    low = text.lower()
    return any(hint in low for hint in hints)


@cache
def _pattern(words: tuple[str, ...], without_blanks: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})\b|{'|'.join(without_blanks)}", re.IGNORECASE)
