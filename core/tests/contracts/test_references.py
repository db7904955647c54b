"""References as columns say what the rows say."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.contracts import Reference, References

_names = st.sampled_from(["", "run", "x.y", "é"])
_places = st.integers(-1, 70_000)
_rows = st.lists(
    st.builds(
        Reference, st.integers(0, 1 << 20), st.sampled_from(["call", "use"]), _names, _names, _places, _places, _places
    ),
    max_size=40,
)


@given(_rows)
def test_columns_give_back_the_rows_they_were_made_of(rows: list[Reference]) -> None:
    columns = References.of(rows)
    assert list(columns) == rows and len(columns) == len(rows)
    assert [columns[place] for place in range(-len(rows), len(rows))] == rows * 2
    assert list(columns[1:-1]) == rows[1:-1]
    assert len(set(columns.asked)) == len(columns.asked)


@given(_rows)
def test_equal_rows_give_equal_columns_in_every_process(rows: list[Reference]) -> None:
    columns = References.of(rows)
    assert References.of(columns) is columns
    assert References.of(tuple(columns)) == columns == pickle.loads(pickle.dumps(columns))


@pytest.mark.parametrize("row", [Reference(-1, "call", "x"), Reference(1, "call", "x", inside=-2), ("call",)])
def test_a_row_that_is_none_is_refused(row: Reference) -> None:
    with pytest.raises((OverflowError, IndexError, TypeError, ValueError)):
        References.of([row])
