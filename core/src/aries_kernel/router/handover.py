"""A conversation that another model goes on with."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from aries_kernel.model.messages import AssistantMessage, Message, Part, Reasoning, Text

__all__ = ["messages_for"]


def messages_for(messages: Sequence[Message], provider: str, model: str) -> tuple[Message, ...]:
    """`messages` as `model` may see them: its own reasoning untouched, that of others as text where it can be read.

    Signatures and encrypted parts mean nothing to anybody but their maker, and most servers refuse them. The same
    input gives the same output, so the prefix of a conversation stays what it was while the model stays.
    """
    return tuple(_for(one, provider, model) if isinstance(one, AssistantMessage) else one for one in messages)


def _for(message: AssistantMessage, provider: str, model: str) -> AssistantMessage:
    if not any(_is_foreign(part, provider, model) for part in message.parts):
        return message
    parts = [_as_text(part) if _is_foreign(part, provider, model) else part for part in message.parts]
    kept = tuple(part for part in parts if not (isinstance(part, Text) and not part.text.strip()))
    return attrs.evolve(message, parts=kept)


def _is_foreign(part: Part, provider: str, model: str) -> bool:
    return isinstance(part, Reasoning) and (part.provider, part.model) != (provider, model)


def _as_text(part: Part) -> Text:
    assert isinstance(part, Reasoning)
    # A blank line, since the answer's own text follows and servers join text parts without one.
    return Text(f"{part.text.strip()}\n\n" if part.text.strip() else "")
