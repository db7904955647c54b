"""Text in the encoding it has, whatever is said about it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_tool_web.charsets import decoded

GERMAN = "Grüße aus Köln – „schön“ €"


@pytest.mark.parametrize(
    ("data", "told", "text"),
    [
        (GERMAN.encode(), None, GERMAN),
        (GERMAN.encode("cp1252"), None, GERMAN),
        (GERMAN.encode("cp1252"), "iso-8859-1", GERMAN),
        (GERMAN.encode(), "iso-8859-1", GERMAN),
        (GERMAN.encode("utf-8-sig"), "windows-1251", GERMAN),
        (GERMAN.encode("utf-16"), None, GERMAN),
        (GERMAN.encode("utf-16-be"), "utf-16be", GERMAN),
        ("привет".encode("koi8-r"), "KOI8-R", "привет"),
        ("привет".encode("cp1251"), "windows-1251", "привет"),
        ("こんにちは".encode("shift_jis"), "Shift_JIS", "こんにちは"),
        ("こんにちは".encode("euc_jp"), "euc-jp", "こんにちは"),
        ("漢字".encode("gbk"), "gb2312", "漢字"),
        ("한글".encode("cp949"), "euc-kr", "한글"),
        (b"plain", "utf-16", "plain"),
        (b"plain", "zip", "plain"),
        (b"plain", "unicode_escape", "plain"),
        (b"plain", "no such thing", "plain"),
        (GERMAN.encode(), '"utf8"', GERMAN),
    ],
)
def test_bytes_become_the_text_that_was_meant(data: bytes, told: str | None, text: str) -> None:
    assert decoded(data, told) == (text, None)


@pytest.mark.parametrize("head", ['<meta charset="{}">', "<META http-equiv=x content='text/html; charset={}'>"])
def test_a_page_may_say_it_itself_but_the_head_of_the_answer_comes_first(head: str) -> None:
    russian = (head.format("windows-1251") + "привет").encode("cp1251")
    assert decoded(russian, None, is_markup=True)[0].endswith("привет")
    assert not decoded(russian, None)[0].endswith("привет")
    assert not decoded(russian, "koi8-r", is_markup=True)[0].endswith("привет")
    assert decoded((head.format("utf-16") + "ü").encode(), None, is_markup=True)[0].endswith("ü")


def test_xml_says_it_in_its_first_line() -> None:
    xml = '<?xml version="1.0" encoding="iso-8859-2"?><a>ł</a>'
    assert decoded(xml.encode("iso-8859-2"), None, is_markup=True) == (xml, None)


def test_a_character_that_was_cut_in_two_is_left_out() -> None:
    assert decoded("aü".encode()[:-1], "utf-8", is_cut=True) == ("a", None)


def test_one_broken_place_does_not_spoil_a_page_and_is_told() -> None:
    text, note = decoded(GERMAN.encode() + b"\xff", "utf-8")
    assert text == GERMAN + "\ufffd" and note == "1 places are no text in UTF-8, shown as \ufffd"
    assert decoded(GERMAN.encode("cp1252"), "utf-8") == (
        GERMAN,
        "not in the encoding that it names; read as Windows-1252",
    )


@given(st.binary(max_size=400), st.one_of(st.none(), st.text(max_size=20)), st.booleans(), st.booleans())
def test_no_bytes_and_no_claim_raise_anything(data: bytes, told: str | None, is_cut: bool, is_markup: bool) -> None:
    text, _ = decoded(data, told, is_cut=is_cut, is_markup=is_markup)
    assert isinstance(text, str)
