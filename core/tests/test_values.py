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
        beside: Any = attrs.field(default=0, eq=False)
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


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=2))
def test_they_are_equal_where_those_of_attrs_are(told: list[tuple[int, int, int]]) -> None:
    for (_, ours), (_, theirs) in zip(OURS, THEIRS, strict=True):
        one, other = (ours(title, hidden=hidden, beside=beside) for title, hidden, beside in told)
        first, second = (theirs(title, hidden=hidden, beside=beside) for title, hidden, beside in told)
        assert (one == other, one != other) == (first == second, first != second)
        assert one != first and one != told


def test_frozen_ones_are_keys_and_others_are_not() -> None:
    (nothing, frozen), (_, changing) = OURS
    assert len({frozen(1, beside=0), frozen(1, beside=1), frozen(2), nothing(), nothing()}) == 3
    with pytest.raises(TypeError, match="unhashable"):
        hash(changing(1))


def test_one_that_extends_another_is_another() -> None:
    @values.frozen
    class Base:
        a: int

    @values.frozen
    class More(Base):
        b: int = 0

    assert Base(1) != More(1) and More(1, 2) != More(1, 3) and repr(More(1)).endswith("More(a=1, b=0)")


def test_comparing_by_identity_can_be_asked_for() -> None:
    @values.define(eq=False)
    class Thing:
        a: int = 1

    one = Thing()
    assert one != Thing() and {one} == {one}


def test_a_way_of_its_own_to_compare_is_refused() -> None:
    @values.frozen
    class Odd:
        a: str = attrs.field(eq=str.lower)

    with pytest.raises(TypeError, match="Odd has a field"):
        assert Odd("a") == Odd("A")


def test_exceptions_stay_what_they_are() -> None:
    @values.define
    class Failed(Exception):
        place: int

    assert Failed(1) != Failed(1)
    with pytest.raises(Failed) as raised:
        raise Failed(2)
    assert {raised.value: "told"}[raised.value] == "told"
    assert repr(raised.value).endswith("Failed(place=2)")


def test_a_class_may_say_that_it_has_no_text_or_one_for_people() -> None:
    @values.frozen(repr=False)
    class Silent:
        a: int

    @values.frozen(str=True)
    class Told:
        a: int

    assert "a=1" not in repr(Silent(1))
    assert str(Told(1)) == repr(Told(1))
