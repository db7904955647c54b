"""Lines and places, whatever the text."""

from __future__ import annotations

import string

import pytest
from component_facts import PACKS, facts
from hypothesis import given
from hypothesis import strategies as st

PIECES = (
    "<script>", "<script setup>", "</script>", "<template>", "</template>", "---\n", "{", "}", "{{ a }}", "<A ", "/>",
    ">", "\n", "import a from './a'\n", "export const b = 1\n", "function f() {}\n", '"', "'", "`", "${", "(", ")", "/",
    "{#each a as b}", "{/each}", "{#snippet f(x)}", "{:else}", ':x="a"', 'v-for="a in b"', "<!--", "-->", "a => <p>",
    "</p>",
)  # fmt: skip


@pytest.mark.parametrize("suffix", sorted(PACKS))
@given(parts=st.lists(st.sampled_from(PIECES) | st.text(string.printable, max_size=4), max_size=24))
def test_symbols_lie_where_they_are_said_to_and_rows_point_to_rows(suffix: str, parts: list[str]) -> None:
    source = "".join(parts).replace("\r", "\n")
    said = facts(source, f"Card.{suffix}")
    data = source.encode()
    lines = range(1, data.count(b"\n") + 2)
    for place, one in enumerate(said.symbols):
        assert 0 <= one.start < one.end <= len(data)
        assert one.line == data.count(b"\n", 0, one.start) + 1
        assert one.line <= one.end_line and one.end_line in lines
        assert one.parent < place
    assert all(one.line in lines for one in (*said.references, *said.imports))
    for one in said.references:
        assert one.symbol < len(said.symbols) and one.binding < len(said.imports) and one.inside < len(said.symbols)
    assert said.error_line == 0 or said.error_line in lines


@pytest.mark.parametrize("suffix", sorted(PACKS))
def test_what_follows_a_template_has_its_own_line(suffix: str) -> None:
    fence = "---\n---\n" if suffix == "astro" else "\n\n"
    said = facts(f"{fence}<p>\n\n</p>\n<script>\nimport a from './a'\n</script>\n", f"Card.{suffix}")
    assert [one.line for one in said.imports] == [7]


@pytest.mark.parametrize("suffix", sorted(PACKS))
@pytest.mark.parametrize("piece", ["<a ", "</a", "<A x='", '<A x="{', "<style", "<!--", "<template ", "</template"])
def test_tags_that_do_not_end_are_looked_through_once(suffix: str, piece: str) -> None:
    source = "<template>" + piece * 40_000
    assert facts(source, f"Card.{suffix}").references == ()
