"""Tool schemas in the flavour a server takes."""

from __future__ import annotations

from collections.abc import Mapping

from aries_kernel.model.request import ToolSchema
from aries_provider_http.wire_names import ToolNames
from aries_provider_openai.compat import Compat

__all__ = ["tool_record"]

_NOT_IN_GRAMMARS = ("pattern", "format")
_MAPS_OF_SCHEMAS = ("properties", "$defs", "definitions", "patternProperties")
_CHOICES = ("anyOf", "oneOf", "allOf")
_DEPTH = 60
"""Deeper schemas are cut to "anything": no server takes them."""


def tool_record(tool: ToolSchema, compat: Compat, names: ToolNames) -> dict[str, object]:
    """One entry of `tools`."""
    function: dict[str, object] = {
        "name": names.to_wire(tool.name),
        "description": tool.description,
        "parameters": _parameters(tool.parameters, compat.schema_flavour),
    }
    if compat.supports_strict:
        function["strict"] = False
    return {"type": "function", "function": function}


def _parameters(schema: Mapping[str, object], flavour: str) -> dict[str, object]:
    top: dict[str, object] = {**schema, "type": "object"}
    if not isinstance(top.get("properties"), Mapping):
        top["properties"] = {}
    return top if flavour == "plain" else _flavoured(top, flavour, 0)


def _flavoured(schema: Mapping[str, object], flavour: str, depth: int) -> dict[str, object]:
    if depth > _DEPTH:
        return {}
    if flavour == "moonshot":
        schema = _with_types(schema)
    return {
        key: _inner(key, value, flavour, depth + 1)
        for key, value in schema.items()
        if not (flavour == "grammar" and key in _NOT_IN_GRAMMARS and isinstance(value, str))
    }


def _inner(key: str, value: object, flavour: str, depth: int) -> object:
    if key in _MAPS_OF_SCHEMAS and isinstance(value, Mapping):
        return {
            name: _flavoured(one, flavour, depth) if isinstance(one, Mapping) else one for name, one in value.items()
        }
    if key in _CHOICES and isinstance(value, list | tuple):
        return [_flavoured(one, flavour, depth) if isinstance(one, Mapping) else one for one in value]
    if key in ("items", "additionalProperties", "not") and isinstance(value, Mapping):
        return _flavoured(value, flavour, depth)
    return value


def _with_types(schema: Mapping[str, object]) -> dict[str, object]:
    """Moonshot's rules: a type everywhere, with `anyOf` in the branches only, and `required` in each object."""
    made = dict(schema)
    branches = made.get("anyOf")
    if isinstance(branches, list | tuple):
        outer = made.pop("type", None)
        typed = {} if outer is None else {"type": outer}
        made["anyOf"] = [{**typed, **one} if isinstance(one, Mapping) else one for one in branches]
        return made
    if "$ref" not in made and "type" not in made:
        made["type"] = _guessed_type(made)
    if made.get("type") == "object":
        made.setdefault("required", [])
    return made


def _guessed_type(schema: Mapping[str, object]) -> str:
    if "properties" in schema:
        return "object"
    if "items" in schema:
        return "array"
    options = schema.get("enum")
    first = options[0] if isinstance(options, list | tuple) and options else schema.get("const")
    names = {bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
    return names.get(type(first), "string")
