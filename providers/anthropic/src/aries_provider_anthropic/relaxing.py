"""What to leave out, or to say in another way, when a server of the Messages format refuses a request."""

from __future__ import annotations

import re

import attrs

from aries_kernel.model.request import Request
from aries_provider_anthropic.thinking import has_thinking
from aries_provider_anthropic.traits import MessagesTraits
from aries_provider_http.boundary import Boundary
from aries_provider_http.faults import Fault

__all__ = ["relaxed"]

_REFUSES = re.compile(
    r"unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|not permitted|not allowed|extra|invalid|does not "
    r"(?:support|accept|allow)|forbidden|must be|should (?:be|match)|no such|not available",
    re.IGNORECASE,
)
_ALTERED = re.compile(
    r"signature|thinking.{0,40}blocks?.{0,60}(?:cannot be modified|must remain|must be passed|final|latest)"
    r"|redacted_thinking|expected .{0,3}thinking",
    re.IGNORECASE | re.DOTALL,
)
_TOO_MUCH = re.compile(r"max_tokens:?\s*(\d+)\s*>\s*(\d+)|max_tokens.{0,60}(?:at most|maximum (?:of|is)|<=?)\s*(\d+)")
_NO_ROOM = re.compile(r"(\d+)\s*\+\s*(\d+)\s*>\s*(\d+)")
_LEAST_ROOM = 4_096
"""A shorter answer is of little use: the conversation is too long, and is shortened."""


def relaxed(traits: MessagesTraits, fault: Fault, request: Request, provider: str) -> MessagesTraits | None:
    """`traits` that avoid what a 400 or 422 complains about; None where it names nothing of ours."""
    if fault.status not in (400, 422):
        return None
    words = f"{fault.param} {fault.message}"
    return (
        _without_old_thinking(traits, words, request, provider)
        or _smaller(traits, words, request)
        or (_other_fields(traits, words) if _REFUSES.search(fault.words) else None)
    )


def _without_old_thinking(traits: MessagesTraits, words: str, request: Request, provider: str) -> MessagesTraits | None:
    """Thinking that was altered on its way, or that this server did not make, must not cost the session."""
    if not _ALTERED.search(words) or ("thinking" not in words and "signature" not in words):
        return None
    kept = request.messages[traits.distrusted.within(request.messages) :]
    if has_thinking(kept, provider, request.model):
        return attrs.evolve(traits, distrusted=Boundary.at_end_of(request.messages))
    return attrs.evolve(traits, thinking="none") if traits.thinking != "none" else None


def _smaller(traits: MessagesTraits, words: str, request: Request) -> MessagesTraits | None:
    if (match := _NO_ROOM.search(words)) and "max_tokens" in words:
        said, asked, window = (int(number) for number in match.groups())
        room = window - said - 1
        if _LEAST_ROOM <= room < asked:
            return attrs.evolve(traits, squeezed_output=room, squeezed_from=len(request.messages))
        return None
    if match := _TOO_MUCH.search(words):
        most = int(match.group(2) or match.group(3))
        if 0 < most < (traits.max_output or most + 1):
            return attrs.evolve(traits, max_output=most)
    return None


def _other_fields(traits: MessagesTraits, words: str) -> MessagesTraits | None:
    if "cache_control" in words and traits.supports_cache_control:
        return attrs.evolve(traits, supports_cache_control=False)
    if re.search(r"output_config|\beffort\b", words) and traits.supports_effort:
        return attrs.evolve(traits, supports_effort=False)
    if re.search(r"thinking\.(?:\w+\.)?display", words) and traits.names_display:
        return attrs.evolve(traits, names_display=False)
    if traits.thinking == "budget" and re.search(r"adaptive|thinking\.type\W{0,3}enabled", words):
        return attrs.evolve(traits, thinking="adaptive")
    if traits.thinking == "adaptive" and "adaptive" in words:
        return attrs.evolve(traits, thinking="budget")
    if traits.thinking != "none" and re.search(r"\bthinking\b|budget_tokens", words):
        return attrs.evolve(traits, thinking="none")
    return None
