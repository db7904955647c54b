"""Thinking: what is asked for, how a block is kept, and how it goes back byte for byte."""

from __future__ import annotations

import json
from collections.abc import Sequence

from aries_kernel.model.messages import AssistantMessage, Message, Reasoning, UserMessage
from aries_kernel.model.request import Request
from aries_provider_anthropic.traits import MessagesTraits

__all__ = ["block_of", "has_thinking", "opaque_of", "thinking_fields"]

_BUDGETS = {"medium": 16_000, "high": 32_000, "max": 100_000}
"""Tokens set aside by effort; low thinks not at all."""
_LEAST = 1024
_KINDS = ("thinking", "redacted_thinking")


def thinking_fields(request: Request, traits: MessagesTraits, max_tokens: int, own: str) -> dict[str, object]:
    """The fields that ask for thinking; empty where no effort is asked for. `own` is this provider's name."""
    if request.effort is None or traits.thinking == "none":
        return _effort(request, traits) if request.effort else {}
    if traits.thinking == "adaptive":
        shown = {"display": "summarized"} if traits.names_display else {}
        return {"thinking": {"type": "adaptive", **shown}, **_effort(request, traits)}
    # An answer must fit beside the thinking, and the server wants the budget below the limit of both.
    budget = min(_BUDGETS.get(request.effort, 0), max_tokens * 3 // 4)
    if budget < _LEAST or not _loop_began_thinking(request, traits, own):
        return _effort(request, traits)
    return {"thinking": {"type": "enabled", "budget_tokens": budget}, **_effort(request, traits)}


def _effort(request: Request, traits: MessagesTraits) -> dict[str, object]:
    if not (traits.supports_effort and request.effort):
        return {}
    return {"output_config": {"effort": traits.effort_names.get(request.effort, request.effort)}}


def _loop_began_thinking(request: Request, traits: MessagesTraits, own: str) -> bool:
    """With a budget, each answer since the person last spoke must begin with its thinking; one that another model gave,
    or whose thinking was refused, makes the server refuse the rest of this loop.
    """
    distrusted = traits.distrusted.within(request.messages)
    for place, message in reversed(list(enumerate(request.messages))):
        if isinstance(message, UserMessage):
            return True
        if isinstance(message, AssistantMessage) and message.calls:
            first = message.parts[0]
            is_own = isinstance(first, Reasoning) and block_of(first, own, request.model) is not None
            if place < distrusted or not is_own:
                return False
    return True


def opaque_of(block: dict[str, object]) -> str:
    """What is kept of a block beside its text."""
    return json.dumps({name: value for name, value in block.items() if name != "thinking"}, ensure_ascii=False)


def block_of(part: Reasoning, provider: str, model: str) -> dict[str, object] | None:
    """The block to send back; None for thinking of another model, or that carries no signature."""
    if (part.provider, part.model) != (provider, model):
        return None
    try:
        kept = json.loads(part.opaque or "")
    except (ValueError, RecursionError):
        return None  # Not written by us: a block without its signature is refused.
    if not isinstance(kept, dict) or kept.get("type") not in _KINDS:
        return None
    if kept["type"] == "thinking":
        signature = kept.get("signature")
        return {"type": "thinking", "thinking": part.text, **_rest(kept)} if signature else None
    return kept if kept.get("data") else None


def _rest(kept: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in kept.items() if name != "type"}


def has_thinking(messages: Sequence[Message], provider: str, model: str) -> bool:
    """Whether any thinking of this model would be sent."""
    return any(
        isinstance(part, Reasoning) and block_of(part, provider, model) is not None
        for message in messages
        if isinstance(message, AssistantMessage)
        for part in message.parts
    )
