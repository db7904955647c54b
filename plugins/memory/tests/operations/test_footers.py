"""Lists at the end of a note are written once, whatever stands before them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ori_memory.operations.footers import with_footers, without_footers

TEXT = st.text(alphabet="\n\r -[]#*:|Relvant NotsA\u2028\u0085`", max_size=120)
NAMES = st.lists(st.text(alphabet="ab c", min_size=1, max_size=4).map(str.strip).filter(bool), max_size=3)


@settings(max_examples=200, deadline=None)
@given(TEXT, st.sampled_from(["", "\n\nRelevant Notes:\n- [[a]]\n", "\r\n\r\nAreas:\r\n- [[index]]\r\n"]), NAMES)
def test_a_second_time_changes_nothing(text: str, end: str, names: list[str]) -> None:
    once = with_footers(text + end, names, ["index"])
    assert with_footers(once, names, ["index"]) == once
    assert all(f"[[{name}]]" in once for name in names)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_lists_are_known_in_the_files_of_any_system(newline: str) -> None:
    text = newline.join(["body", "", "## Relevant Notes", "- [[a]]", "", "Areas:", "- [[index]]", ""])
    assert with_footers(text, ["a", "b"], ["index"]) == text.replace("- [[a]]", f"- [[a]]{newline}- [[b]]")
    assert without_footers(text).strip() == "body"
