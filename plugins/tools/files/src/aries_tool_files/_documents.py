"""A text file taken apart into lines without losing a byte. Standard library only: the search process uses it too."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from itertools import accumulate

__all__ = ["BOMS", "LINE_END", "Document", "binary_kind", "decode_line", "encode", "split_bom", "wide_codec"]

LINE_END = re.compile(r"\r\n|\n|\r")
_LINE_END_BYTES = re.compile(rb"(\r\n|\n|\r)")

BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
)
_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "PNG image"), (b"\xff\xd8\xff", "JPEG image"), (b"GIF8", "GIF image"),
    (b"PK\x03\x04", "ZIP archive (or docx, xlsx, jar, wheel ...)"), (b"\x1f\x8b", "gzip data"), (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\0", "xz data"), (b"\x28\xb5\x2f\xfd", "zstd data"), (b"7z\xbc\xaf\x27\x1c", "7-Zip archive"),
    (b"\x7fELF", "ELF program"), (b"MZ\x90\0", "Windows program"), (b"\xcf\xfa\xed\xfe", "Mach-O program"),
    (b"\xca\xfe\xba\xbe", "Java class or Mach-O program"), (b"SQLite format 3\0", "SQLite database"),
    (b"\0asm", "WebAssembly module"), (b"OggS", "Ogg media"), (b"ID3", "MP3 audio"), (b"fLaC", "FLAC audio"),
    (b"wOFF", "font"), (b"wOF2", "font"), (b"\0\x01\0\0\0", "font"), (b"II*\0", "TIFF image"), (b"MM\0*", "TIFF image"),
)  # fmt: skip
_PROBE = 8_192


def binary_kind(head: bytes) -> str | None:
    """What a file that begins with `head` is, where it is not text; None for text."""
    if head.startswith(b"%PDF-"):
        return "PDF"
    if _is_printable(head[:_PROBE]):
        return None
    known = next((kind for magic, kind in _MAGIC if head.startswith(magic)), None)
    if head[:4] == b"RIFF":
        known = {b"WAVE": "WAV audio", b"WEBP": "WebP image", b"AVI ": "AVI video"}.get(head[8:12])
    if known is None and b"\0" in head[:_PROBE] and wide_codec(head) is None:
        return "binary file"
    return known


def _is_printable(head: bytes) -> bool:
    return not re.search(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\xff]", head)


def wide_codec(head: bytes) -> str | None:
    """The codec of a file that begins with a byte order mark of UTF-16 or UTF-32."""
    codec = split_bom(head)[1]
    return None if codec in (None, "utf-8") else codec


def split_bom(data: bytes) -> tuple[bytes, str | None]:
    """The byte order mark and the codec it stands for; `(b"", None)` without one."""
    return next(((bom, codec) for bom, codec in BOMS if data.startswith(bom)), (b"", None))


def encode(text: str, codec: str) -> bytes:
    """Bytes of `text`; lone surrogates that came out of UTF-16 go back in. Raises: UnicodeEncodeError."""
    return text.encode(codec, "strict" if codec in ("utf-8", "latin-1") else "surrogatepass")


def decode_line(data: bytes) -> tuple[str, str]:
    """Text and codec of one line: UTF-8 where it is that, otherwise Latin-1, which takes any byte."""
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


class Document:
    """Lines with their own ends and their own codec. Joined again they are the bytes they came from.

    `texts` has one line more than the file has line ends; the last is empty where the file ends with a line end.
    """

    def __init__(self, bom: bytes, texts: list[str], ends: list[str], codecs: list[str]) -> None:
        self.bom, self.texts, self.ends, self.codecs = bom, texts, ends, codecs
        kinds = set(codecs)
        self.encoding = kinds.pop() if len(kinds) == 1 else "mixed"
        """`utf-8`, `latin-1`, a wide codec, or `mixed`: lines of UTF-8 and others that are not."""

    @classmethod
    def load(cls, data: bytes) -> Document:
        """Take `data` apart; works for any bytes."""
        for bom, codec in BOMS:
            if data.startswith(bom) and codec != "utf-8":
                found = _load_wide(data, bom, codec)
                if found is not None:
                    return found
        bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        parts = _LINE_END_BYTES.split(data[len(bom) :])
        lines = [decode_line(part) for part in parts[::2]]
        ends = [end.decode("ascii") for end in parts[1::2]]
        kinds = [codec for _, codec in lines]
        if "latin-1" in kinds and all(codec == "latin-1" or text.isascii() for text, codec in lines) and not bom:
            kinds = ["latin-1"] * len(lines)
        return cls(bom, [text for text, _ in lines], [*ends, ""], kinds)

    @property
    def view(self) -> str:
        """The text with LF for every line end: what a model sees and names."""
        return "\n".join(self.texts)

    @property
    def line_count(self) -> int:
        return len(self.texts) - (not self.texts[-1])

    @property
    def only_end(self) -> str | None:
        """The line end that every line of several has; None where there is none or they differ."""
        kinds = set(self.ends[:-1])
        return kinds.pop() if len(kinds) == 1 else None

    def starts(self) -> list[int]:
        """Where each line begins in `view`."""
        return list(accumulate((len(text) + 1 for text in self.texts[:-1]), initial=0))

    def lines_as_bytes(self, first: int, last: int) -> bytes:
        """The bytes of whole lines, `last` not included."""
        lines = zip(self.texts[first:last], self.ends[first:last], strict=True)
        if self.encoding != "mixed":
            return encode("".join(_flat(lines)), self.codecs[0])
        codecs_of = self.codecs[first:last]
        return b"".join(encode(text + end, codec) for (text, end), codec in zip(lines, codecs_of, strict=True))

    def to_bytes(self) -> bytes:
        return self.bom + self.lines_as_bytes(0, len(self.texts))


def _flat(pairs: Iterable[tuple[str, str]]) -> Iterable[str]:
    for pair in pairs:
        yield from pair


def _load_wide(data: bytes, bom: bytes, codec: str) -> Document | None:
    try:
        text = data[len(bom) :].decode(codec, "surrogatepass")
    except UnicodeDecodeError:
        return None
    parts = re.split(r"(\r\n|\n|\r)", text)
    found = Document(bom, parts[::2], [*parts[1::2], ""], [codec] * len(parts[::2]))
    return found if found.to_bytes() == data else None
