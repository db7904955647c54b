"""Classes made by `aries_kernel.values` tell of themselves as those of attrs do, and are the same in all else."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel import values


def twins(make: Any, make_empty: Any) -> tuple[Any, Any]:
    @make_empty
    class Nothing:
        pass

    @make
    class Note:
        title: Any
        _hidden: Any = "a"
        secret: str = attrs.field(default="b", repr=False)
        loud: str = attrs.field(default="c", repr=str.upper)
        made: Any = attrs.field(init=False, factory=Nothing)

    return Nothing, Note


OURS = (twins(values.frozen, values.frozen), twins(values.define, values.define(eq=True)))
THEIRS = (twins(attrs.frozen, attrs.frozen), twins(attrs.define, attrs.define(eq=True)))


@given(st.recursive(st.none() | st.floats() | st.text(), st.lists, max_leaves=4))
def test_the_text_is_that_of_attrs(value: Any) -> None:
    for (_, ours), (_, theirs) in zip(OURS, THEIRS, strict=True):
        assert repr(ours(value)) == repr(theirs(value))
        assert repr(ours(ours(value))) == repr(theirs(theirs(value)))


def test_a_value_within_itself_ends() -> None:
    _, ours = OURS[1]
    one = ours(None)
    one.title = [one]
    _, theirs = THEIRS[1]
    other = theirs(None)
    other.title = [other]
    assert repr(one) == repr(other)


def test_a_text_of_its_own_stays() -> None:
    @values.frozen
    class Own:
        a: int

        def __repr__(self) -> str:
            return "mine"

    assert repr(Own(1)) == "mine"


def test_in_all_else_it_is_a_class_of_attrs() -> None:
    _, frozen = OURS[0]
    one = frozen("t", hidden="h")
    assert one == frozen("t", hidden="h") != frozen("u") and len({one, frozen("t", hidden="h")}) == 1
    assert attrs.has(frozen) and not hasattr(one, "__dict__")
    assert attrs.evolve(one, title="u") == frozen("u", hidden="h")
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        one.title = "u"
