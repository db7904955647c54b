"""What is code is code whatever else is in the note: the quick look before it changes nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ori_memory.notes.code import find_code

PIECES = st.sampled_from(
    (
        *(
            "[[a]]",
            "word",
            " ",
            "\n",
            "\n\n",
            "- ",
            "\t",
            "    ",
            "     ",
            "> ",
            "%%",
            "<%",
            "%>",
            "<!--",
            "-->",
            "50%",
            "<a",
        ),
        *(
            "<pre>",
            "</PRE>",
            "<SCRIPT>",
            "# H",
            "1. ",
            "12)",
            "* ",
            "+",
            "---",
            "===",
            "|",
            "_",
            "\t- x",
            "    * y",
            "\n- a",
        ),
    )
)


@given(st.lists(PIECES, max_size=20).map("".join))
def test_a_stray_backtick_before_the_text_changes_nothing(text: str) -> None:
    start = len("`\n\n")
    with_sign = [(first - start, last - start) for first, last in find_code("`\n\n" + text, 0)]
    assert list(find_code(text, 0)) == with_sign


def test_five_blanks_behind_an_items_mark_are_code_with_and_without_other_signs() -> None:
    assert [list(find_code(text)) for text in ("-     [[a]]\n", "-     [[a]] 5%\n")] == [[(0, 11)], [(0, 14)]]
