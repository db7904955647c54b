"""A server that refuses one of our optional fields: ask without it, and remember."""

from __future__ import annotations

import re

import attrs

from aries_kernel.model.request import Request
from aries_provider_http.boundary import Boundary
from aries_provider_http.faults import Fault
from aries_provider_openai.compat import Compat

__all__ = ["relaxed"]

_REFUSES = re.compile(
    r"unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|not permitted|not allowed|extra|invalid|does not "
    r"(?:support|accept|allow)|forbidden|additional propert|no such|use '?max_",
    re.IGNORECASE,
)
_REASONING_REFUSED = re.compile(r"invalid_encrypted_content|encrypted content|of type '?reasoning", re.IGNORECASE)


def relaxed(compat: Compat, fault: Fault, request: Request) -> Compat | None:
    """`compat` without the field that a 400 or 422 complains about; None where it names none of ours.

    Nothing was generated and nothing paid for when a server refuses a field, so this is still the same attempt.
    """
    other = _other_wire(compat, fault)
    if other is not None or fault.status not in (400, 422):
        return other
    weaker = _other_reasoning(compat, fault.words, request)
    if weaker is not None or not _REFUSES.search(fault.words):
        return weaker
    words = f"{fault.param} {fault.message}"
    if compat.usage_in_stream and re.search(r"stream_options|include_usage", words):
        return attrs.evolve(compat, usage_in_stream=False)
    if compat.supports_store and re.search(r"\bstore\b", words):
        return attrs.evolve(compat, supports_store=False)
    if compat.session_affinity and re.search(rf"\b{re.escape(compat.session_affinity)}\b", words):
        return attrs.evolve(compat, session_affinity=None)
    if compat.states_parallel_calls and "parallel_tool_calls" in words:
        return attrs.evolve(compat, states_parallel_calls=False)
    if compat.supports_developer_role and re.search(r"\bdeveloper\b", words):
        return attrs.evolve(compat, supports_developer_role=False)
    return _other_limit_field(compat, fault, words)


def _other_wire(compat: Compat, fault: Fault) -> Compat | None:
    """A model that lives in the other wire format; the server says so, or knows no such address at all."""
    if fault.status not in (400, 404, 405):
        return None
    if compat.wire == "chat" and re.search(r"v1/responses|responses (?:api|endpoint)", fault.words, re.IGNORECASE):
        return attrs.evolve(compat, wire="responses")
    is_address = fault.status in (404, 405) and not re.search(r"\bmodel\b", fault.words, re.IGNORECASE)
    if compat.wire == "responses" and (is_address or re.search(r"chat/completions|chat completions", fault.words)):
        return attrs.evolve(compat, wire="chat")
    return None


def _other_reasoning(compat: Compat, words: str, request: Request) -> Compat | None:
    if re.search(r"reasoning_content.{0,80}passed back", words, re.DOTALL):
        needs = compat.requires_reasoning_content_on_assistant
        return None if needs else attrs.evolve(compat, requires_reasoning_content_on_assistant=True)
    if _REASONING_REFUSED.search(words) and compat.distrusted.within(request.messages) < len(request.messages):
        return attrs.evolve(compat, distrusted=Boundary.at_end_of(request.messages))
    if compat.shows_reasoning and re.search(r"reasoning\.summary|reasoning summar", words, re.IGNORECASE):
        return attrs.evolve(compat, shows_reasoning=False)
    return None


def _other_limit_field(compat: Compat, fault: Fault, words: str) -> Compat | None:
    if compat.max_tokens_field == "max_tokens" and "max_completion_tokens" in fault.message:
        return attrs.evolve(compat, max_tokens_field="max_completion_tokens")
    refuses_new = compat.max_tokens_field == "max_completion_tokens" and "max_completion_tokens" in words
    if refuses_new and not re.search(r"too (?:large|big|high)|at most|exceed|less than|greater", words):
        return attrs.evolve(compat, max_tokens_field="max_tokens")
    return None
