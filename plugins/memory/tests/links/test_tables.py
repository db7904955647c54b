"""Which lines are rows of a table."""

from __future__ import annotations

import pytest

from ori_memory.links.tables import is_in_table

TABLE = "| a | b |\n| - | :-: |\n| HERE | x |\n"


@pytest.mark.parametrize(
    "text",
    [
        TABLE,
        "prose\n\n" + TABLE,
        "a | b\n- | -\nHERE | x",
        "| HERE | b |\n| --- | --- |",
        "> | a | b |\n> | - | - |\n> | HERE | x |",
        "| a |\n|-|\n| x |\n| HERE |",
    ],
)
def test_a_row_is_in_a_table(text: str) -> None:
    assert is_in_table(text, text.index("HERE"))


@pytest.mark.parametrize(
    "text",
    [
        "HERE",
        "a pipe | HERE",
        TABLE.replace("HERE", "x") + "\nHERE | prose",
        "- | -\n HERE | x",
        "a\n---\nHERE | x",
        "x | y\n\n- | -\nHERE | x",
        "",
    ],
)
def test_a_pipe_alone_makes_no_table(text: str) -> None:
    assert not is_in_table(text, text.find("HERE") if text else 0)
