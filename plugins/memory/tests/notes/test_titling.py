"""When a heading is the title of a note whose file is named by a program."""

from __future__ import annotations

import pytest

from ori_memory.notes.parsing import parse_note
from ori_memory.notes.titling import bare_heading


@pytest.mark.parametrize(
    ("stem", "text", "title"),
    [
        ("break-the-undo-sequence", "# Break The Undo Sequence\n", "Break The Undo Sequence"),
        ("reindenting-your-code", "\n# Re-indenting Your Code\n", "Re-indenting Your Code"),
        ("about-us", "About Us\n===\n", "About Us"),
        ("202103050830", "---\na: 1\n---\n\n# Queues\n", "Queues"),
        ("21a3b", "# A slip\n", "A slip"),
        ("Ha1umcNRHS8mEarVSMy5v", "### Set a value\n", "Set a value"),
        ("f47ac10b-58cc-4372-a567-0e02b2c3d479", "\r\n# Any\r\n", "Any"),
        ("README", "# The project\n", "The project"),
        ("README", "## Module: lanterns\n", "Module: lanterns"),
        ("in_file", "# in\\_file\n", "in_file"),
        ("Tea 49e0dbff6672498c8c602b2f51ab5d85", "# Tea\n", "Tea"),
        ("Tea and what else there is to say of i 49e0dbff6672498c8c602b2f51ab5d85", "# Tea and more\n", "Tea and more"),
        ("old_mill", "# The **old** [[Mill|mill]] {#mill}\n", "The old mill"),
        ("old_mill", "# The [old](x.md) `mill`\n", "The old mill"),
    ],
)
def test_a_heading_that_a_file_is_named_after_is_the_title(stem: str, text: str, title: str) -> None:
    assert parse_note(text, stem).title == title


@pytest.mark.parametrize(
    ("stem", "text"),
    [
        ("Old mill", "# old-mill\n"),
        ("kettle", "# Tea\n"),
        ("old-mill", "# Tea and kettles\n"),
        ("old-mill", "A word before.\n\n# Old Mill\n"),
        ("old-mill", "## Old Mill\n"),
        ("old-mill", "no heading"),
        ("2021-03-05", "# Friday\n"),
        ("20210305", "# Friday\n"),
        ("2021", "# Goals\n"),
        ("21a3b", "#\n"),
        ("internationalisation", "# Words\n"),
    ],
)
def test_elsewhere_the_name_of_the_file_is_the_title(stem: str, text: str) -> None:
    assert parse_note(text, stem).title == stem


def test_the_id_that_an_export_puts_behind_a_title_is_no_part_of_it() -> None:
    assert parse_note("Hot water first.\n", "Green tea 49e0dbff6672498c8c602b2f51ab5d85").title == "Green tea"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The app object **denotes** it.\nMore.\n\n# Later\n", "The app object denotes it."),
        ("---\na: 1\n---\n\n- [ ] [Buy](x.md) tea\n", "Buy tea"),
        ("word " * 40, ("word " * 16).strip() + "…"),
        ("字" * 200, "字" * 80 + "…"),
        ("```\ncode\n```\n", "202103050830"),
        ("![](x.png)", "202103050830"),
        ("", "202103050830"),
    ],
)
def test_a_note_with_a_number_and_no_heading_is_called_by_its_first_line(text: str, title: str) -> None:
    assert parse_note(text, "202103050830").title == title


def test_the_frontmatter_comes_first() -> None:
    assert parse_note("---\ntitle: Mine\n---\n# Old Mill\n", "old-mill").title == "Mine"


@pytest.mark.parametrize(
    ("stem", "title"), [("a___b c", "a/b c"), ("a%2Fb%3F", "a/b?"), ("100%", "100%"), ("a__b", "a__b")]
)
def test_a_page_of_logseq_is_called_as_its_program_shows_it(stem: str, title: str) -> None:
    assert parse_note("# H\n", stem).title == title


def test_blanks_without_end_in_a_heading_are_looked_through_once() -> None:
    # Were they looked through from each of them, this would take hours.
    assert bare_heading("Tea" + " " * 2_000_000 + "green {#tea}") == "Tea green"
    assert bare_heading("\t\n" * 1_000_000) == ""
