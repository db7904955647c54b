"""One definition gives the schema and checks what came."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.errors import BadArguments
from aries_kernel.tools.schema import described, json_schema, parse_arguments


@frozen
class Call:
    text: str = described("a text")
    count: int = described("a number", default=1)
    share: float | None = described("a share", default=None)
    is_on: bool = described("a switch", default=False)
    kind: Literal["a", "b"] = described("a kind", default="a")
    level: Literal[1, 2] = described("a level", default=1)
    names: tuple[str, ...] = described("names", default=())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


def test_the_schema_is_plain_and_complete() -> None:
    assert json_schema(Call) == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "a text"},
            "count": {"type": "integer", "description": "a number"},
            "share": {"type": "number", "description": "a share"},
            "is_on": {"type": "boolean", "description": "a switch"},
            "kind": {"type": "string", "enum": ["a", "b"], "description": "a kind"},
            "level": {"type": "integer", "enum": [1, 2], "description": "a level"},
            "names": {"type": "array", "items": {"type": "string"}, "description": "names"},
        },
        "required": ["text"],
    }


@pytest.mark.parametrize("hint", [dict[str, str], list[str], str | int, bytes, tuple[str, int], Literal["a", 1]])
def test_a_type_without_a_plain_form_is_refused(hint: object) -> None:
    kind = frozen(type("Odd", (), {"__annotations__": {"x": hint}}))
    with pytest.raises(TypeError, match="no plain JSON schema"):
        json_schema(kind)


def test_a_full_call_is_structured() -> None:
    raw = '{"text":"x","count":2,"share":1,"is_on":true,"kind":"b","level":2,"names":["p","q"]}'
    assert parse_arguments(Call, raw) == Call("x", 2, 1.0, True, "b", 2, ("p", "q"))


def test_null_for_an_optional_argument_is_as_if_it_were_left_out() -> None:
    assert parse_arguments(Call, '{"text":"x","count":null,"share":null,"names":null}') == Call("x")


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("text", 1, "text must be a string, not integer"),
        ("text", None, "text must be a string, not null"),
        ("count", "1", "count must be an integer, not string"),
        ("count", 1.5, "count must be an integer, not number"),
        ("count", True, "count must be an integer, not boolean"),
        ("share", 10**400, "share"),
        ("share", "x", "share must be a number"),
        ("is_on", 1, "is_on must be a boolean, not integer"),
        ("is_on", "true", "is_on must be a boolean, not string"),
        ("kind", "c", "kind must be one of a, b"),
        ("kind", [], "kind must be one of"),
        ("level", True, "level must be one of 1, 2"),
        ("names", "abc", "names must be an array, not string"),
        ("names", {"a": 1}, "names must be an array, not object"),
        ("names", ["a", 1], "names.[1] must be a string"),
    ],
)
def test_a_value_that_does_not_fit_is_named(field: str, value: object, problem: str) -> None:
    with pytest.raises(BadArguments) as caught:
        parse_arguments(Call, json.dumps({"text": "x", field: value}))
    assert problem in str(caught.value)


def test_all_problems_are_named_at_once() -> None:
    with pytest.raises(BadArguments) as caught:
        parse_arguments(Call, '{"count":"x","is_on":3,"nope":1}')
    for part in ("text is missing", "count must", "is_on must", "nope is unknown", "arguments are: text, count"):
        assert part in str(caught.value)


@pytest.mark.parametrize(
    "raw",
    ["{", "[]", "1", '"x"', "null", "NaN", '{"text":NaN}', '{"text":"x","share":Infinity}',
     '{"text":"x","share":1e999}',
     '{"text":"x"', '{"text":"x"}}', "[" * 100_000, '{"text":' * 50_000, '{"text":"a","text":"b"}', "{'text':'x'}"],
)  # fmt: skip
def test_text_that_is_no_proper_object_is_refused(raw: str) -> None:
    with pytest.raises(BadArguments):
        parse_arguments(Call, raw)


def test_a_whole_number_written_as_a_float_is_an_integer() -> None:
    assert parse_arguments(Call, '{"text":"x","count":3.0}').count == 3


def test_no_text_is_a_call_without_arguments() -> None:
    with pytest.raises(BadArguments, match="text is missing"):
        parse_arguments(Call, "  ")


@given(st.dictionaries(st.sampled_from(["text", "count", "share", "is_on", "kind", "level", "names", "x"]), VALUES))
def test_whatever_comes_gives_a_call_of_the_right_types_or_bad_arguments(data: dict[str, object]) -> None:
    try:
        call = parse_arguments(Call, json.dumps(data))
    except BadArguments as error:
        assert str(error)
        return
    assert type(call.text) is str and type(call.count) is int and type(call.is_on) is bool
    assert call.share is None or type(call.share) is float
    assert call.kind in ("a", "b") and call.level in (1, 2)
    assert type(call.names) is tuple and all(type(name) is str for name in call.names)


@given(st.text(max_size=30))
def test_any_text_gives_a_call_or_bad_arguments(raw: str) -> None:
    with pytest.raises(BadArguments):
        parse_arguments(Call, raw)


@pytest.mark.parametrize(
    "data",
    [
        {"text": "x"} | {f"key{number}": 1 for number in range(20_000)},
        {"text": "x", "k" * 100_000: 1},
        {"text": "x", "names": [1] * 2_000},
    ],
)
def test_the_answer_to_a_flood_of_wrong_arguments_is_short(data: dict[str, object]) -> None:
    with pytest.raises(BadArguments) as caught:
        parse_arguments(Call, json.dumps(data))
    assert len(str(caught.value)) < 3000


def test_many_arguments_of_which_one_is_there_twice_are_refused_at_once() -> None:
    # The work must grow with the names, not with their square: that many would take half an hour.
    many = ",".join(f'"key{number}": 1' for number in range(200_000))
    with pytest.raises(BadArguments, match="'key199999' is there twice"):
        parse_arguments(Call, f'{{{many}, "key199999": 2}}')
