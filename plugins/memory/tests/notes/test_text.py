"""Bytes of a note and back."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ori_memory.notes.text import NoteText, UnwritableText, decode_note, read_note


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=40),
        st.text(max_size=20).map(lambda text: text.encode("utf-8", "replace")),
        st.binary(max_size=20).map(lambda data: codecs.BOM_UTF8 + data),
        st.binary(max_size=20).map(lambda data: codecs.BOM_UTF16_LE + data),
        st.binary(max_size=20).map(lambda data: codecs.BOM_UTF16_BE + data),
        st.binary(max_size=20).map(lambda data: codecs.BOM_UTF32_LE + data),
    )
)
@example(b"caf\xe9\r\nx\r")
@example(codecs.BOM_UTF8 + codecs.BOM_UTF8)
def test_unchanged_text_gives_the_same_bytes(data: bytes) -> None:
    note = decode_note(data)
    assert note.encode(note.text) == data


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\r\nb\n", NoteText("a\r\nb\n")),
        (b"", NoteText("")),
        ("→ Ж".encode(), NoteText("→ Ж")),
        (codecs.BOM_UTF8 + b"a", NoteText("a", "utf-8", True)),
        ("\ufeffa".encode("utf-16-le"), NoteText("a", "utf-16-le", True, "is UTF-16-LE, not UTF-8")),
        (b"\x93caf\xe9\x94 \x80", NoteText("“café” €", "cp1252", False, "line 1 is not UTF-8; read as Windows-1252")),
        (b"\x93\x81", NoteText("\x93\x81", "latin-1", False, "line 1 is not UTF-8; read as Latin-1")),
        (b"one\ncaf\xe9", NoteText("one\ncaf\xe9", "latin-1", False, "line 2 is not UTF-8; read as Latin-1")),
        (b"a\0b", NoteText("a\0b", "utf-8", False, "holds zero bytes; it may not be text")),
    ],
)
def test_a_file_is_read_in_its_encoding(tmp_path: Path, data: bytes, expected: NoteText) -> None:
    path = tmp_path / "note.md"
    path.write_bytes(data)
    assert read_note(path) == expected


def test_what_the_encoding_cannot_hold_is_refused_with_its_line() -> None:
    note = decode_note(b"caf\xe9")
    assert note.encode("th\xe9") == b"th\xe9"
    with pytest.raises(UnwritableText, match="line 2: the file is latin-1 and cannot hold '→'"):
        note.encode("caf\xe9\n→")
    with pytest.raises(UnwritableText, match="line 1"):
        decode_note(b"a").encode("\ud800")


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no such"):
        read_note(tmp_path / "no such.md")
