"""What a refusal is about: one tool, a picture, or neither."""

from __future__ import annotations

import pytest

from aries_provider_http.faults import Fault
from aries_provider_http.images import refuses_images
from aries_provider_http.refused_tools import refused_tool

NAMES = ("Read", "mcp__files__find", "Bash")


@pytest.mark.parametrize(
    ("message", "param", "place"),
    [
        ("tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12", "", 1),
        ("tools.2.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'", "", 2),
        ("Invalid schema for function 'mcp__files__find': no items.", "tools[1].function.parameters", 1),
        ("Invalid schema for function 'Bash': In context=(), 'additionalProperties' is required", "", 2),
        ("* Request.tools[0].function_declarations[2].parameters.properties[x].items: missing field.", "", 2),
        ("Invalid JSON payload. Unknown name \"$ref\" at 'tools[0].function_declarations[1].parameters'", "", 1),
        ("invalid JSON schema for tool Bash, tools[2].function.parameters: jsonschema", "", 2),
        ("tools.9.custom.input_schema: JSON schema is invalid", "", None),
        ("messages.3.content.0.tool_use_id: unexpected id", "", None),
        ("tool_choice: tool 'Bash' is required", "", None),
        ("The functions 'Read' and 'Bash' have an invalid schema", "", None),
        ("Invalid value for temperature", "", None),
    ],
)  # fmt: skip
def test_the_tool_that_a_server_refuses_is_found_or_none(message: str, param: str, place: int | None) -> None:
    assert refused_tool(Fault(400, message, param=param), NAMES) == place
    assert refused_tool(Fault(500, message, param=param), NAMES) is None


@pytest.mark.parametrize(
    ("message", "is_about"),
    [
        ("messages.4.content.1.image.source.base64: image exceeds 5 MB maximum: 5400000 bytes > 5242880 bytes", True),
        ("At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels", True),
        ("Could not process image", True),
        ("Invalid image data or unsupported image format.", True),
        ("This model does not support image input.", True),
        ("No endpoints found that support image input", True),
        ("Unable to process input image. Please retry or report", True),
        ("prompt is too long: 210000 tokens > 200000 maximum", False),
        ("Invalid value for 'temperature'", False),
        ("tools.1.custom.input_schema: JSON schema is invalid", False),
    ],
)
def test_a_refusal_of_a_picture_is_told_from_others(message: str, is_about: bool) -> None:
    assert refuses_images(Fault(400, message)) is is_about
    assert not refuses_images(Fault(429, message))
