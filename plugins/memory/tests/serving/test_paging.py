"""Any document within any budget, and any arguments: nothing is lost, and nothing but a clear refusal is raised."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aries_kernel.errors import BadArguments, UserError
from ori_memory.serving.catalog import TOOLS
from ori_memory.serving.lenient import take_arguments
from ori_memory.serving.paging import page_of, written

TEXT = st.text(max_size=60)
ITEM = st.one_of(
    TEXT, st.integers(), st.dictionaries(st.sampled_from("abc"), TEXT, max_size=3), st.lists(TEXT, max_size=3)
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=8,
)


def pages(data: dict[str, Any], lists: tuple[str, ...], most: int) -> list[dict[str, Any]]:
    found, cursor = [], ""
    while True:
        page = page_of(data, lists, cursor, most)
        found.append(page.data)
        if not page.cursor:
            return found
        assert int(page.cursor) > int(cursor or 0)
        cursor = page.cursor


@settings(max_examples=60, deadline=None)
@given(st.lists(ITEM, max_size=30), st.lists(ITEM, max_size=30), TEXT, st.integers(1_500, 4_000))
def test_pages_hold_every_item_once_in_order_within_the_budget(
    first: list[Any], second: list[Any], name: str, most: int
) -> None:
    data = {"name": name, "first": first, "second": second, "count": 3}
    found = pages(data, ("first", "second"), most)
    assert [one for page in found for one in page["first"]] == first
    assert [one for page in found for one in page["second"]] == second
    assert all(page["name"] == name and page["count"] == 3 for page in found)
    assert all(len(written(page)) <= most for page in found)


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=0, max_size=400).map(lambda text: text * 20), st.integers(3_000, 6_000))
def test_pages_hold_every_character_of_a_text(text: str, most: int) -> None:
    found = pages({"text": text, "links": ["a"]}, ("text", "links"), most)
    assert "".join(page["text"] for page in found) == text
    assert all(len(written(page)) <= most for page in found)


def test_one_item_that_is_too_long_is_cut_and_the_others_follow() -> None:
    data = {"results": [{"text": "x" * 50_000}, {"text": "y"}], "rest": "z" * 50_000}
    found = pages(data, ("results",), 4_000)
    assert found[0]["results"][0]["text"].endswith("…") and found[-1]["results"] == [{"text": "y"}]
    assert all(len(written(page)) <= 4_000 for page in found)


@pytest.mark.parametrize("cursor", ["x", "-1", "9", "1.5", "١x"])
def test_a_cursor_that_is_none_is_refused(cursor: str) -> None:
    with pytest.raises(UserError, match="cursor"):
        page_of({"first": ["a", "b"]}, ("first",), cursor)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(TOOLS), st.one_of(JSON, st.dictionaries(st.sampled_from(["query", "limit", "links"]), JSON)))
def test_any_arguments_are_taken_or_refused_in_words(tool: Any, given: Any) -> None:
    try:
        taken = take_arguments(tool.takes, given)
    except BadArguments as error:
        assert str(error)
    else:
        assert isinstance(taken, tool.takes)
