"""A server that refuses one of our optional fields: ask without it, and remember."""

from __future__ import annotations

import re

import attrs

from aries_provider_http.faults import Fault
from aries_provider_openai.compat import Compat

__all__ = ["relaxed"]

_REFUSES = re.compile(
    r"unsupported|not supported|unrecogni[sz]ed|unknown|unexpected|not permitted|not allowed|extra|invalid|does not "
    r"(?:support|accept|allow)|forbidden|additional propert|no such|use '?max_",
    re.IGNORECASE,
)


def relaxed(compat: Compat, fault: Fault) -> Compat | None:
    """`compat` without the field that a 400 or 422 complains about; None where it names none of ours.

    Nothing was generated and nothing paid for when a server refuses a field, so this is still the same attempt.
    """
    if fault.status not in (400, 422) or not _REFUSES.search(fault.words):
        return None
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


def _other_limit_field(compat: Compat, fault: Fault, words: str) -> Compat | None:
    if compat.max_tokens_field == "max_tokens" and "max_completion_tokens" in fault.message:
        return attrs.evolve(compat, max_tokens_field="max_completion_tokens")
    refuses_new = compat.max_tokens_field == "max_completion_tokens" and "max_completion_tokens" in words
    if refuses_new and not re.search(r"too (?:large|big|high)|at most|exceed|less than|greater", words):
        return attrs.evolve(compat, max_tokens_field="max_tokens")
    return None
