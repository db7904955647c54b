"""What to say in another way when Gemini refuses a request."""

from __future__ import annotations

import re

import attrs

from aries_kernel.model.request import Request
from aries_provider_google.traits import GeminiTraits
from aries_provider_http.boundary import Boundary
from aries_provider_http.faults import Fault

__all__ = ["relaxed"]

_UNKNOWN = re.compile(
    r"unknown name|cannot find field|not supported|unsupported|invalid|does not support", re.IGNORECASE
)


def relaxed(traits: GeminiTraits, fault: Fault, request: Request) -> GeminiTraits | None:
    """`traits` that avoid what a 400 complains about; None where it names nothing of ours."""
    if fault.status != 400:
        return None
    words = fault.words
    if re.search(r"thought[_ ]?signature", words, re.IGNORECASE):
        if traits.distrusted.within(request.messages) < len(request.messages):
            return attrs.evolve(traits, needs_signatures=True, distrusted=Boundary.at_end_of(request.messages))
        return attrs.evolve(traits, needs_signatures=False) if traits.needs_signatures else None
    if not _UNKNOWN.search(words):
        return None
    if traits.schema_flavour == "json" and re.search(r"parameters_?json_?schema", words, re.IGNORECASE):
        return attrs.evolve(traits, schema_flavour="openapi")
    if traits.thinking != "none" and re.search(r"thinking|thought", words, re.IGNORECASE):
        names_level = traits.thinking == "level" and re.search(r"thinking_?level", words, re.IGNORECASE)
        return attrs.evolve(traits, thinking="budget" if names_level else "none")
    return None
