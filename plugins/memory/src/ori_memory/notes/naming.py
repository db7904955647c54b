"""Names of notes: a file name from any title, and when two names are the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

__all__ = ["MOST_BYTES", "comparable", "file_name", "is_simple", "slug", "stem_of"]

MOST_BYTES = 200
"""Of a file's name with `.md`. File systems end at 255, and synchronisers add to names."""

_ENDING = ".md"
_LAST_NUMBER = 99
_FORBIDDEN = r"""[\x00-\x1f\x7f-\x9f/\\:*?"<>|#^\[\]\ud800-\udfff\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+"""
_SPACE = re.compile(r"\s+")
_RESERVED = r"(?i:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)"
"""These two are compiled when a name is made, which questions do not."""
_SIMPLE = re.compile(r"[A-Za-z0-9]+(?:[ _-][A-Za-z0-9]+)*")
"""Nearly all names: one blank, dash or underscore between words of plain letters."""
_DASHES = str.maketrans(" _", "--")
_SEPARATORS = re.compile(r"[\s_-]+")
_HASH = re.compile(r"\s*#\s*")
_NOT_WORD = re.compile(r"[^\w-]+")


def file_name(title: str, is_taken: Callable[[str], bool]) -> str:
    """A file name with `.md` for a note of that title: the title itself wherever every file system can hold it.

    Signs that a file system or a wiki-link cannot hold become a dash, a long title is cut at a whole character; the
    caller keeps the full title in the frontmatter whenever `stem_of` the name differs from it. `is_taken` is asked with
    whole names and should compare by `comparable`; a taken name gets ` 2`, ` 3`, ... and, past 99, a part of a hash.
    """
    stem = _plain_stem(title)
    name = _cut(stem, "") + _ENDING
    number = 2
    while is_taken(name):
        name = _cut(stem, _suffix(title, number)) + _ENDING
        number += 1
    return name


def stem_of(path: str) -> str:
    """The name of the note at `path` without folders and `.md`."""
    name = path.rsplit("/", 1)[-1]
    return name[: -len(_ENDING)] if name.lower().endswith(_ENDING) and len(name) > len(_ENDING) else name


def comparable(name: str) -> str:
    """The key under which two names are one file, or one link target.

    Case and the form of accents (NFC, NFD) do not count, nor do unusual blanks, as in Obsidian and on the file systems
    of Windows and macOS. Width and ligatures (NFKC), spaces against dashes, and accents do count: `ﬁ` and `fi`, `a b`
    and `a-b`, `résumé` and `resume` can be two files side by side. For the looser comparison see `slug`.
    """
    if not name.isascii():
        name = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
        name = unicodedata.normalize("NFC", name)
    else:
        name = name.lower()
    name = " ".join(name.split())
    return _HASH.sub("#", name) if "#" in name else name


def is_simple(name: str) -> bool:
    """Whether words of plain letters and digits are all there is, with one blank, dash or underscore between them."""
    return _SIMPLE.fullmatch(name) is not None


def slug(name: str) -> str:
    """The looser key: blanks, dashes and underscores are one dash, other signs are gone, letters of any script stay."""
    if is_simple(name):
        return name.lower().translate(_DASHES)
    dashed = _SEPARATORS.sub("-", comparable(name))
    return _SEPARATORS.sub("-", _NOT_WORD.sub("", dashed)).strip("-")


def _plain_stem(title: str) -> str:
    stem = unicodedata.normalize("NFC", title)
    if stem.lower().endswith(_ENDING):
        stem = stem[: -len(_ENDING)]
    stem = _SPACE.sub(" ", re.sub(_FORBIDDEN, "-", _SPACE.sub(" ", stem)))
    stem = stem.strip(" .")
    if not stem.strip("-. "):
        return "note"
    return f"{stem} note" if re.match(_RESERVED, stem) and re.fullmatch(_RESERVED, stem) else _unreserved(stem)


def _unreserved(stem: str) -> str:
    # Windows reserves `con.anything` as well.
    return "note " + stem if re.match(_RESERVED, stem) else stem


def _suffix(title: str, number: int) -> str:
    if number <= _LAST_NUMBER:
        return f" {number}"
    import hashlib

    return " " + hashlib.sha256(f"{title}\0{number}".encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _cut(stem: str, suffix: str) -> str:
    room = MOST_BYTES - len(_ENDING) - len(suffix)
    data = stem.encode("utf-8")
    if len(data) <= room:
        return stem + suffix
    kept = data[:room].decode("utf-8", "ignore")
    following = stem[len(kept)]
    while kept and _joins(kept[-1], following):
        following, kept = kept[-1], kept[:-1]
    return (kept or data[:room].decode("utf-8", "ignore")).rstrip(" .") + suffix


def _joins(left: str, right: str) -> bool:
    return left == "\u200d" or right in "\u200d\ufe0e\ufe0f" or bool(unicodedata.combining(right)) or _is_tone(right)


def _is_tone(character: str) -> bool:
    return "\U0001f3fb" <= character <= "\U0001f3ff"
