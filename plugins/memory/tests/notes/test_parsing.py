"""What a note says, whatever is in it."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ori_memory.model import Heading
from ori_memory.notes.parsing import parse_note

PIECES = [
    "---",
    "[[",
    "]]",
    "|",
    "\\",
    "#",
    "^",
    "`",
    "```",
    "~~~",
    "$",
    "$$",
    "%%",
    "<%",
    "%>",
    "<!--",
    "-->",
    "a",
    "::",
    "'",
    '"',
    "[",
    "]",
    "(",
    ")",
    "!",
    "+++",
    "=",
    "==",
    "{",
    "}",
    "&a",
    "*a",
    ">",
    "{{",
    "<pre>",
]
PIECES += [
    "\n",
    "\r\n",
    "\r",
    "- ",
    "> ",
    "1. ",
    "    ",
    "\t",
    " ",
    "b c",
    ": ",
    "key: ",
    "title: ",
    "tags: ",
    "? ",
    "\ufeff",
]
PIECES += ["\0", "\ud800"]
SIGNS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


def properties(text: str) -> dict[str, object]:
    return dict(parse_note(text, "x").properties)


@settings(max_examples=400, deadline=None)
@given(st.one_of(SIGNS, SIGNS.map(lambda text: "---\n" + text + "\n---\nbody"), st.text()))
@example("---\n%\n---\n")
@example("---\n&a [*a]\n---\n")
@example("---\na: &a [*a, *a]\n---\n")
@example("---\n? [a]\n: b\n---\n")
@example("---\na: !!python/object:os.system x\n---\n")
@example("---\na: " + "9" * 5000 + "\n---\n")
def test_no_text_makes_it_raise_and_every_link_is_in_the_text(text: str) -> None:
    note = parse_note(text, "stem")
    assert note.title
    for link in note.links:
        assert 0 <= link.start < link.end <= len(text)
        assert 1 <= link.line <= text.count("\n") + text.count("\r") + 1


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("a: 1", {"a": 1}),
        ("a: 1.5", {"a": 1.5}),
        ("a: 1.10", {"a": "1.10"}),
        ("a: 007", {"a": "007"}),
        ("a: 1e3", {"a": "1e3"}),
        ("a: 0o7", {"a": "0o7"}),
        ("a: yes", {"a": "yes"}),
        ("a: true", {"a": True}),
        ("a: 'true'", {"a": "true"}),
        ("a:", {"a": None}),
        ("a: ~", {"a": None}),
        ("a: 2026-01-01", {"a": datetime.date(2026, 1, 1)}),
        ("a: 2026-13-01", {"a": "2026-13-01"}),
        ("a: 2020-12-04T18:42:24+01:00", {"a": datetime.datetime.fromisoformat("2020-12-04T18:42:24+01:00")}),
        ("a: 12:30", {"a": "12:30"}),
        ("a: [x, 'y, z', 3]", {"a": ["x", "y, z", 3]}),
        ("a:\n- x\n- y", {"a": ["x", "y"]}),
        ("a:\n  - x # why\n  # more\n  - y", {"a": ["x", "y"]}),
        ("a: |\n  one\n  two\nb: 1", {"a": "one\ntwo\n", "b": 1}),
        ("a: {b: 1}", {"a": {"b": 1}}),
        ("a: &n 1\nb: *n", {"a": 1, "b": 1}),
        ("a: http://x.org/#y", {"a": "http://x.org/#y"}),
        ("a: x # comment", {"a": "x"}),
        ("# only a comment", {}),
        ("", {}),
        ("会议: 记录", {"会议": "记录"}),
        ("my key: v", {"my key": "v"}),
        ('a: "\\u00e9"', {"a": "é"}),
    ],
)
def test_properties_are_plain_data(yaml: str, expected: dict[str, object]) -> None:
    note = parse_note(f"---\n{yaml}\n---\nbody\n", "x")
    assert (dict(note.properties), note.problems, note.body, note.has_frontmatter) == (expected, (), "body\n", True)


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("title: Plan: the second", {"title": "Plan: the second"}),
        ("tags:\n\t- a\n\t- b", {"tags": ["a", "b"]}),
        ("a: [x, y", {"a": "[x, y"}),
        ("a: 'x", {"a": "'x"}),
        ("a: @home", {"a": "@home"}),
        ("a: 50% of: it\nb: 2", {"a": "50% of: it", "b": 2}),
        ("title:no blank\nb: 1", {"title": "no blank", "b": 1}),
    ],
)
def test_what_people_write_by_hand_is_read_as_they_mean_it_and_named(yaml: str, expected: dict[str, object]) -> None:
    note = parse_note(f"---\n{yaml}\n---\nbody", "x")
    assert dict(note.properties) == expected
    assert note.body == "body"
    assert len(note.problems) == 1
    assert note.problems[0].startswith("line ")


def test_of_a_key_that_occurs_twice_the_last_counts_and_it_is_said() -> None:
    note = parse_note("---\na: 1\nb: 2\na: 3\n---\n", "x")
    assert dict(note.properties) == {"a": 3, "b": 2}
    assert note.problems == ("line 4: the key 'a' occurs twice; the last one counts",)


@pytest.mark.parametrize("text", ["---\ntitle: x\nbody", "---\n\nprose\n\n---\nmore", "---", "---\n- a\n---\n"])
def test_what_is_no_frontmatter_is_body(text: str) -> None:
    note = parse_note(text, "stem")
    assert (note.body, note.has_frontmatter, note.title) == (text, False, "stem")
    assert note.problems


def test_a_rule_in_the_body_ends_nothing() -> None:
    note = parse_note("---\na: 1\n---\none\n\n---\n\ntwo: 2\n---\n", "x")
    assert note.body == "one\n\n---\n\ntwo: 2\n---\n"


def test_byte_order_mark_and_line_ends_do_not_hide_the_frontmatter() -> None:
    note = parse_note("\ufeff---\r\ntitle: T\r\ntags: [a]\r\n---\r\n# H\r\n\r\n[[x]]\r\n", "s")
    assert (note.title, note.tags, note.body) == ("T", ("a",), "# H\n\n[[x]]\n")
    assert note.headings == (Heading(1, "H", 5),)
    assert note.links[0].line == 7


def test_old_line_ends_are_line_ends() -> None:
    note = parse_note("---\ra: 1\r---\r# H\r[[x]]", "s")
    assert (dict(note.properties), note.headings[0].line, note.links[0].line) == ({"a": 1}, 4, 5)


@pytest.mark.parametrize("title", ["yes", "2026-01-01", "1.10", "1e3", "0o7", "true", "007", "@x", "12:30"])
def test_a_title_is_the_text_as_it_is_written(title: str) -> None:
    assert parse_note(f"---\ntitle: {title}\naliases: [{title}]\n---\n", "s").title == title


@pytest.mark.parametrize("yaml", ["title:", "title: ~", "title: null", "title: ''", "title: [a]"])
def test_an_empty_title_is_no_title(yaml: str) -> None:
    assert parse_note(f"---\n{yaml}\n---\n# Heading", "stem").title == "stem"


def test_the_heading_is_the_title_only_of_notes_that_ori_made() -> None:
    assert parse_note("# Heading", "stem").title == "stem"
    assert parse_note("---\nid: n1\n---\n# Heading", "stem").title == "Heading"


@pytest.mark.parametrize(
    ("yaml", "aliases"),
    [
        ("aliases: [a, 'b, c', 1.10]", ("a", "b, c", "1.10")),
        ("aliases: a, b", ("a", "b")),
        ("alias: one", ("one",)),
        ("aliases:\n  - yes\n  - 2026-01-01\n  - yes", ("yes", "2026-01-01")),
        ("aliases:", ()),
    ],
)
def test_aliases_are_a_list_or_a_text_with_commas(yaml: str, aliases: tuple[str, ...]) -> None:
    assert parse_note(f"---\n{yaml}\n---\n", "s").aliases == aliases


def test_properties_of_logseq_stand_at_the_top() -> None:
    note = parse_note("title:: A page\nalias:: x, [[y]]\ntags:: #one, [[two words]]\n\n- body\n  id:: no\n", "s")
    assert (note.title, note.aliases, note.tags) == ("A page", ("x", "y"), ("two words", "one"))
    assert note.has_frontmatter is False
    assert note.body.startswith("title:: A page")
    assert "id" not in note.properties


def test_toml_is_read() -> None:
    note = parse_note("+++\ntitle = 'T'\ntags = ['a', 'b']\nn = 2\n+++\nbody", "s")
    assert (note.title, note.tags, note.properties["n"], note.body) == ("T", ("a", "b"), 2, "body")


def test_tags_of_the_text_are_outside_code_links_and_addresses() -> None:
    text = (
        "#a-b/c (#d) #1984 #y1984 #会议 #😀 x#no &#39; http://x.org/#no [t](#no) [[n#no]] `#no` \\#no ## no\n"
        "#A-B/C, #[[two words]] #end.\n```\n#no\n```\n# Heading #in\n%% #no %%"
    )
    assert parse_note(text, "s").tags == ("a-b/c", "d", "y1984", "会议", "😀", "two words", "end", "in")


@pytest.mark.parametrize(
    ("yaml", "tags"),
    [
        ("tags: [a, '#b', 2024]", ("a", "b", "2024")),
        ("tags: a b, c", ("a", "b", "c")),
        ("tags:\n  - a/b\n  - two words", ("a/b", "two words")),
        ("tag: x", ("x",)),
        ("tags:", ()),
    ],
)
def test_tags_of_the_frontmatter(yaml: str, tags: tuple[str, ...]) -> None:
    assert parse_note(f"---\n{yaml}\n---\n", "s").tags == tags


def test_headings_of_both_kinds_outside_code() -> None:
    text = (
        "# One\n## Two ##\n###\n#no\n####### no\n\nThree\n=====\n\nFour\nmore\n---\n\n- item\n---\n\n| a |\n|---|\n"
        "```\n# no\n```\n\n    # no\n\n   # Five # x\n"
    )
    assert [(heading.level, heading.text) for heading in parse_note(text, "s").headings] == [
        (1, "One"),
        (2, "Two"),
        (3, ""),
        (1, "Three"),
        (2, "Four more"),
        (1, "Five # x"),
    ]


def test_block_ids_are_at_the_end_of_a_line() -> None:
    text = "para ^one\n\n^two\n- item ^a-3  \nno ^this one\nx^no\n`code ^no`\n- b\n"
    text += "  id:: 61024cd6-1951-47cc-8050-25f68960d729"
    assert parse_note(text, "s").blocks == ("one", "two", "a-3", "61024cd6-1951-47cc-8050-25f68960d729")


HOSTILE = [
    "[[",
    "[",
    "]",
    "`",
    "`a``",
    ">",
    "> ",
    "- ",
    "![",
    "[[a|[",
    "[a](",
    '[a](b "',
    "$a",
    "<!--",
    "<pre>\n",
    "%%\n",
]
HOSTILE += [
    "$$\n",
    "<%",
    "\\",
    "#",
    "^",
    "# a \t",
    "---\n",
    "a: [",
    "- - ",
    "    \t",
    "```\n",
    "~~~a\n> ",
    "[^",
    "]: ",
    "'",
    "= \n",
]
HOSTILE += [
    "[[a|[b]",
    "((",
    "{{",
    "@.",
    "a@a.",
    "http://",
    "\r",
    "* * ",
    "1. ",
    "[a]: <",
    "a::\n",
    "::",
    "\n=",
    "a\n=\n",
    "_ ",
]


HOSTILE += [
    "[[a]]",
    "'[[a]] ",
    "[t](a)",
    "a: b\n",
    "- a\n",
    "\n",
    " ",
    "\t\n",
    "| a ",
    "`a` ",
    "#a ",
    "a\n---\n",
    " #",
    'a #"',
    "[[a]](b)",
]
HOSTILE += ["x" + " " * 100_000 + "y\n", "[x" + " " * 100_000 + '"\n', "k" + " " * 100_000 + ": v\n"]


@pytest.mark.parametrize("head", ["", "---\na: ", "---\n"])
def test_a_long_text_of_any_sign_is_read_in_time_linear_in_it(head: str) -> None:
    # Nothing is measured: with anything quadratic in it, this would not end.
    for piece in HOSTILE:
        text = head + piece * (120_000 // len(piece)) + ("\n---\nbody" if head else "")
        assert parse_note(text, "x").title
