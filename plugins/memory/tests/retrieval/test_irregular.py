"""Forms of English words that share no stem."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.index.irregular import regular

PARTS = ["bought", "Went", "LEFT", "children", "leaves", "buyers", "_", "-", " ", "\n", "é", "İ", "9", "x", "'"]


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("who buys the mill", "He bought the mill."),
        ("who bought the mill", "They buy a mill each year."),
        ("taught", "A teacher teaches."),
        ("the child", "Children played."),
        ("LEFT JOIN", "A leave of absence; who would join?"),
        ("left join", "Use left_join here."),
        ("leave", "useLeftHand"),
    ],
)
def test_one_form_finds_another(shelf: Any, asked: str, written: str) -> None:
    shelf.fill({"Wanted": written, "Other": "Nothing of the kind."})
    assert [hit.path for hit in shelf.ask(asked).hits] == ["Wanted.md"]


def test_what_stands_in_quotation_marks_is_meant_as_it_stands(shelf: Any) -> None:
    shelf.fill({"Buy": "They buy the mill.", "Bought": "They bought the mill."})
    assert shelf.ask('"bought the mill"').hits[0].path == "Bought.md"
    assert shelf.ask('"buy the mill"').hits[0].path == "Buy.md"


def test_a_note_that_is_gone_is_found_by_none_of_its_forms(shelf: Any) -> None:
    shelf.fill({"Gone": "He bought and wrote, she taught the children.", "Stays": "Rye."})
    assert shelf.ask("teach").hits
    (shelf.root / "Gone.md").unlink()
    shelf.memory().sync()
    assert not [hit for word in ("buy", "bought", "taught", "child") for hit in shelf.ask(word).hits]


@given(st.lists(st.sampled_from(PARTS) | st.text(max_size=4), max_size=30).map("".join))
def test_a_long_text_says_what_its_words_say(text: str) -> None:
    long = regular(text + " x" * 2_000)
    assert long == regular(text) + " x" * 2_000
    assert regular(long) == long
