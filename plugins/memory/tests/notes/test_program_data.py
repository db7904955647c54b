"""What of a note is for a plugin only."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ori_memory.notes.program_data import without_program_data

DRAWING = """# Text Elements
Kettle ^a1

%%
## Drawing
```compressed-json
N4KAkARALgngDgUwgLgAQQQDwMYEMA2AlgCYBOuA7hADTgQBuCpAzoQPYB2KqATLZMzYBXUtiRoIACyhQ4zZAHoFAc0JRJQgEYA6bGwC2CgF7N6hbEcK4OCtptbErHALRY8RMpWdx8Q1TdIEfARcZgRmBShcZQUebQAGbQA2Gjoghh4AMwBfQA=
```
%%
after
"""


def test_a_drawing_is_blanked_and_its_words_stay() -> None:
    said = without_program_data(DRAWING)
    assert said.split() == ["#", "Text", "Elements", "Kettle", "^a1", "%%", "after"]
    assert len(said) == len(DRAWING) and said.count("\n") == DRAWING.count("\n")


def test_a_comment_of_the_person_stays() -> None:
    text = "a\n%%\nthink of this\n%%\nb\n\n```json\n{}\n```\n%% one line %%\nc\n~~~\ncode\n~~~\n"
    assert without_program_data(text) == text


def test_one_that_is_not_closed_ends_with_the_note() -> None:
    assert without_program_data("a\n\n%% kanban:settings\n```\n{}\n```\n").split() == ["a"]


@given(st.text(st.sampled_from("a\n%`~ "), max_size=80))
def test_no_letter_moves(text: str) -> None:
    said = without_program_data(text)
    assert len(said) == len(text)
    assert all(new in (old, " ") and (old != "\n" or new == "\n") for old, new in zip(text, said, strict=True))
