"""Elements of arrays of any size and in any chunks."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ori_memory.importers.json_stream import BrokenJson, array_elements

_VALUES = st.recursive(
    st.none() | st.integers() | st.text() | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


class Dribbling(io.BytesIO):
    """Gives at most three bytes at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(3)


@given(st.lists(_VALUES, max_size=5), st.sampled_from([None, 2]), st.booleans())
@settings(max_examples=80, deadline=None)
def test_an_array_gives_its_elements_in_any_chunks(values: list[object], indent: int | None, has_bom: bool) -> None:
    data = (b"\xef\xbb\xbf" if has_bom else b"") + json.dumps(values, ensure_ascii=False, indent=indent).encode()
    assert list(array_elements(Dribbling(data))) == values
    assert list(array_elements(io.BytesIO(data))) == values


@pytest.mark.parametrize("text", ["", "  ", "[1", "[1,", "[1 2]", "[1]]", "3", "[" * 100_000, '[{"a": ]'])
def test_what_is_no_array_says_so(text: str) -> None:
    with pytest.raises(BrokenJson):
        list(array_elements(io.BytesIO(text.encode())))


def test_an_element_larger_than_a_chunk_is_one_element() -> None:
    values = ["x" * 3_000_000, {"a": [1] * 100_000}]
    assert list(array_elements(io.BytesIO(json.dumps(values).encode()))) == values
