"""Frontmatter edited in place."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from ori_memory.notes.frontmatter import FrontmatterError, edit_frontmatter
from ori_memory.notes.parsing import parse_note
from ori_memory.notes.yaml_fast import read_fast
from ori_memory.notes.yaml_whole import YamlProblem, read_whole

HARD = [
    'Governance: Plan #1 "x"',
    "- dash",
    "[x]",
    "yes",
    "No",
    "2026-01-01",
    "null",
    "~",
    "@x",
    "%",
    "a\nb\n",
    "😀",
    "tail  ",
]
HARD += [
    " head",
    "1e3",
    "0o7",
    "0x1F",
    "1_000",
    "12:30",
    "",
    "a: b",
    "a #b",
    "#a",
    "'",
    '"',
    "\\",
    "\t",
    "{a}",
    "*a",
    "&a",
    "!a",
]
HARD += [
    "|",
    ">",
    "? a",
    "---",
    "...",
    "y",
    "on",
    "=",
    "<<",
    ".inf",
    "NaN",
    "it's",
    "a\u2028b",
    "\u0085",
    "\x00",
    "\ufeff",
    "`a`",
]
TEXTS = st.one_of(st.sampled_from(HARD), st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
SCALARS = st.one_of(TEXTS, st.dates(), st.integers(-(10**15), 10**15), st.booleans())
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=4))
KEYS = st.one_of(st.sampled_from(["title", "tags", "my key", "yes", "会议"]), TEXTS.filter(bool))
MAPPINGS = st.dictionaries(KEYS, VALUES, min_size=1, max_size=5)

NOTE = """---
# of the head
title: 'Old one'   # why
status: inbox # now
tags:
  - a # first
  # about b
  - b

# after the tags
num: 007
flow: [a, b] # f
lit: |
  # no comment
  x

"quoted key":   "v"
last: 1
---
# Body

