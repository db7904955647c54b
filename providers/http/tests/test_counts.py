"""Numbers of tokens as servers write them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.errors import StreamCut
from aries_provider_http.counts import counted_tokens, read_count


@pytest.mark.parametrize(
    "value", [None, True, "100", [], {}, -1, -0.5, 10**400, 10**30, 1e308, float("inf"), float("nan")]
)
def test_what_is_no_number_of_tokens_is_none(value: object) -> None:
    assert read_count(value) is None


@given(st.integers(0, 10**10))
def test_a_number_of_tokens_may_come_as_either_kind_of_number(count: int) -> None:
    assert read_count(count) == read_count(float(count)) == count


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"n": "many"}', b'{"n": Infinity}', b'{"n": -3}', b"[" * 100_000, b'{"n": null}']
)
def test_a_count_that_cannot_be_read_is_an_error_of_ours(body: bytes) -> None:
    with pytest.raises(StreamCut, match="count of tokens"):
        counted_tokens(body, "n")


def test_a_count_is_read() -> None:
    assert counted_tokens(json.dumps({"n": 12}).encode(), "n") == 12
