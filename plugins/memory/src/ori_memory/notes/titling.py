"""What a note is called: by its frontmatter, by its file, or by its heading where the file's name is no name."""

from __future__ import annotations

import re
from urllib.parse import unquote

from ori_memory.notes.naming import slug

__all__ = [
    "bare_heading",
    "is_titled_by_heading",
    "opening_line",
    "page_of",
    "place_among_pages",
    "says_nothing",
    "speaks_for_folder",
]

_MOMENT = re.compile(r"\d{10,17}")
_SLIP = re.compile(r"\d+(?:[a-z]+\d+)+[a-z]*")
"""As boxes of slips are numbered: 21a3b."""
_RANDOM = re.compile(r"[0-9A-Za-z]{16,40}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_BORDER = re.compile(r"\d(?=[A-Za-z])|[A-Za-z](?=\d)")
_MIXED = 3
"""Borders between letters and digits from which on no person has written it."""
_LINK = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]|!?\[([^\[\]]*)\]\([^()]*\)")
_ATTRIBUTES = re.compile(r"(?<!\s)\s*+\{[#.][^{}]*+\}$")
_MARKS = re.compile(r"`|\*\*")
_NO_PROSE = re.compile(r"```|~~~|\||<|!?\[\[|!\[|---|\$\$|%%")
_ITEM = re.compile(r"^(?:[-*+>]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?")
_LONGEST_LINE = 400
_LONGEST_TITLE = 80
_FOLDERS = ("index", "readme", "_index")
"""Files that speak for their folder, the one that comes first where a folder has several."""
_EXPORTED = re.compile(r"(.*\S) [0-9a-f]{32}")
"""As Notion names what it exports: by the title, cut where it is long, and an id."""
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def is_titled_by_heading(stem: str, heading: str, level: int) -> bool:
    """Whether `heading`, which opens the note, is its title, and the file's name is only made from it.

    Obsidian shows a file's name. Elsewhere files are named by numbers, or by the title in small letters with dashes.
    """
    if not heading:
        return False
    if says_nothing(stem) or speaks_for_folder(stem) or _EXPORTED.fullmatch(stem) is not None:
        return True
    if " " in stem or "___" in stem or level > 1:
        return False
    made, whole = slug(stem), slug(heading)
    if made == whole:
        return True
    words = made.split("-")
    if len(words) < 2 or stem != stem.lower():
        return False
    # What was left out of a name, or put in since: most of its words stand in the heading.
    return 2 * len(set(words) & set(whole.split("-"))) > len(words)


def bare_heading(text: str) -> str:
    """A heading as it is read: links by their labels, without marks and without attributes like `{#id}`."""
    text = _ATTRIBUTES.sub("", text)
    text = " ".join(_MARKS.sub("", _LINK.sub(lambda found: found[1] or found[2] or "", text)).split())
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def opening_line(body: str) -> str:
    """The first line of a note as it is read, cut to a title; empty where it is no prose."""
    line = body.lstrip("\ufeff \t\n")[:_LONGEST_LINE].partition("\n")[0]
    if _NO_PROSE.match(line) is not None:
        return ""
    text = bare_heading(_ITEM.sub("", line))
    if len(text) <= _LONGEST_TITLE:
        return text
    end = text.rfind(" ", _LONGEST_TITLE // 2, _LONGEST_TITLE)
    return text[: end if end > 0 else _LONGEST_TITLE].rstrip(" ,.;:") + "…"


def page_of(stem: str) -> str:
    """The page that a program keeps in a file of such a name.

    For Logseq `a___b` and `a%2Fb` hold the page `a/b`; Notion puts an id of 32 digits behind the title.
    """
    exported = _EXPORTED.fullmatch(stem)
    if exported is not None:
        return exported[1]
    return unquote(stem.replace("___", "/")) if "___" in stem or "%" in stem else stem


def speaks_for_folder(stem: str) -> bool:
    """Whether a file of this name is the page of its folder."""
    return stem.lower() in _FOLDERS


def place_among_pages(stem: str) -> int:
    """Which of the pages of one folder comes first, by the name of its file."""
    return _FOLDERS.index(stem.lower()) if speaks_for_folder(stem) else len(_FOLDERS)


def says_nothing(stem: str) -> bool:
    """Whether a file's name is a number, a moment or made by chance."""
    if stem.isdigit():
        return _MOMENT.fullmatch(stem) is not None
    if _SLIP.fullmatch(stem) is not None:
        return True
    return _RANDOM.fullmatch(stem) is not None and len(_BORDER.findall(stem)) >= _MIXED
