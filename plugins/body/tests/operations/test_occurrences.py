"""Searches that others came before, when the places of words have been gathered."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from body_trees import write
from hypothesis import given
from hypothesis import strategies as st

from aries_body.index.project import Project
from aries_body.operations.codebase import Codebase
from aries_body.operations.occurrences import Occurrences
from aries_body.operations.required import TWINS, required_by
from aries_body.operations.wanted import Wanted, wanted

SIGNS = st.sampled_from(["a", "b", "_", "1", " ", "-", ".", "\n", "é", "ß"])
TEXTS = st.text(SIGNS, max_size=40)
LONG = st.builds(lambda part, times, rest: part * times + rest, TEXTS, st.sampled_from([1, 9, 40_000]), TEXTS)
ASKED = st.text(SIGNS.filter(lambda one: one != "\n"), min_size=1, max_size=12)
PIECES = st.sampled_from(
    ["a", "b", "is", "k", "S", "é", "K", r"\.", r"\w", r"\s+", ".", "[ab]", "[]a]", "(a|b)", "(?:is)?", "+", "*?", "?",
     "{2}", "{0,1}", "|", "^", "$", r"\b", "(?!b)", "(?i)", "(?x)", " ", r"\x61", r"\141"]
)  # fmt: skip


def joined(files: list[str]) -> tuple[bytes, list[int]]:
    parts = [text.encode() for text in files]
    return b"\0".join(parts), [sum(len(one) + 1 for one in parts[:number]) for number in range(len(parts))]


@given(files=st.lists(st.one_of(TEXTS, LONG), min_size=1, max_size=5), asked=ASKED, is_word=st.booleans())
def test_a_literal_is_counted_as_by_looking_through_every_file(files: list[str], asked: str, is_word: bool) -> None:
    found = Occurrences.of(*joined(files)).by_file(asked.encode(), is_word=is_word)
    looked = Wanted(asked.encode(), is_word=is_word)
    if found is None:
        assert not any(one.isalnum() or one == "_" for one in asked)
    else:
        assert found.tolist() == [looked.count_in(text.encode()) for text in files]


@given(files=st.lists(st.text("aé_1 -\n", max_size=200), min_size=1, max_size=4))
def test_words_of_every_length_are_told_apart(files: list[str]) -> None:
    text, starts = joined(files)
    gathered = Occurrences.of(text, starts)
    for word in set(re.findall(rb"[a1_\x80-\xff]+", text)):
        looked = Wanted(word, is_word=True)
        expected = [looked.count_in(one.encode()) for one in files]
        found = gathered.by_file(word, is_word=True)
        assert found is not None and found.tolist() == expected


@given(pieces=st.lists(PIECES, min_size=1, max_size=6), texts=st.lists(st.text("abisS kK.ıſé\n", max_size=12)))
def test_what_an_expression_requires_is_in_every_text_it_matches(pieces: list[str], texts: list[str]) -> None:
    expression = "".join(pieces)
    try:
        pattern = re.compile(expression, re.IGNORECASE | re.MULTILINE)
    except re.error:
        return
    for text in map(str.lower, texts):
        if pattern.search(text) and not set(TWINS) & set(text):
            assert all(one in text.encode() for one in required_by(expression))


@pytest.mark.parametrize(
    ("expression", "required"),
    [
        (r"def \w+_SET\(", (b"def ", b"_set(")),
        (r"colou?r{2}s", (b"colo", b"s")),
        (r"(foo|bar)baz", (b"baz",)),
        ("foo|bar", ()),
        (r"\x41bc", ()),
    ],
)
def test_texts_that_an_expression_requires(expression: str, required: tuple[bytes, ...]) -> None:
    assert wanted(expression, regex=True, word=False).required == required


def test_answers_stay_what_they_are_when_places_are_gathered(toys: Callable[..., Project]) -> None:
    files = {f"f{number}.toy": f"def run{number}\n# über-Lang x.y({number})\n" + "-" * 60_000 for number in range(40)}
    files["twin.toy"] = "# dıſcern\n"
    project = toys(files)
    codebase = Codebase(project)
    queries = ["run", "run39", "ÜBER", "über-lang", "x.y(", "nowhere", "1", "--", "f7", "lang x"]
    expressions = [r"run\d", "discern", r"x\.y\(3"]

    def answers(one: Codebase) -> list[object]:
        plain = [one.search(query, limit=None, word=is_word) for query in queries for is_word in (False, True)]
        return [*plain, *(one.search(query, limit=None, regex=True) for query in expressions)]

    first = answers(codebase)
    assert answers(codebase) == first
    alone = [Codebase(project) for _ in range(2)]
    assert alone[0].search("run", limit=None) == first[0] and alone[1].search("discern", regex=True).total == 1
    write(project.root, {"f0.toy": "def fresh\n", "new.toy": "nowhere\n"})
    codebase.refresh_files()
    assert [one.path for one in codebase.search("nowhere")] == ["new.toy"]
    assert [one.path for one in codebase.search("fresh")] == ["f0.toy"]
    assert not codebase.search("run0")


def test_pages_of_a_search_with_more_definitions_than_a_page_fit_together(toys: Callable[..., Project]) -> None:
    files = {f"{number:02}.toy": f"def needle{number % 3}\nneedle()\ndef other_needle\n" for number in range(40)}
    codebase = Codebase(toys(files))
    whole = codebase.search("needle", limit=None)
    pages = [one for start in range(0, len(whole), 7) for one in codebase.search("needle", limit=7, offset=start)]
    assert pages == list(whole) and codebase.search("needle", limit=7).total == whole.total == 120
