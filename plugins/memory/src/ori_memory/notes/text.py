"""The bytes of a note as text, and back again byte for byte."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from attrs import frozen

from aries_kernel.errors import UserError

__all__ = ["LARGE", "NoteText", "UnwritableText", "decode_note", "read_note"]

LARGE = 16 * 1024 * 1024
"""A note with more bytes than this is still read whole, but its `problem` says how large it is."""

_BEYOND_LATIN = re.compile(rb"[\x80-\x9f]")
_IN_NEITHER = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class UnwritableText(UserError):
    """The text holds a character that the file's encoding has no byte for."""


@frozen
class NoteText:
    """A note's text without its byte order mark, with its line ends as they are in the file."""

    text: str
    encoding: str = "utf-8"
    """`utf-8`, `cp1252`, `latin-1`, or one of the wide encodings that a byte order mark named."""
    has_bom: bool = False
    problem: str = ""
    """What a person should know about the file, in one clause; empty where all is well."""

    def encode(self, text: str) -> bytes:
        """The bytes that `text` has in this file: for the unchanged text, exactly the bytes that were read.

        Raises:
            UnwritableText: the file's encoding cannot hold a character of it.
        """
        errors = _ERRORS.get(self.encoding, "strict")
        try:
            return self._mark() + text.encode(self.encoding, errors)
        except UnicodeEncodeError as error:
            character = text[error.start]
            line = text.count("\n", 0, error.start) + 1
            raise UnwritableText(
                f"line {line}: the file is {self.encoding} and cannot hold {character!r}. "
                f"Save it as UTF-8 with your editor first, or leave this character out."
            ) from error

    def _mark(self) -> bytes:
        if not self.has_bom:
            return b""
        return "\ufeff".encode(self.encoding)


# Half of a surrogate pair may stand alone in a wide file and must come back as it was.
_ERRORS = {
    "utf-16-le": "surrogatepass",
    "utf-16-be": "surrogatepass",
    "utf-32-le": "surrogatepass",
    "utf-32-be": "surrogatepass",
}


def read_note(path: Path) -> NoteText:
    """The text of the file; one in no known encoding is read as Windows-1252 or Latin-1, which loses no byte.

    Raises:
        OSError: the file is not there or cannot be read.
    """
    return decode_note(path.read_bytes())


def decode_note(data: bytes) -> NoteText:
    """The text in `data`; never raises, and `NoteText.encode` gives `data` back."""
    for mark, encoding in _WIDE_MARKS:
        if data.startswith(mark):
            wide = _decode_wide(data, mark, encoding)
            if wide is not None:
                return wide
    has_bom = data.startswith(codecs.BOM_UTF8)
    try:
        text = data[len(codecs.BOM_UTF8) :].decode("utf-8") if has_bom else data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        encoding, name = _narrow(data)
        return NoteText(data.decode(encoding), encoding, False, f"line {line} is not UTF-8; read as {name}")
    return NoteText(text, "utf-8", has_bom, _remark(text, len(data)))


def _narrow(data: bytes) -> tuple[str, str]:
    """What Windows wrote has quotes and dashes where Latin-1 has signs that no text holds."""
    if _BEYOND_LATIN.search(data) is not None and _IN_NEITHER.search(data) is None:
        return "cp1252", "Windows-1252"
    return "latin-1", "Latin-1"


def _decode_wide(data: bytes, mark: bytes, encoding: str) -> NoteText | None:
    try:
        text = data[len(mark) :].decode(encoding, "surrogatepass")
    except UnicodeDecodeError:
        return None
    if text.encode(encoding, "surrogatepass") != data[len(mark) :]:
        return None
    return NoteText(text, encoding, True, f"is {encoding.upper()}, not UTF-8")


def _remark(text: str, size: int) -> str:
    if "\0" in text:
        return "holds zero bytes; it may not be text"
    if size > LARGE:
        return f"is very large ({size / 1_048_576:.0f} MB)"
    return ""
