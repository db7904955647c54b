"""What an answer is: a page to convert, a text to show as it is, or neither."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from attrs import frozen

__all__ = ["Kind", "kind_of", "media_type"]

Form = Literal["page", "text", "binary"]

_PAGES = {"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"}
_TEXTS = re.compile(
    r"text/.*|.*[+/](?:json|xml|yaml|x-yaml|toml)|application/(?:x-)?(?:ndjson|jsonl|json5|json-seq|javascript"
    r"|ecmascript|typescript|sh|shellscript|perl|python|ruby|tex|latex|sql|graphql|csv|xml-dtd|markdown"
    r"|www-form-urlencoded|pem-file|troff(?:-\w+)?)"
)
_UNSURE = {"", "application/octet-stream", "binary/octet-stream", "application/unknown", "application/x-unknown"}
_MAGIC = (
    (b"%PDF-", "a PDF"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"PK\x03\x04", "a zip archive, or a document that is one (docx, xlsx, jar, whl)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a rar archive"),
    (b"\x7fELF", "a program (ELF)"),
    (b"MZ", "a program (Windows)"),
    (b"\xcf\xfa\xed\xfe", "a program (macOS)"),
    (b"\x00asm", "a WebAssembly module"),
    (b"SQLite format 3\x00", "a SQLite database"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"OggS", "an Ogg file"),
    (b"ID3", "an MP3 file"),
    (b"fLaC", "a FLAC file"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
)
_START_OF_PAGE = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<!--.{0,2000}?-->\s*|<\?xml[^>]{0,200}>\s*)*<(?:!doctype\s+html|html|head|body)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


@frozen
class Kind:
    """The form of an answer, and a few words about it for a person."""

    form: Form
    words: str


def media_type(headers: Mapping[str, str]) -> tuple[str, str | None]:
    """Type and charset as the head names them; the charset None where it names none."""
    type_, *parameters = headers.get("content-type", "").split(";")
    for one in parameters:
        name, _, value = one.partition("=")
        if name.strip().lower() == "charset" and value.strip():
            return type_.strip().lower(), value.strip().strip("\"'")
    return type_.strip().lower(), None


def kind_of(media: str, data: bytes, charset: str | None = None) -> Kind:
    """What the bytes are. A type that says text is believed only as long as they are not plainly something else."""
    wide = data.startswith(_WIDE) or (charset or "").lower().startswith(("utf-16", "utf-32"))
    magic = next((words for start, words in _MAGIC if data.startswith(start)), None)
    has_nul = b"\0" in data[:4_096] and not wide
    if magic is not None and (has_nul or not _TEXTS.fullmatch(media) or magic == "a PDF"):
        return Kind("binary", magic)
    if has_nul:
        return Kind("binary", _named(media) if not _TEXTS.fullmatch(media) else "no text, though it says it is")
    if media in _PAGES or (media in _UNSURE and _START_OF_PAGE.match(data[:8_192])):
        return Kind("page", "a page")
    if _TEXTS.fullmatch(media) or (media in _UNSURE and _is_text(data)):
        return Kind("text", media or "text")
    return Kind("binary", _named(media))


def _is_text(data: bytes) -> bool:
    return all(byte >= 32 or byte in b"\t\n\f\r\x1b" for byte in data[:4_096])


def _named(media: str) -> str:
    if media in _UNSURE:
        return "data of no known kind"
    main = media.partition("/")[0]
    return {"image": "an image", "audio": "a sound", "video": "a video", "font": "a font"}.get(main, "no text")
