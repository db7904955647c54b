"""Conditions of the preprocessor that tear statements apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.testing.language_view import LanguageView
from aries_language_c.conditions import settled
from aries_language_c.pack import C

VIEW = LanguageView(C(), "a.c")
read, symbols = VIEW.read, VIEW.symbols

WORDS = st.sampled_from(
    [
        "#if A\n",
        "#ifdef B\n",
        "#else\n",
        "#elif C\n",
        "#endif\n",
        "{",
        "}",
        "(",
        ")",
        "x",
        ";",
        "=",
        ",",
        "\n",
        '"',
        "//",
    ]
)


@given(st.lists(WORDS, max_size=40))
def test_length_and_lines_stay_what_they_are(words: list[str]) -> None:
    source = "".join(words).encode()
    result = settled(source, {})
    assert [len(line) for line in result.split(b"\n")] == [len(line) for line in source.split(b"\n")]


@pytest.mark.parametrize(
    "torn",
    [
        "#ifdef A\n  if (n) {\n#else\n  if (m) {\n#endif\n    n = 1;\n  }\n",
        "#ifdef A\n  if (n) {\n    n = 2;\n  } else\n#endif\n  {\n    n = 1;\n  }\n",
        "  if (n\n#ifdef A\n      && m\n#endif\n  ) {\n    n = 1;\n  }\n",
        "  int t[] = { 1,\n#ifdef A\n    2,\n#else\n    3,\n#endif\n  };\n",
        "#ifdef A\n  if (n) {\n#endif\n    n = 1;\n#ifndef A\n    n = 2;\n#else\n  }\n#endif\n",
    ],
)
def test_what_follows_a_torn_statement_is_found_and_what_stands_in_it_is_local(torn: str) -> None:
    source = (
        f"int first(int n, int m) {{\n{torn}  int local = n;\n  return local;\n}}\nint second(void) {{ return 2; }}\n"
    )
    assert [row[:2] for row in symbols(source)] == [("function", "first"), ("function", "second")]
    assert read(source).error_line == 0


def test_of_two_heads_of_one_function_the_first_is_told() -> None:
    source = "#ifdef A\nint run(int n)\n#else\nint run(void)\n#endif\n{\n  return 1;\n}\nint next(void) { return 2; }\n"
    assert symbols(source) == [("function", "run", 2, 8), ("function", "next", 9, 9)]


def test_parameters_of_the_old_form_under_a_condition() -> None:
    heads = "#ifdef OLD\n  (a, b) int a, b;\n#else\n  (int a, int b)\n#endif\n"
    source = f"static int\nadd\n{heads}{{\n  int c = a;\n  return c;\n}}\n"
    assert symbols(source) == [("function", "add", 1, 11)]


@pytest.mark.parametrize(
    "whole",
    [
        "#ifdef A\nint a;\n#else\nint b;\n#endif\n",
        "enum kind {\n#ifdef A\n  ONE,\n#endif\n  TWO\n};\n",
        "struct s {\n#if A\n  int a;\n#else\n  int b;\n#endif\n};\n",
        "BEGIN_DECLS\n#ifdef A\nint a;\n#endif\n",
        "void f(void) {\n#if A\n  g(\"(\");\n#else\n  h('{');\n#endif\n}\n",
    ],
)
def test_both_branches_stay_where_each_is_whole(whole: str) -> None:
    assert settled(whole.encode(), {}) == whole.encode()


def test_what_is_never_compiled_is_not_kept() -> None:
    source = b"int f(int n) {\n#if 0\n  if (n) {\n#else\n  if (!n) {\n#endif\n  }\n}\n"
    assert b"!n" in settled(source, {}) and b"(n)" not in settled(source, {})


def test_directives_of_a_branch_that_is_left_out_stay() -> None:
    source = b"int f(int n) {\n#ifdef A\n  if (n) {\n#else\n#define B 1\n  if (!n) {\n#endif\n  }\n}\n"
    assert b"#define B 1" in settled(source, {})


@pytest.mark.parametrize("piece", [b" ", b"/* ", b"// ", b"( ", b"!", b"\\\n", b"'"])
def test_a_condition_without_end_is_read_once(piece: bytes) -> None:
    source = b"#if !" + piece * (300_000 // len(piece)) + b"\nint f(\n#else\nint g(\n#endif\nint a);\n"
    assert len(settled(source, {})) == len(source)
