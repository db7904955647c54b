"""Bytes of a page as text, in the encoding that it says it has, where that is true."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

__all__ = ["decoded"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"""<meta[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
_XML = re.compile(rb"""\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{2,40})""", re.IGNORECASE)
_CHARACTERS = re.compile(
    r"ascii|utf_(?:8|16|32)(?:_[bl]e)?|iso8859_\d+|cp\d+|koi8_[rut]|mac_\w+|gb\w+|big5\w*|euc_\w+|shift_jis\w*"
    r"|iso2022_\w+|hz|johab|tis_620|ptcp154|latin_1"
)
_WIDER = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874",
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "utf-16": "utf-16-le",
}  # fmt: skip
"""What pages mean that name an encoding: the wider one that browsers take it for (WHATWG Encoding 4.2)."""
_PROBE = 4_096


def decoded(data: bytes, told: str | None, *, is_cut: bool = False, is_markup: bool = False) -> tuple[str, str | None]:
    """The text, and what is to be said about it: None where it is as its maker wrote it.

    `told` is what the head of the answer says; `is_markup` lets the page itself say it too; `is_cut` allows for a last
    character that is not whole.
    """
    for name in _candidates(data, told, is_markup):
        try:
            text: str = codecs.getincrementaldecoder(name)("strict").decode(data, not is_cut)
        except (UnicodeError, LookupError):
            continue
        return text.removeprefix("\ufeff"), None
    return _mended(data)


def _mended(data: bytes) -> tuple[str, str]:
    """The text of a page that is in none of the encodings it may be in."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    bad = text.count("\ufffd")
    if bad <= sum(1 for character in text if character > "\x7f") - bad:
        return text, f"{bad:,} places are no text in UTF-8, shown as \ufffd"
    return data.decode("cp1252", "replace"), "not in the encoding that it names; read as Windows-1252"


def _candidates(data: bytes, told: str | None, is_markup: bool) -> Iterator[str]:
    for mark, marked in _MARKS:
        if data.startswith(mark):
            yield marked
            break
    named = [told] if told and not _is_narrow(told, data) else []
    if is_markup:
        found = _XML.search(data[:_PROBE]) or _DECLARED.search(data[:_PROBE])
        inside = found[1].decode("ascii", "replace") if found else ""
        # What could be read byte by byte up to here is not UTF-16, whatever it says.
        named += [inside] if inside and not inside.lower().startswith(("utf-16", "utf-32", "ucs")) else []
    known = [name for one in named if (name := _known(one))]
    # A page that can be UTF-8 and says it is something with a sign for nearly every byte was copied, not converted.
    if known and known[0] in ("cp1252", "cp1254") and not data.isascii():
        yield "utf-8"
    yield from known
    yield "utf-8"
    if not known:
        yield "cp1252"


def _is_narrow(told: str, data: bytes) -> bool:
    """Whether an answer that is said to have two or four bytes a character plainly has one."""
    return told.lower().startswith(("utf-16", "utf-32")) and b"\0" not in data[:_PROBE] and data[:_PROBE].isascii()


def _known(name: str) -> str | None:
    try:
        found = codecs.lookup(name.strip().strip("\"'")).name
    except (LookupError, ValueError, UnicodeError):
        return None
    found = _WIDER.get(found, found)
    return found if _CHARACTERS.fullmatch(found.replace("-", "_")) else None
