"""Schemas of tools in the two flavours of this wire format."""

from __future__ import annotations

from aries_kernel.model.request import ToolSchema
from aries_provider_http.schemas import as_plain_object, inlined, rewritten

__all__ = ["json_schema", "openapi_schema"]

Schema = dict[str, object]

_KNOWN = frozenset(
    {
        "type", "format", "title", "description", "nullable", "enum", "items", "maxItems", "minItems", "properties",
        "required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf",
        "default", "minimum", "maximum",
    }
)  # fmt: skip
_FORMATS = {"string": {"enum", "date-time"}, "number": {"float", "double"}, "integer": {"int32", "int64"}}


def json_schema(tool: ToolSchema) -> Schema:
    """For `parametersJsonSchema`."""
    return as_plain_object(inlined(tool.parameters))


def openapi_schema(tool: ToolSchema) -> Schema:
    """For `parameters`."""
    return rewritten(json_schema(tool), _openapi)


def _openapi(schema: Schema) -> Schema:
    """The subset: one type, choices under `anyOf`, texts as enums, and no word it does not know."""
    made = dict(schema)
    for choice in ("oneOf", "allOf"):
        if choice in made and "anyOf" not in made:
            made["anyOf"] = made[choice]
    if "const" in made and "enum" not in made:
        made["enum"] = [made["const"]]
    kinds = made.get("type")
    if isinstance(kinds, list | tuple):
        real = [kind for kind in kinds if kind != "null"]
        made["type"] = real[0] if real else "string"
        if len(real) < len(kinds):
            made["nullable"] = True
    if "enum" in made:
        options = made["enum"] if isinstance(made["enum"], list | tuple) else []
        made["enum"] = [str(option) for option in options if option is not None and option != ""]
        made["type"] = "string"
    if made.get("format") not in _FORMATS.get(str(made.get("type")), set()):
        made.pop("format", None)
    if isinstance(made.get("items"), list | tuple):
        made["items"] = next(iter(made["items"]), {})  # type: ignore[call-overload]  # checked above
    if "properties" in made and "type" not in made:
        made["type"] = "object"
    if made.get("type") == "array":
        made.setdefault("items", {"type": "string"})
    return {key: value for key, value in made.items() if key in _KNOWN}
