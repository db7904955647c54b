"""Customs of a project: counted, and held against a snippet only where the place is clear about them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from judged_code import LANGUAGES

from aries_body.operations.codebase import Codebase
from aries_kernel.errors import BadArguments, UnknownName

Ask = Callable[[dict[str, str | bytes]], Codebase]


def module(first: int) -> str:
    """A file of ten functions that are all made alike."""
    body = '''def read_part_{0}(path: str) -> str:
    """Read a part."""
    try:
        return open_file(path, "rb")
    except OSError as error:
        raise PartError(path) from error


'''
    head = f"from . import shared_{first}\nfrom .parts import open_file, PartError\n\n\n"
    return head + "".join(body.format(number) for number in range(first, first + 10))


FILES: dict[str, str | bytes] = {f"pkg/part_{number}.py": module(number * 10) for number in range(4)}
FILES["pkg/__init__.py"] = ""
FILES["tests/test_parts.py"] = """class TestParts:
    def test_one_part(self):
        assert 1

    def test_two_parts(self):
        assert 2
"""
GOOD = '''def write_part(path: str) -> str:
    """Write a part."""
    try:
        return open_file(path, "wb")
    except OSError as error:
        raise PartError(path) from error
'''


def aspects(codebase: Codebase, snippet: str, path: str = "pkg/part_1.py") -> set[str]:
    return {one.aspect for one in codebase.is_consistent_with(snippet, path).findings}


def test_code_that_does_as_its_place_does_fits(ask: Ask) -> None:
    found = ask(FILES).is_consistent_with(GOOD, "pkg/part_1.py")
    assert found.is_consistent and found.deviation == 0 and found.checked >= 4 and found.files >= 4


@pytest.mark.parametrize(
    ("snippet", "aspect"),
    [
        (GOOD.replace("write_part", "writePart"), "naming: functions"),
        (GOOD.replace("except OSError as error", "except"), "errors: handlers"),
        (GOOD.replace("raise PartError(path) from error", "pass"), "errors: handlers"),
        (GOOD.replace('    """Write a part."""\n', ""), "docs: functions"),
        (GOOD.replace("path: str) -> str", "path)"), "types: functions"),
        (GOOD.replace("    ", "\t"), "layout: indentation"),
        (GOOD.replace('"wb"', "'wb'"), "layout: quotes"),
        (f"from pkg.parts import *\n\n\n{GOOD}", "imports: names"),
        (f"from pkg.parts import open_file\n\n\n{GOOD}", "imports: places"),
        (GOOD.replace("try:", "try"), "syntax"),
    ],
)
def test_each_custom_that_is_broken_is_told(ask: Ask, snippet: str, aspect: str) -> None:
    codebase = ask(FILES)
    found = codebase.is_consistent_with(snippet, "pkg/part_1.py")
    assert not found.is_consistent and aspect in {one.aspect for one in found.findings}
    assert 0 < found.deviation <= 1 and aspect.split(":")[0] in repr(found)


def test_a_finding_says_what_is_usual_where_it_is_seen_and_how_often(ask: Ask) -> None:
    snippet = f"x = 1\n\n\n{GOOD.replace('write_part', 'writePart')}"
    [finding] = ask(FILES).is_consistent_with(snippet, "pkg/part_1.py").findings
    assert (finding.line, finding.actual) == (4, "camelCase (writePart)")
    assert finding.expected.startswith("snake_case (read_part_1")
    assert finding.share == 1.0 and finding.count >= 40 and finding.example.startswith("pkg/part_1.py:")


def test_a_name_of_one_word_is_of_no_style(ask: Ask) -> None:
    names = "".join(f"def {name}(path):\n    return path\n\n\n" for name in ("run", "stop", "load"))
    codebase = ask({**FILES, "pkg/life.py": names})
    for path in ("pkg/life.py", "pkg/part_1.py"):
        assert "naming: functions" not in aspects(codebase, "def start(path):\n    return path\n", path)


def test_a_function_fits_the_file_that_it_is_in_however_odd_it_is(ask: Ask) -> None:
    odd = "def getThing( x ):\n\ttry:\n\t\treturn eval('x')\n\texcept:\n\t\tpass\n"
    codebase = ask({**FILES, "pkg/part_1.py": module(10) + odd})
    assert codebase.is_consistent_with(odd, "pkg/part_1.py").findings == ()
    assert {"naming: functions", "errors: handlers"} <= aspects(codebase, odd, "pkg/part_2.py")


def test_a_part_of_a_line_of_the_file_fits_it_too(ask: Ask) -> None:
    odd = "function( a_b ) {\n\treturn a_b\n}"
    calls = "".join(f"app.use(function goOn{number}(req) {{\n  next(req);\n}});\n" for number in range(9))
    codebase = ask({"a.js": f"{calls}app.use({odd});\n"})
    assert codebase.is_consistent_with(odd, "a.js").findings == ()
    assert not codebase.is_consistent_with(odd.replace("return", "yield"), "a.js").is_consistent


@pytest.mark.parametrize("sample", LANGUAGES, ids=[one.language for one in LANGUAGES])
def test_every_function_of_a_file_fits_it(ask: Ask, sample: object) -> None:
    one = sample
    head, tail = ("class Sums {\n", "}\n") if one.language == "java" else ("", "")  # type: ignore[attr-defined]
    head = "package shop\n\n" if one.language == "go" else head  # type: ignore[attr-defined]
    path = f"sums.{one.suffix}"  # type: ignore[attr-defined]
    codebase = ask({path: head + one.code + one.others + tail})  # type: ignore[attr-defined]
    assert codebase.is_consistent_with(one.code, path).findings == ()  # type: ignore[attr-defined]


def test_a_folder_may_be_the_place_and_one_that_is_not_there_is_told(ask: Ask) -> None:
    codebase = ask(FILES)
    assert aspects(codebase, GOOD.replace("write_part", "writePart"), "pkg") == {"naming: functions"}
    with pytest.raises(UnknownName, match=r"pkg/part_1\.py"):
        codebase.is_consistent_with(GOOD, "pkg/part_9.py")
    with pytest.raises(BadArguments, match="no code"):
        codebase.is_consistent_with(" ", "pkg")


def test_where_too_little_is_known_nothing_is_held_against_anybody(ask: Ask) -> None:
    codebase = ask({"a.py": 'def do_it():\n    """Do it."""\n    return 1\n'})
    assert codebase.is_consistent_with("def doThat(x):\n    return x\n", "a.py").is_consistent


def test_customs_are_counted_with_their_shares_and_examples(ask: Ask) -> None:
    rows = ask(FILES).find_convention("naming")
    [functions] = [row for row in rows if row.subject == "functions"]
    assert (functions.value, functions.count, functions.share, functions.files) == ("snake_case", 42, 1.0, 5)
    assert all(":" in example for example in functions.examples)
    assert {row.topic for row in rows} == {"naming"}


def test_shares_of_a_subject_add_up(ask: Ask) -> None:
    sums: dict[tuple[str, str], float] = {}
    for row in ask(FILES).find_convention(limit=None):
        sums[row.topic, row.subject] = sums.get((row.topic, row.subject), 0) + row.share
    assert len({topic for topic, _ in sums}) == 7
    assert all(abs(total - 1) < 1e-9 for total in sums.values())


@pytest.mark.parametrize("topic", ["error handling", "errors", "Exceptions", "how errors are raised"])
def test_a_topic_may_be_said_in_several_ways(ask: Ask, topic: str) -> None:
    rows = ask(FILES).find_convention(topic)
    assert ("handlers", "`except` with kinds", 40) in {(row.subject, row.value, row.count) for row in rows}


def test_tests_are_told_by_their_places_names_forms_and_assertions(ask: Ask) -> None:
    rows = {(row.subject, row.value, row.count) for row in ask(FILES).find_convention("tests")}
    assert rows == {
        ("places", "in a folder tests/", 1),
        ("file names", "test_*", 1),
        ("form", "methods of classes", 2),
        ("assertions", "`assert`", 2),
    }


def test_a_topic_may_be_a_path_and_a_path_may_narrow_a_topic(ask: Ask) -> None:
    codebase = ask(FILES)
    assert codebase.find_convention("pkg/part_1.py", limit=None) == codebase.find_convention(
        path="pkg/part_1.py", limit=None
    )
    rows = codebase.find_convention("naming", path="tests")
    assert {(row.subject, row.value) for row in rows} == {
        ("functions", "snake_case"), ("types", "PascalCase"), ("files", "snake_case"),
    }  # fmt: skip
    with pytest.raises(UnknownName):
        codebase.find_convention("naming", path="nowhere")


def test_any_other_word_is_looked_for_in_what_is_used(ask: Ask) -> None:
    codebase = ask(FILES)
    rows = codebase.find_convention("quantum fields")
    assert rows.items == () and "topics: naming, errors" in rows.note
    [use, *_] = codebase.find_convention("open file")
    assert (use.subject, use.value, use.files) in (("uses", "open_file", 4), ("imports", ".parts open_file", 4))


def test_words_that_are_no_keywords_and_comments_show_no_custom(ask: Ask) -> None:
    python = 'def run():\n    """Catch (me) and throw an error\n    raise it.\n    """\n    return 1\n'
    script = "// throw an error; catch (it)\n/*\n * throw new things;\n */\nfunction run() { return 1; }\n"
    go = "package p\n\n// Run never does: throw the towel;\nfunc Run() rune {\n\treturn 'x'\n}\n"
    codebase = ask({"a.py": python, "b.js": script, "c.go": go})
    raising = [row for row in codebase.find_convention("errors") if row.value != "`raise`"]
    assert raising == []
    layout = {(row.subject, row.value) for row in codebase.find_convention("layout", path="c.go")}
    assert layout == {("indentation", "tabs")}


def test_indentation_is_how_much_deeper_lines_go_whatever_stands_aligned(ask: Ask) -> None:
    code = "def run(self, one,\n        other):\n    def add(key,\n            value):\n        if key:\n"
    code += "            call(key,\n                 value)\n        return (key and\n                  value)\n"
    code += "    if one:\n        return add(one,\n                   other)\n    for x in other:\n        add(x, 1)\n"
    found = ask({"a.py": code}).find_convention("layout")
    assert [row.value for row in found if row.subject == "indentation"] == ["4 blanks"]


def test_a_quote_is_shown_on_its_line(ask: Ask) -> None:
    found = ask(
        {"a.py": "import os\n\n\ndef name_of(it):\n    return it.get('a name', os.name, it.all)\n"}
    ).find_convention("layout")
    assert [row.examples for row in found if row.subject == "quotes"] == [("a.py:5 'a name'",)]


def test_a_syntax_error_is_told_without_a_count(ask: Ask) -> None:
    found = ask(FILES).is_consistent_with(GOOD.replace("try:", "try"), "pkg/part_1.py")
    assert "could not be parsed as python" in repr(found) and " of 0 there" not in repr(found)


def test_who_does_a_thing_is_found_by_the_thing(ask: Ask) -> None:
    codebase = ask(
        {"a.py": "from a_lib import logger, parser\n\n\ndef run():\n    logger.warn(parser.parse())\n    login()\n"}
    )
    found = {(row.topic, row.value) for topic in ("logging", "parsing") for row in codebase.find_convention(topic)}
    assert ("logging", "logger.warn") in found and any(
        "parser" in value for topic, value in found if topic == "parsing"
    )
    assert not any("login" in value for _, value in found)
