"""Code that is there already, in every language that a pack reads."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from judged_code import LANGUAGES, Sample, renamed

from aries_body.operations.codebase import Codebase
from aries_kernel.errors import BadArguments, UnknownName, UserError

Ask = Callable[[dict[str, str | bytes]], Codebase]
each_language = pytest.mark.parametrize("sample", LANGUAGES, ids=[one.language for one in LANGUAGES])
PYTHON = LANGUAGES[0]


def project_of(sample: Sample) -> dict[str, str | bytes]:
    head, tail = ("package shop;\n\nclass Sums {\n", "}\n") if sample.language == "java" else ("", "")
    head = "package shop\n\n" if sample.language == "go" else head
    other = head.replace("Sums", "Others")
    return {
        f"src/sums.{sample.suffix}": head + sample.code + tail,
        f"src/others.{sample.suffix}": other + sample.others + tail,
    }


@pytest.fixture
def found(ask: Ask, sample: Sample) -> Callable[[str], list[tuple[str, str]]]:
    """Names and relations of what a snippet repeats."""
    codebase = ask(project_of(sample))
    return lambda snippet: [(row.name, row.relation) for row in codebase.detect_duplication(snippet)]


@each_language
def test_the_same_code_is_found_as_the_same(sample: Sample, found: Callable[[str], object]) -> None:
    assert found(sample.code) == [(sample.name, "same")]


@each_language
def test_other_names_and_literals_are_no_other_code(sample: Sample, found: Callable[[str], object]) -> None:
    assert found(renamed(sample.code).replace("1.19", "7.5")) == [(sample.name, "renamed")]


@each_language
def test_comments_and_layout_are_no_other_code(sample: Sample, found: Callable[[str], object]) -> None:
    spread = "\n\n".join(f"{line}  {sample.comment}" for line in sample.code.rstrip().split("\n"))
    spread = spread.replace(f'by customer."""  {sample.comment}', 'by customer."""')
    assert found(spread) == [(sample.name, "same")]


@each_language
def test_a_statement_more_or_less_leaves_it_the_same_function(sample: Sample, found: Callable[[str], object]) -> None:
    added = sample.code.replace(sample.before, f"{sample.statement}{sample.before}")
    assert added != sample.code and found(added) == [(sample.name, "changed")]
    lines = sample.code.split("\n")
    without = "\n".join(line for line in lines if not re.search(r"LowerCase|ToLower|lower|lowercase|used\+\+", line))
    assert without != sample.code and found(without) == [(sample.name, "changed")]


@each_language
def test_a_body_without_its_head_is_a_part(sample: Sample, found: Callable[[str], object]) -> None:
    for body in (sample.body, textwrap.dedent(sample.body)):
        [(name, relation)] = found(body)  # type: ignore[misc]
        assert name == sample.name and relation in ("changed", "part")


@each_language
def test_other_functions_of_the_project_are_not_told(sample: Sample, ask: Ask) -> None:
    codebase = ask(project_of(sample))
    for path in codebase.list_files():
        assert codebase.detect_duplication(path).items == ()


def test_what_is_alike_in_its_head_only_is_no_duplicate(ask: Ask) -> None:
    codebase = ask({"a.py": PYTHON.others})
    for snippet in ("def add_tax(price):\n    return price * 1.19\n", "def keep(item):\n    pass\n"):
        answer = codebase.detect_duplication(snippet)
        assert answer.items == () and "too little code" in answer.note


def test_the_same_frame_around_different_work_is_no_duplicate(ask: Ask) -> None:
    frame = "def run(self, rows):\n    for row in rows:\n        if row:\n            with row.open() as it:\n{}\n"
    one = frame.format("                it.total = sum(part.price * part.count for part in it.parts if part.count)")
    other = frame.format("                raise ValueError('no rows', row.name, [it, None], {'a': 1, 'b': it.x[2]})")
    assert ask({"a.py": one}).detect_duplication(other).items == ()


def test_a_symbol_and_a_file_are_not_found_as_themselves(ask: Ask) -> None:
    copy = renamed(PYTHON.code)
    codebase = ask({"a.py": PYTHON.code, "b.py": copy})
    for asked in ("collect_totals", "a.py::collect_totals", "a.py", "./a.py"):
        assert [row.path for row in codebase.detect_duplication(asked)] == ["b.py"], asked
    [row] = codebase.detect_duplication("b.py")
    assert (row.path, row.line, row.end_line, row.similarity > 0.9) == ("a.py", 1, 9, True)


def test_two_alike_in_one_file_are_told_of_once(ask: Ask) -> None:
    codebase = ask({"a.py": f"{PYTHON.code}\n\n{renamed(PYTHON.code)}"})
    assert len(codebase.detect_duplication("a.py")) == 1


def test_functions_within_what_is_told_are_not_told_again(ask: Ask) -> None:
    rest = "    if store.closed:\n        store = store.again(timeout=3, mode='w')\n    with store.lock as held:\n"
    rest += "        held.put('totals', {name: [one.day for one in rows] for name, rows in store.days.items()})\n"
    outer = f"def keep(store, orders):\n{textwrap.indent(PYTHON.code, '    ')}{rest}"
    body = textwrap.dedent(outer.partition("\n")[2])
    codebase = ask({"a.py": outer})
    assert [row.name for row in codebase.detect_duplication(renamed(outer))] == ["keep"]
    assert [row.name for row in codebase.detect_duplication(f"connect()\n{body}")] == ["keep"]
    assert [row.name for row in codebase.detect_duplication(PYTHON.code)] == ["keep.collect_totals"]


def test_the_functions_of_a_body_are_told_as_the_function_around_them(ask: Ask) -> None:
    inner = textwrap.indent(f"{PYTHON.code}\n\n{PYTHON.others}", "    ")
    outer = (
        f"def keep(store, orders):\n    before = store.opened(orders, 1)\n{inner}\n    return collect_totals, before\n"
    )
    codebase = ask({"a.py": outer, "b.py": "def other(key):\n    return key\n"})
    body = textwrap.dedent(outer.partition("\n")[2])
    assert [row.name for row in codebase.detect_duplication(body)] == ["keep"]
    assert [row.name for row in codebase.detect_duplication(renamed(body))] == ["keep"]


def test_a_method_is_compared_with_a_function(ask: Ask) -> None:
    method = f"class Sums:\n{textwrap.indent(PYTHON.code.replace('(orders', '(self, orders'), '    ')}"
    [row] = ask({"a.py": PYTHON.code}).detect_duplication(method)
    assert (row.name, row.piece) == ("collect_totals", "")


def test_each_function_of_a_snippet_is_looked_for(ask: Ask) -> None:
    codebase = ask({"a.py": PYTHON.code, "b.py": PYTHON.others})
    rows = codebase.detect_duplication(renamed(PYTHON.code) + "\n\n" + PYTHON.others)
    assert {(row.path, row.name) for row in rows} == {("a.py", "collect_totals"), ("b.py", "read_lines")}
    assert all(row.piece for row in rows)


def test_a_snippet_is_read_in_its_own_language_whatever_most_files_are(ask: Ask) -> None:
    files: dict[str, str | bytes] = {f"{one.language}.{one.suffix}": one.code for one in LANGUAGES[:2]}
    codebase = ask({**files, **{f"many/{number}.ts": "export const a = 1;\n" for number in range(5)}})
    assert [row.path for row in codebase.detect_duplication(renamed(PYTHON.code))] == ["python.py"]
    assert [row.path for row in codebase.detect_duplication(renamed(LANGUAGES[1].code))] == ["javascript.js"]


@each_language
def test_a_broken_snippet_is_read_in_the_language_that_reads_it_farthest(sample: Sample, ask: Ask) -> None:
    others: dict[str, str | bytes] = {
        f"{one.language}{number}.{one.suffix}": one.others
        for one in LANGUAGES
        if one.language != sample.language
        for number in range(3)
    }
    lines = [f"{sample.comment} if not all of this is what it is as a class: return or pass", *sample.code.split("\n")]
    broken = "\n".join([*lines[:-3], "'no @ such ? code is $ here'", *lines[-3:]])
    row, *_ = ask(project_of(sample) | others).detect_duplication(broken, threshold=0.0)
    assert (row.path, row.name) == (f"src/sums.{sample.suffix}", sample.name)


def test_a_header_of_a_cpp_project_is_read_like_its_other_files(ask: Ask) -> None:
    code = "inline int level_of(log::level given)\n{\n    switch (given)\n    {\n    case log::level::debug:\n"
    code += "        return levels::low;\n    case log::level::info:\n        return levels::middle;\n    }\n}\n"
    files: dict[str, str | bytes] = {f"{name}.h": f"class {name} {{}};\n" for name in ("one", "two", "three")}
    codebase = ask(files | {"levels.h": f"namespace log {{\n{code}}}\n", "a.cpp": "int main() { return 0; }\n"})
    changed = renamed(code).replace("    case", "    count = note(count, 2)\n    case", 1)
    assert [row.path for row in codebase.detect_duplication(changed, threshold=0.0)] == ["levels.h"]


def test_a_language_may_be_named_and_one_that_is_not_there_lists_the_known_ones(ask: Ask) -> None:
    codebase = ask({"a.py": PYTHON.code})
    assert codebase.detect_duplication(PYTHON.code, language="python")[0].relation == "same"
    assert codebase.detect_duplication(PYTHON.code, language=".py")[0].relation == "same"
    with pytest.raises(UnknownName, match="python"):
        codebase.detect_duplication(PYTHON.code, language="cobol")


def test_a_snippet_that_is_broken_is_compared_and_told(ask: Ask) -> None:
    answer = ask({"a.py": PYTHON.code}).detect_duplication(f"{PYTHON.code}\ndef broken(:\n    pass\n")
    assert [row.name for row in answer] == ["collect_totals"]
    assert "line 11 of the snippet could not be parsed as python" in answer.note


def test_names_beyond_ascii_move_nothing(ask: Ask) -> None:
    code = PYTHON.code.replace("orders", "aufträge").replace("key", "schlüssel").replace("Sum", "«Σ»")
    [row] = ask({"a.py": f"# «größer»\n{code}"}).detect_duplication(renamed(PYTHON.code))
    assert (row.name, row.line, row.relation) == ("collect_totals", 2, "renamed")


def test_halves_of_characters_are_compared_like_other_code(ask: Ask) -> None:
    codebase = ask({"a.py": PYTHON.code})
    [row] = codebase.detect_duplication(PYTHON.code.replace("continue", "continue  # \udc80").replace("Sum", "\ud800"))
    assert row.name == "collect_totals"
    with pytest.raises(BadArguments, match="by its name"):
        codebase.detect_duplication(PYTHON.code, language=5)  # type: ignore[arg-type]


def test_deep_nesting_breaks_nothing(ask: Ask) -> None:
    deep = (
        f"def deep():\n    return {'[' * 1500}{']' * 1500}\n\n\ndef long():\n    x = {'1 + ' * 3000}1\n    return x\n"
    )
    codebase = ask({"a.py": deep, "b.py": PYTHON.code})
    assert [row.name for row in codebase.detect_duplication(deep)][:1] in (["deep"], ["long"])
    assert codebase.detect_duplication("b.py").items == ()


def test_a_snippet_that_would_take_minutes_to_read_is_refused_with_the_reason(ask: Ask) -> None:
    codebase = ask({"a.py": PYTHON.code})
    with pytest.raises(BadArguments, match="cannot be read as python: more than 20,000 signs in a row"):
        codebase.detect_duplication("(" * 200_000)


@pytest.mark.parametrize("code", ["", "  \n", 7])
def test_no_code_is_told_so(ask: Ask, code: object) -> None:
    with pytest.raises(BadArguments, match="no code"):
        ask({"a.py": PYTHON.code}).detect_duplication(code)  # type: ignore[arg-type]


@pytest.mark.parametrize("threshold", [-1, 2, True, "much"])
def test_a_threshold_is_a_share(ask: Ask, threshold: object) -> None:
    with pytest.raises(BadArguments, match="from 0 to 1"):
        ask({"a.py": PYTHON.code}).detect_duplication(PYTHON.code, threshold=threshold)  # type: ignore[arg-type]


def test_a_name_that_is_neither_symbol_nor_file_is_told_with_near_ones(ask: Ask) -> None:
    codebase = ask({"src/a.py": PYTHON.code})
    with pytest.raises(UnknownName, match="collect_totals"):
        codebase.detect_duplication("colect_totals")
    with pytest.raises(UnknownName, match=r"src/a\.py"):
        codebase.detect_duplication("src/b.py")


def test_answers_follow_the_files(ask: Ask, root: Path) -> None:
    codebase = ask({"a.py": PYTHON.code, "b.py": PYTHON.others})
    assert [row.path for row in codebase.detect_duplication(renamed(PYTHON.code))] == ["a.py"]
    (root / "c.py").write_text(renamed(PYTHON.code), encoding="utf-8")
    (root / "a.py").unlink()
    codebase.touched(["a.py", "c.py"])
    assert [row.path for row in codebase.detect_duplication(PYTHON.code)] == ["c.py"]
    (root / "c.py").write_text(f"\n\n{PYTHON.code}", encoding="utf-8")
    codebase.refresh_files()
    assert [(row.path, row.line) for row in codebase.detect_duplication("c.py", threshold=0.0)] == []
    assert [(row.path, row.line) for row in codebase.detect_duplication(PYTHON.code)] == [("c.py", 3)]


def test_a_later_session_answers_the_same_from_what_is_kept(ask: Ask) -> None:
    files: dict[str, str | bytes] = {"a.py": PYTHON.code, "b.py": PYTHON.others, "c.py": renamed(PYTHON.code)}
    first = ask(files)
    before = first.detect_duplication("a.py")
    first.close()
    assert ask({}).detect_duplication("a.py") == before


def test_a_file_that_was_left_out_is_told_as_left_out_by_every_question(ask: Ask) -> None:
    codebase = ask({"a.py": "def f():\n    return 1\n", "vendor/b.py": "def g():\n    return 2\n"})
    for question in (
        lambda: codebase.detect_duplication("vendor/b.py"),
        lambda: codebase.is_consistent_with("def f():\n    return 1\n", "vendor/b.py"),
        lambda: codebase.is_consistent_with("def f():\n    return 1\n", "vendor"),
        lambda: codebase.show_dependencies("vendor/b.py"),
        lambda: codebase.search("return", path="vendor/b.py"),
    ):
        with pytest.raises(UserError, match="left out of the graph: vendored code"):
            question()
