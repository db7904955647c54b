"""Short texts for values of any size."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from aries_body.repl.display import cut, short_repr
from aries_body.repl.records import Record, Rows

_TEXTS = st.text()
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.floats(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(_TEXTS, inner) | st.frozensets(_TEXTS),
    max_leaves=300,
)  # fmt: skip


@given(_VALUES, st.integers(50, 2000))
def test_a_text_is_never_much_longer_than_its_room(value: object, room: int) -> None:
    assert len(short_repr(value, room)) <= 3 * room + 300


@given(_VALUES)
def test_what_is_small_is_shown_whole(value: object) -> None:
    if len(repr(value)) <= 100 and not _is_deep(value):
        assert short_repr(value) == repr(value)


def _is_deep(value: Any, depth: int = 0) -> bool:
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return depth > 4 or any(_is_deep(one, depth + 1) for one in members)


def test_members_left_out_are_counted() -> None:
    assert "999,950 more" in short_repr(range(1_000_000).__class__ and list(range(1_000_000)))
    assert "(1,000,000 characters)" in short_repr("x" * 1_000_000)
    assert "[... 90 characters ...]" in cut("x" * 100, 10)


def test_a_value_that_holds_itself_is_shown() -> None:
    value: list[Any] = [1]
    value.append(value)
    assert short_repr(value) == "[1, [...]]"


def test_a_repr_that_fails_is_told_and_hides_nothing_else() -> None:
    class Bad:
        def __repr__(self) -> str:
            raise RuntimeError("no")

    assert short_repr([1, Bad()]) == "[1, <Bad whose repr failed: RuntimeError>]"
    assert "bits" in short_repr(10**10_000)


def test_a_record_is_read_by_key_and_by_attribute_and_says_what_it_has() -> None:
    record = Record(path="a", line=3)
    assert (record.path, record["line"], dict(record)) == ("a", 3, {"path": "a", "line": 3})
    for attempt in (lambda: record.file, lambda: record["file"]):
        try:
            attempt()
        except (AttributeError, KeyError) as error:
            assert "it has path, line" in str(error)


def test_rows_say_how_many_there_are_and_what_to_know_of_them_also_where_there_is_none() -> None:
    few, none, whole = Rows([1, 2], 40, "of 3 files"), Rows([], 0, "too little code"), Rows([1], 1, "")
    assert (short_repr(few), repr(few)) == ("[1, 2] (2 of 40; of 3 files)",) * 2
    assert (short_repr(none), str(none)) == ("[] (too little code)",) * 2
    assert (short_repr(whole), short_repr({"a": none})) == ("[1]", "{'a': [] (too little code)}")