---
title: not this
---
"""


def differing(before: str, after: str) -> tuple[list[str], list[str]]:
    old, new = before.split("\n"), after.split("\n")
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return old, new


@settings(max_examples=300, deadline=None)
@given(MAPPINGS)
def test_what_is_written_is_read_back_by_every_yaml(changes: dict[str, object]) -> None:
    text = edit_frontmatter("body\n", changes)
    assert text.endswith("---\nbody\n")
    inner = text.removeprefix("---\n").removesuffix("---\nbody\n")
    for version in ((1, 1), (1, 2)):
        reader = YAML(typ="safe", pure=True)
        reader.version = version
        assert dict(reader.load(inner)) == changes, version
    assert dict(parse_note(text, "x").properties) == changes


@settings(max_examples=200, deadline=None)
@given(MAPPINGS, MAPPINGS, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\ufeff"]))
def test_a_second_edit_changes_its_keys_only(
    first: dict[str, object], second: dict[str, object], line_end: str, mark: str
) -> None:
    body = line_end.join(["one", "", "---", "two: 2", "---", ""])
    text = mark + edit_frontmatter(f"---{line_end}---{line_end}{body}", first)
    edited = edit_frontmatter(text, second)
    assert edited.startswith(mark + "---" + line_end)
    assert edited.endswith(line_end + "---" + line_end + body)
    assert dict(parse_note(edited, "x").properties) == {**first, **second}
    removed = edit_frontmatter(edited, dict.fromkeys(second))
    assert dict(parse_note(removed, "x").properties) == {key: first[key] for key in first if key not in second}


@pytest.mark.parametrize("title", HARD)
def test_a_title_reads_back_as_the_same_text(title: str) -> None:
    text = edit_frontmatter(NOTE, {"title": title})
    assert parse_note(text, "x").properties["title"] == title
    old, new = differing(NOTE, text)
    assert (old, len(new)) == (["title: 'Old one'   # why"], 1)


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ({"status": "active"}, ["status: inbox # now"], ["status: active # now"]),
        ({"title": "it's"}, ["title: 'Old one'   # why"], ["title: 'it''s'   # why"]),
        ({"tags": ["a", "c", "b"]}, [], ["  - c"]),
        ({"tags": ["a", "b", "x: y"]}, [], ['  - "x: y"']),
        ({"tags": ["a"]}, ["  # about b", "  - b"], []),
        ({"tags": None}, ["tags:", "  - a # first", "  # about b", "  - b"], []),
        ({"flow": ["a", "x, y"]}, ["flow: [a, b] # f"], ['flow: [a, "x, y"] # f']),
        ({"lit": "z"}, ["lit: |", "  # no comment", "  x"], ["lit: z"]),
        ({"quoted key": "w"}, ['"quoted key":   "v"'], ['"quoted key":   "w"']),
        ({"new": datetime.date(2026, 1, 2)}, [], ["new: 2026-01-02"]),
        ({"last": 2}, ["last: 1"], ["last: 2"]),
        ({"last": 1, "tags": ["a", "b"], "lit": "# no comment\nx\n", "absent": None}, [], []),
        ({"source": {"client": "x", "n": [1, None]}}, [], ['source: {"client": x, "n": [1, null]}']),
    ],
)
def test_only_the_lines_of_the_changed_key_differ(changes: dict[str, object], old: list[str], new: list[str]) -> None:
    edited = edit_frontmatter(NOTE, changes)
    before, after = differing(NOTE, edited)
    assert [line for line in after if line not in before] == [line for line in new if line not in old]
    assert [line for line in before if line not in after] == [line for line in old if line not in new]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\ntitle: x\nbody", 1),
        ("---", 1),
        ("---\n\ttitle: x\n---\n", 2),
        ("---\na:\n\t- b\n---\n", 3),
        ("---\njust prose\n---\n", 2),
        ("---\n- a\n---\n", 2),
        ("---\nb: 1\na: b: c\n---\n", 3),
        ("---\na: 1\nb: 2\na: 3\n---\n", 4),
        ("+++\na = 1\n+++\n", 1),
        ("---\na: [x\n---\n", 3),
        ("---\na: &x 1\nb: *x\n---\n", 3),
        ("---\na: x\n: y\nb: &n 1\nc: &n 2\n---\n", 2),
        ("\ufeff---\r\na: 'x\r\n---\r\n", 3),
    ],
)
def test_broken_frontmatter_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(FrontmatterError, match=rf"^line {line}: ") as caught:
        edit_frontmatter(text, {"a": None if "\n: y" in text else "x"})
    assert caught.value.line == line


@pytest.mark.parametrize("value", [object(), b"x", "\ud800", [1, [object()]]])
def test_what_yaml_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(FrontmatterError, match="'a'"):
        edit_frontmatter("body", {"a": value})


def test_nothing_to_change_changes_nothing() -> None:
    assert edit_frontmatter("body", {"a": None}) == "body"
    assert edit_frontmatter(NOTE, {}) == NOTE


def test_a_new_block_stands_after_the_byte_order_mark_with_the_line_ends_of_the_text() -> None:
    assert edit_frontmatter("\ufeffone\r\ntwo", {"a": 1}) == "\ufeff---\r\na: 1\r\n---\r\none\r\ntwo"


YAML_LINES = st.lists(
    st.sampled_from(
        [
            "a: 1",
            "b: x y",
            "c: 'q'",
            'd: "q"',
            "e: [a, 'b', 1]",
            "f:",
            "  - a",
            "  - 'b'",
            "- c",
            "g: a: b",
            "h: #x",
            "",
            "# c",
            "i: x #c",
            "j: a:b",
            "k: [a, b",
            "  more",
            "l: -1",
            "m: ~",
            "- ",
            "n: it's",
            "o: 'it''s'",
            "p p: 1",
            "q: a#b",
            "r: []",
            "s: [ a , b ]",
            "t:  x  ",
            "u: http://x/y",
            "  - a: b",
            "v: ?x",
            "w: x?",
            "x: a,b",
            "y: a]",
            "z: {}",
            " aa: 1",
            "é: ü",
            "  - x # y",
            "bb: x:",
            "cc: 'a' b",
            "  -  z",
            "dd: - x",
            "ee: [a, ]",
            "ff: [a b, c/d]",
            "gg: ' x '",
            "  in: 1",
            "  in: ",
            "    deep: 'x'",
            "    deep2:",
            "  other: [a, b]",
            "    - z",
            "hh: {a: 1, b c: 'x'}",
            "ii: {a: 1, a: 2}",
            "jj: { a: b , c: d}",
            "  kk: {a: }",
            "ll:",
            "  mm: {a:b}",
            "- ",
            "-",
            "  - ",
            "  -",
        ]
    ),
    max_size=8,
)


@settings(max_examples=800, deadline=None)
@given(YAML_LINES)
@example(["f:", "- c", "# c", "b: x y"])
@example(["f:", "  in: 1", "", "  other: [a, b]", "b: 1"])
@example(["f:", "  in: ", "  - x", "  other: 1"])
@example(["f:", "  in: ", "    deep: 'x'", "  other: 1", "    deep2:", "b: 1"])
@example(["f:", "  in: ", "- x", "b: 1"])
@example(["f:", "- ", "-", "b: 1"])
@example(["f:", "  -", "    deep: 'x'", "b: 1"])
@example(["f:", "  in: ", "  -", "    deep: 'x'"])
def test_the_fast_reader_reads_as_the_whole_one_or_not_at_all(lines: list[str]) -> None:
    inner = "".join(line + "\n" for line in lines)
    fast = read_fast(inner)
    if fast is None:
        return
    whole = read_whole(inner)
    assert [(entry.key, entry.value, type(entry.value)) for entry in fast] == [
        (entry.key, entry.value, type(entry.value)) for entry in whole
    ]
    assert _kinds([entry.value for entry in fast]) == _kinds([entry.value for entry in whole])


def test_a_list_with_an_empty_item_is_read_fast() -> None:
    entries = read_fast("aliases:\n- \ntags:\n  -\n  - tea\npublish: true\n")
    assert entries is not None
    assert [(one.key, one.value) for one in entries] == [("aliases", [""]), ("tags", ["", "tea"]), ("publish", "true")]


def _kinds(value: object) -> object:
    """Which scalars stood in quotes."""
    if isinstance(value, dict):
        return [(key, _kinds(inner)) for key, inner in value.items()]
    return [_kinds(inner) for inner in value] if isinstance(value, list) else type(value)


@settings(max_examples=600, deadline=None)
@given(st.text("ab:{}, '\"\n-", max_size=24))
def test_what_stands_below_a_key_is_read_alike_by_both(text: str) -> None:
    inner = f"key:\n  in: 1\n  {text}\nlast: {{a: 1, b: {text}\n"
    fast = read_fast(inner)
    if fast is not None:
        assert [(entry.key, entry.value) for entry in fast] == [(entry.key, entry.value) for entry in read_whole(inner)]


def test_what_ori_writes_of_a_source_is_for_the_fast_reader() -> None:
    inner = 'source: {client: "obsidian", file: "x/y.md", commit: "1a"}\nscope:\n  in:\n    - a\n  of: {n: 1}\n'
    assert [(one.key, one.value) for one in read_fast(inner) or ()] == [
        ("source", {"client": "obsidian", "file": "x/y.md", "commit": "1a"}),
        ("scope", {"in": ["a"], "of": {"n": "1"}}),
    ]


@settings(max_examples=600, deadline=None)
@given(st.text("ab1é:#-'\"[],{}&*!|>%@`? \n.", max_size=30))
def test_the_fast_reader_never_reads_what_is_no_yaml(text: str) -> None:
    fast = read_fast(text)
    if fast is not None:
        try:
            whole = read_whole(text)
        except YamlProblem as problem:
            raise AssertionError(f"{text!r}: {problem}") from problem
        assert [(entry.key, entry.value) for entry in fast] == [(entry.key, entry.value) for entry in whole]


PIECES = [
    *[
        "a: 1",
        "b: x # c",
        "tags:",
        "  - a",
        "  - b # z",
        "- c",
        "t: >-",
        "  lit",
        "   more",
        "",
        "# c",
        "s: 'q'  # d",
        "f: [a, b]",
        "m:",
        "  k: v",
        "  # in",
    ]
]
PIECES += [
    "'q k': 1",
    "? z",
    ": y",
    "p: a",
    "  cont",
    "e: {a: 1}",
    "n: &n 5",
    "o: *n",
    "g: [x,",
    "  y]",
    "u: !!str 5",
    'w: "a',
    '  b"',
]


@settings(max_examples=500, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["\n", "\r\n"])).map("".join), max_size=7).map("".join),
    st.sampled_from(["a", "b", "tags", "t", "p", "m", "w", "q k", "new"]),
    st.sampled_from(["v", "yes", None, ["a", "b"], ["b"], 3, "two\nlines", ["a", "q", "b"], 'it\'s "x"']),
)
def test_any_block_is_refused_or_keeps_all_other_keys_and_the_body(inner: str, key: str, value: object) -> None:
    text = f"---\n{inner}---\nbody\r\n---\n"
    try:
        edited = edit_frontmatter(text, {key: value})
    except FrontmatterError:
        return
    assert edited.startswith("---\n")
    assert edited.endswith("---\nbody\r\n---\n")
    before, after = dict(parse_note(text, "x").properties), dict(parse_note(edited, "x").properties)
    assert after.pop(key, None) == value
    before.pop(key, None)
    assert after == before
