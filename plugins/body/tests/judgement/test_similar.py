"""Definitions that are like a name or a piece of code."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged_code import LANGUAGES, renamed

from aries_body.judgement.naming import stem, style_of, words_of
from aries_body.judgement.similar import NameIndex, by_signature
from aries_body.operations.codebase import Codebase
from aries_kernel.errors import BadArguments

Ask = Callable[[dict[str, str | bytes]], Codebase]
PYTHON = LANGUAGES[0]
PAGES = """class Pages:
    def loadPage(self, path):
        return path

    def render(self, page, size):
        return page
"""
FILES: dict[str, str | bytes] = {
    "orders.py": PYTHON.code,
    "users.py": "def load_user(path):\n    return path\n\n\ndef save_user(user, path):\n    return user\n",
    "pages.py": PAGES,
}


def test_a_name_finds_names_of_the_same_words_in_any_style(ask: Ask) -> None:
    rows = ask(FILES).find_similar_patterns("user_loader", limit=3)
    assert [row.name for row in rows][:2] == ["load_user", "save_user"]
    assert rows.note and rows[0].by_form is None


def test_a_symbol_is_compared_by_name_and_head_and_not_found_itself(ask: Ask) -> None:
    rows = ask(FILES).find_similar_patterns("load_user")
    assert [row.name for row in rows] == ["Pages.loadPage", "save_user"]
    assert rows[0].by_signature == 1.0 and rows.note == ""


def test_code_is_found_by_its_form_whatever_it_is_called(ask: Ask) -> None:
    rows = ask(FILES).find_similar_patterns(renamed(PYTHON.code))
    assert (rows[0].path, rows[0].by_form) == ("orders.py", 1.0)
    assert all(row.by_form is None or row.by_form < 0.5 for row in rows[1:])


def test_every_figure_is_a_share_and_the_best_comes_first(ask: Ask) -> None:
    codebase = ask(FILES)
    for asked in ("load_user", "save", PYTHON.code, renamed(PYTHON.code)):
        rows = codebase.find_similar_patterns(asked)
        scores = [row.score for row in rows]
        assert scores == sorted(scores, reverse=True) and all(0 < score <= 1 for score in scores)


@pytest.mark.parametrize("asked", ["", " ", None])
def test_nothing_to_compare_is_told_so(ask: Ask, asked: object) -> None:
    with pytest.raises(BadArguments, match="nothing to compare"):
        ask(FILES).find_similar_patterns(asked)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [
        ("f(a, b)", "g(a, b)", 1.0, 1.0),
        ("f(self, path)", "load(path)", 1.0, 1.0),
        ("f(a: dict[str, int], b: int)", "g(b: int)", 0.2, 0.7),
        ("def f(items)", "def g(stream, size, flags)", 0.0, 0.2),
        ("fn f<T>(a: &[T]) -> Vec<T>", "fn g(a: &[u8]) -> Vec<u8>", 0.5, 1.0),
        ("f = (a, b) => a", "f(a, b)", 0.6, 1.0),
    ],
)
def test_heads_are_compared_by_their_parameters(one: str, other: str, least: float, most: float) -> None:
    found = by_signature(one, other)
    assert found is not None and least <= found <= most
    assert found == by_signature(other, one)


def test_a_head_without_parameters_is_not_compared() -> None:
    assert by_signature("LIMIT", "f(a)") is None


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_heads_are_compared_without_an_error(one: str, other: str) -> None:
    found = by_signature(one, other)
    assert found is None or 0 <= found <= 1


@pytest.mark.parametrize(
    ("name", "words", "style"),
    [
        ("parse_header", ("parse", "header"), "snake_case"),
        ("parseHTTPHeader", ("parse", "http", "header"), "camelCase"),
        ("HTTPServer", ("http", "server"), "PascalCase"),
        ("MAX_SIZE", ("max", "size"), "UPPER_CASE"),
        ("data-path", ("data", "path"), "kebab-case"),
        ("run", ("run",), None),
        ("Run", ("run",), None),
        ("__init__", ("init",), None),
        ("_private_name", ("private", "name"), "snake_case"),
        ("straße_länge", ("straße", "länge"), "snake_case"),
        ("größteLänge", ("größte", "länge"), "camelCase"),
        ("utf8", ("utf",), None),
        ("T_of_x", ("t", "of", "x"), "mixed"),
    ],
)
def test_names_are_read_as_words_in_a_style(name: str, words: tuple[str, ...], style: str | None) -> None:
    assert (words_of(name), style_of(name)) == (words, style)


@given(st.text(max_size=40))
def test_any_text_is_a_name_with_words_and_perhaps_a_style(text: str) -> None:
    assert all(word == word.lower() for word in words_of(text))
    assert style_of(text) is None or text.strip("_#$")


def test_forms_of_a_word_are_one() -> None:
    assert len({stem(word) for word in ("parse", "parses", "parsed", "parsing")}) == 1
    assert len({stem(word) for word in ("query", "queries")}) == 1
    assert len({stem(word) for word in ("log", "logging", "logged")}) == 1
    assert len({stem(word) for word in ("call", "calls", "calling")}) == 1
    assert stem("is") == "is"


def test_rare_words_tell_more_than_common_ones() -> None:
    index = NameIndex.of(["get_user", "get_page", "get_size", "get_time", "user_token"])
    assert index.likeness("user_id", "user_token") > index.likeness("get_x", "get_user")
    assert index.near("get_token", 2)[0] == "user_token"
