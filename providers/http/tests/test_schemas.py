"""Schemas of tools, from authors who did not think of this server."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from aries_provider_http.schemas import as_plain_object, inlined, property_names

NAMES = st.sampled_from(["a", "b", "type", "$ref", "properties"])
REFERENCES = st.sampled_from(
    ["#", "#/$defs/a", "#/$defs/b", "#/properties/a", "#/nowhere", "http://x/y", "#/$defs/~0~1"]
)
SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    st.fixed_dictionaries(
        {}, optional={"type": st.sampled_from(["string", "object", ["null", "string"]]), "$ref": REFERENCES}
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(NAMES, inner, max_size=3),
            "items": inner | st.lists(inner, max_size=2),
            "anyOf": st.lists(inner, max_size=3),
            "allOf": st.lists(inner, max_size=2),
            "oneOf": st.lists(inner, max_size=2),
            "$defs": st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
            "required": st.lists(NAMES, max_size=3),
            "additionalProperties": inner | st.booleans(),
            "not": inner,
            "enum": st.lists(st.dictionaries(st.just("$ref"), st.just("data"), max_size=1), max_size=1),
        },
    ),
    max_leaves=12,
)


def references(schema: Any, *, is_map: bool = False) -> list[str]:
    """Every reference that a reader of this schema would follow."""
    if isinstance(schema, list):
        return [one for inner in schema for one in references(inner)]
    if not isinstance(schema, dict):
        return []
    found = [schema["$ref"]] if not is_map and isinstance(schema.get("$ref"), str) else []
    for key, value in schema.items():
        if is_map or key not in ("enum", "const", "default"):
            found += references(value, is_map=not is_map and key in ("properties", "$defs"))
    return found


@given(SCHEMAS)
def test_no_reference_is_left_and_there_is_an_end(schema: dict[str, Any]) -> None:
    made = inlined(schema)
    assert references(made) == []
    json.dumps(made)


@given(SCHEMAS)
def test_the_top_is_an_object_without_a_choice(schema: dict[str, Any]) -> None:
    made = as_plain_object(inlined(schema))
    assert made["type"] == "object" and isinstance(made["properties"], dict)
    assert not {"anyOf", "oneOf", "allOf", "not", "$ref"} & made.keys()
    required = made.get("required", [])
    assert isinstance(required, list) and set(required) <= made["properties"].keys()


@given(SCHEMAS)
def test_a_schema_that_needs_nothing_stays_as_it_is(schema: dict[str, Any]) -> None:
    plain = as_plain_object(inlined(schema))
    assert as_plain_object(inlined(plain)) == plain


def test_references_that_multiply_do_not_grow_without_bound() -> None:
    schema: dict[str, Any] = {"$ref": "#/$defs/0", "$defs": {str(level): _pair(level + 1) for level in range(30)}}
    schema["$defs"]["30"] = {"type": "string"}
    assert len(json.dumps(inlined(schema))) < 5_000_000


def _pair(level: int) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"$ref": f"#/$defs/{level}"} for name in ("left", "right")}}


def test_what_stands_beside_a_reference_counts_over_it() -> None:
    schema = {
        "properties": {"path": {"$ref": "#/$defs/path", "description": "where to"}},
        "$defs": {"path": {"type": "string", "description": "a path"}},
    }
    assert inlined(schema)["properties"] == {"path": {"type": "string", "description": "where to"}}


def test_alternatives_are_joined_and_what_all_of_them_require_is_required() -> None:
    one = {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a", "b"]}
    two = {"properties": {"a": {"type": "integer"}, "c": {"type": "string"}}, "required": ["a", "c"]}
    assert as_plain_object({"anyOf": [one, two]})["required"] == ["a"]
    assert as_plain_object({"allOf": [one, two]})["required"] == ["a", "b", "c"]


def test_names_of_inner_arguments_are_found() -> None:
    inner = {"type": "object", "properties": {"deep name": {"type": "string"}}}
    schema = {"properties": {"list": {"type": "array", "items": inner}, "any": {"anyOf": [inner]}}}
    assert sorted(property_names(schema)) == ["any", "deep name", "deep name", "list"]
