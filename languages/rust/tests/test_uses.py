"""Use trees as text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aries_language_rust.uses import use_rows

NAMES = st.sampled_from(["a", "b", "crate_x", "Type", "r#type"])


@given(
    st.lists(NAMES, min_size=1, max_size=4), st.lists(st.lists(NAMES, min_size=1, max_size=3), min_size=1, max_size=4)
)
def test_a_group_is_the_same_as_its_paths_written_out(front: list[str], inner: list[list[str]]) -> None:
    group = "::".join(front) + "::{" + ", ".join("::".join(one) for one in inner) + ",}"
    expected = [row for one in inner for row in use_rows("::".join([*front, *one]))]
    assert list(use_rows(group)) == expected


@given(st.text(alphabet="a:{},* as;self", max_size=80))
def test_no_text_is_too_odd(tree: str) -> None:
    assert all(row.path for row in use_rows(tree))
