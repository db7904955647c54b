"""In what the models of Gemini's wire format differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs
from attrs import frozen

from aries_provider_http.boundary import Boundary

__all__ = ["GeminiTraits"]


@frozen
class GeminiTraits:
    """How a model wants to be asked."""

    thinking: Literal["level", "budget", "none"] = "none"
    """level: an effort by name; budget: tokens; none: it is never spoken of."""
    level_names: Mapping[str, str] = attrs.field(factory=lambda: {"max": "high"})
    """The server's words for our efforts; one that is missing goes as it is."""
    needs_signatures: bool = False
    """The first call of a step without a signature is refused, also one that another model made."""
    schema_flavour: Literal["json", "openapi"] = "json"
    """openapi: the older subset, for servers that do not know `parametersJsonSchema`."""
    distrusted: Boundary = Boundary()
    """Messages before it go without their signatures, which the server refused."""
