"""A note that lists others is told from one that has something to say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.notes.link_list import is_link_list

NAMES = ("Tea", "Milk", "Cups", "Water", "Sugar", "Spoons")


@pytest.mark.parametrize(
    "entry",
    ["* [{0}](kitchen/{0}.md)", "- [[{0}]]: what to know of it", "  1. **[{0}]({0}.md)**", "| [{0}]({0}.md) | good |"],
)
def test_a_table_of_contents_is_a_list(entry: str) -> None:
    body = "# Contents\n\nAll there is.\n\n## Kitchen\n\n" + "\n".join(entry.format(name) for name in NAMES)
    assert is_link_list(body)


@pytest.mark.parametrize(
    "body",
    [
        "\n".join(f"- [{name}](https://example.org/{name}) is worth a visit" for name in NAMES),
        "\n".join(f"- [{name}](#{name.lower()})" for name in NAMES),
        "\n".join(f"- {name} goes with [[Water]]" for name in NAMES),
        "\n".join(f"What I know of {name}.\n\n- [[{name}]]" for name in NAMES),
        "- [[Tea]]\n- [[Milk]]\n",
        "",
    ],
)
def test_references_bookmarks_and_notes_with_links_are_none(body: str) -> None:
    assert not is_link_list(body)


@given(st.text(alphabet="-*|[]()# \nab1.", max_size=400))
def test_any_text_is_looked_at(body: str) -> None:
    assert is_link_list(body) in (True, False)


@pytest.mark.parametrize("line", [" " * 400_000, "- " * 200_000, ">" * 400_000, "- [" * 130_000, "1" * 400_000])
def test_a_line_without_end_takes_no_longer_than_its_length(line: str) -> None:
    assert not is_link_list("- [[Tea]]\n" * 5 + "What I know of it.\n" * 6 + line + "\n")
