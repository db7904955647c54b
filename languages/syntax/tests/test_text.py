"""Lines, heads and comments, straight from the bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_language_syntax.text import Text, plain


@given(st.binary(max_size=80), st.integers(0, 80))
def test_the_line_of_a_byte_is_one_more_than_the_line_ends_before_it(source: bytes, place: int) -> None:
    if place <= len(source):
        assert Text(source).line(place) == source.count(b"\n", 0, place) + 1


@pytest.mark.parametrize(
    ("source", "doc"),
    [
        ("// One.\n// Two.\nx", "One."),
        ("/// One.\nx", "One."),
        ("/**\n * One.\n * Two.\n */\nx", "One."),
        ("/* One. */\nx", "One."),
        ("// -----\n// One.\nx", "One."),
        ("//go:build linux\n// One.\nx", "One."),
        ("// Not of it.\n\nx", ""),
        ("int y; // not of it\nx", ""),
        ("int y; /* not\n of it */\nx", ""),
        ("x", ""),
    ],
)
def test_the_comment_right_above_documents(source: str, doc: str) -> None:
    text = Text(source.encode())
    assert text.doc_above(len(text.lines)) == doc


def test_attributes_may_stand_between_a_definition_and_its_comment() -> None:
    assert Text(b"// One.\n#[a]\n#[b]\nx").doc_above(4, b"#[") == "One."


def test_heads_are_one_line_without_comments_and_not_endless() -> None:
    assert plain(b"f(\n  a, // one\n  b /* two */\n)") == "f(a, b)"
    assert plain(b'open("http://x")') == 'open("http://x")'
    assert len(plain(b"x" * 5000)) == 300
