"""Pictures that a model cannot see or a server refuses: a text takes their place, and the session goes on."""

from __future__ import annotations

import re

import attrs

from aries_kernel.model.messages import UserMessage
from aries_kernel.model.request import Request
from aries_provider_http.faults import Fault

__all__ = ["has_images", "refuses_images", "without_images"]

_REFUSED = re.compile(
    r"\bimages?\b.{0,120}(?:exceed|too (?:large|many|big)|dimension|not (?:supported|process|valid)|unsupported|invalid"
    r"|could not|unable|maximum|does not support)"
    r"|(?:exceed|too (?:large|many|big)|not (?:supported|process)|unsupported|invalid|could not|unable|support)"
    r".{0,80}\b(?:images?|image_url|vision|multimodal)\b",
    re.IGNORECASE | re.DOTALL,
)


def has_images(request: Request) -> bool:
    """Whether there is any picture in the conversation."""
    return any(isinstance(message, UserMessage) and message.images for message in request.messages)


def refuses_images(fault: Fault) -> bool:
    """Whether a refusal is about a picture."""
    return fault.status in (400, 404, 413, 415, 422) and bool(_REFUSED.search(f"{fault.param} {fault.words}"))


def without_images(request: Request, why: str, messages: int | None = None) -> Request:
    """`request` with a text in place of each picture of its first `messages`; None: of all."""
    end = len(request.messages) if messages is None else messages
    told = tuple(
        _told(one, why) if isinstance(one, UserMessage) and one.images else one for one in request.messages[:end]
    )
    return attrs.evolve(request, messages=told + request.messages[end:])


def _told(message: UserMessage, why: str) -> UserMessage:
    notes = "\n".join(image.described(why) for image in message.images)
    return attrs.evolve(message, text=f"{message.text}\n\n{notes}" if message.text.strip() else notes, images=())
