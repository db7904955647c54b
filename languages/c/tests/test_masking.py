"""What is blanked before parsing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_language_c.masking import masked, named_types

WORDS = st.sampled_from(
    [
        "APP_API",
        "int ",
        "f(",
        ")",
        ";",
        "{",
        "}",
        "\n",
        "struct ",
        "x",
        " ",
        "# ",
        "/* c */",
        "\\",
        '"',
        "extern",
        "enum ",
        "__word ",
        "3",
        ",",
    ]
)


@given(st.lists(WORDS, max_size=40))
def test_length_and_lines_stay_what_they_are(words: list[str]) -> None:
    source = "".join(words).encode()
    for result in (masked(source), named_types(source)):
        assert len(result) == len(source)
        assert [len(line) for line in result.split(b"\n")] == [len(line) for line in source.split(b"\n")]


@pytest.mark.parametrize(
    "kept",
    [
        "enum kind {\n  APP_ONE,\n  APP_TWO\n};\n",
        "int f(void) {\n  return APP_CALL(1);\n}\n",
        "int f(void) {\n  else APP_CALL(1);\n}\n",
        "MY_TYPE value;\n",
        "int x = A_B |\n  C_D\n  ;\n",
        "int f(__u32 x, __le16 *y);\n",
        "int x = f(3, 4) + g(1);\n",
    ],
)
def test_words_that_mean_something_to_the_grammar_stay(kept: str) -> None:
    assert masked(kept.encode()) == kept.encode()
