"""Lists of models in the forms that servers give them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.errors import StreamCut
from aries_kernel.model.usage import Price
from aries_provider_http.listing import Listed, Page, read_page

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["data", "models", "id", "name", "pricing", "prompt", "completion", "context_length", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"data": [{"id": "a", "context_window": 10, "max_completion_tokens": 3}]}, Listed("a", 10, 3)),
        ({"object": "list", "data": [{"id": "a", "object": "model"}]}, Listed("a")),
        ({"models": [{"name": "models/a", "inputTokenLimit": 9, "outputTokenLimit": 2}]}, Listed("a", 9, 2)),
        ([{"id": "a", "max_model_len": 7}], Listed("a", 7)),
        ({"data": [{"id": "a", "supports_image_in": True}]}, Listed("a", has_images=True)),
        (
            {"data": [{"id": "a", "pricing": {"prompt": "0.0000003", "completion": "0"}}]},
            Listed("a", price=Price(0.3, 0.0)),
        ),
        ({"data": [{"id": "a", "pricing": {"prompt": "free", "completion": "0"}, "context_length": -1}]}, Listed("a")),
    ],
)
def test_a_model_is_read_in_every_form(record: object, expected: Listed) -> None:
    assert read_page(json.dumps(record).encode()) == Page((expected,))


def test_a_name_that_nobody_could_ask_for_and_a_figure_that_is_none_are_left_out() -> None:
    odd = ["", " ", " a", "a\n", "\x1b[31mred", "\u202eabc", "x" * 5_000, None, 5, {}]
    price = {"prompt": 10**400, "completion": "1e400"}
    whole = {"id": "a", "context_length": 10**30, "max_completion_tokens": 1e5, "pricing": price}
    page = read_page(json.dumps({"data": [*({"id": name} for name in odd), whole]}).encode())
    assert page == Page((Listed("a", None, 100_000),))


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"data": 3}', b"{}", b"[[[[" * 5000])
def test_what_is_no_list_is_an_error_of_ours(body: bytes) -> None:
    with pytest.raises(StreamCut):
        read_page(body)


@given(JSON)
def test_any_json_is_a_page_or_an_error_of_ours(record: Any) -> None:
    try:
        page = read_page(json.dumps(record).encode())
    except StreamCut:
        return
    assert all(one.name for one in page.models)
