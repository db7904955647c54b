"""Errors as user code sees them."""

from __future__ import annotations

from aries_body.process.body import Body


def test_only_lines_of_the_user_are_shown_with_their_text(body: Body) -> None:
    body.execute("def inner(x):\n    return x['missing']\ndef outer(x):\n    return inner(x)")
    error = body.execute("outer({})").error or ""
    assert [line.strip() for line in error.splitlines() if "File" in line] == [
        'File "<repl 2>", line 1, in <module>',
        'File "<repl 1>", line 4, in outer',
        'File "<repl 1>", line 2, in inner',
    ]
    assert "return x['missing']" in error and "aries_body" not in error and "KeyError: 'missing'" in error


def test_of_a_library_only_the_innermost_line_is_shown(body: Body) -> None:
    error = body.execute("import json\njson.loads('{')").error or ""
    files = [line for line in error.splitlines() if "File" in line]
    assert len(files) == 2 and "<repl 1>" in files[0] and "decoder.py" in files[1]


def test_causes_are_shown_the_same_way(body: Body) -> None:
    error = (
        body.execute("try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('no') from e").error or ""
    )
    assert "ZeroDivisionError" in error and "direct cause" in error and error.count("<repl 1>") == 2


def test_an_error_as_long_as_a_book_is_cut(body: Body) -> None:
    assert len(body.execute("raise ValueError('x' * 1_000_000)").error or "") < 8_000
    assert len(body.execute("def f(): f()\nf()").error or "") < 8_000


def test_another_language_is_recognised_and_strings_are_not_taken_for_it(body: Body) -> None:
    assert "takes Python" in (body.execute("const x = 1;").error or "")
    assert "takes Python" in (body.execute("ls -la | grep x").error or "")
    assert "takes Python" not in (body.execute("x = 'const y'\ny = = 1").error or "")


def test_groups_of_exceptions_are_shown(body: Body) -> None:
    error = body.execute("raise ExceptionGroup('several', [ValueError('one'), TypeError('two')])").error or ""
    assert "ValueError: one" in error and "TypeError: two" in error
