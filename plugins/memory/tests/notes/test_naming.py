"""File names for titles."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ori_memory.notes.naming import MOST_BYTES, comparable, file_name, slug, stem_of


def free(name: str) -> bool:
    return False


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Plain title", "Plain title.md"),
        ("会议记录", "会议记录.md"),
        ("😀", "😀.md"),
        ("e\u0301", "é.md"),
        ("???", "note.md"),
        (".", "note.md"),
        ("..", "note.md"),
        ("", "note.md"),
        ("CON", "CON note.md"),
        ("con.txt", "note con.txt.md"),
        ("Contact", "Contact.md"),
        ("a/b: c", "a-b- c.md"),
        (" .hidden. ", "hidden.md"),
        ("a\tb\nc", "a b c.md"),
        ("a.md", "a.md"),
        ("a\u202eb", "a-b.md"),
        ("v1.2", "v1.2.md"),
        ("[[x]] #y|z^", "-x- -y-z-.md"),
    ],
)
def test_a_title_is_its_own_file_name_where_that_can_be(title: str, expected: str) -> None:
    assert file_name(title, free) == expected


@pytest.mark.parametrize(
    "title", ["会议记录", "😀", "???", ".", "CON", "x" * 300, "é" * 300, "👨‍👩‍👧" * 60, "a" * 195 + "e\u0301" * 9]
)
def test_the_same_title_again_gets_a_name_of_its_own(title: str) -> None:
    taken: set[str] = set()
    for _ in range(120):
        name = file_name(title, lambda name: comparable(name) in taken)
        assert comparable(name) not in taken
        assert len(name.encode()) <= MOST_BYTES
        taken.add(comparable(name))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=6), st.integers(1, 60))
def test_no_two_notes_ever_share_a_file_on_any_system(titles: list[str], times: int) -> None:
    taken: set[str] = set()
    for title in titles:
        name = file_name(title * times, lambda name: comparable(name) in taken)
        taken.add(comparable(name))
        assert name == unicodedata.normalize("NFC", name)
        assert not set(name) & set('/\\:*?"<>|\0\n\r\t')
        assert len(name.encode()) <= MOST_BYTES
        assert not name.startswith((".", " "))
        assert not stem_of(name).endswith((".", " "))
    assert len(taken) == len(titles)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Note", "nOTE", True),
        ("é", "e\u0301", True),
        ("É", "e\u0301", True),
        ("a\xa0b", "a b", True),
        ("Straße", "STRASSE", True),
        ("a b", "a-b", False),
        ("résumé", "resume", False),
        ("ﬁ", "fj", False),
        ("C# notes", "C#notes", True),
    ],
)
def test_names_are_one_without_case_and_form_of_accents(one: str, other: str, is_same: bool) -> None:
    assert (comparable(one) == comparable(other)) is is_same


@given(st.text())
def test_what_is_comparable_stays_so(text: str) -> None:
    key = comparable(text)
    assert comparable(key) == key
    assert comparable(unicodedata.normalize("NFD", text)) == key


def test_a_slug_joins_blanks_dashes_and_underscores() -> None:
    assert slug("My  Note_title - Two!") == slug("my-note-title-two") == "my-note-title-two"
    assert slug("会议 记录") == "会议-记录"
    assert slug("???") == ""
