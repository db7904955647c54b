"""What is sent to a model, and what is known about a model."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from aries_kernel.model.messages import Message
from aries_kernel.model.usage import Price

__all__ = ["ModelInfo", "Request", "ToolSchema"]


@frozen
class ToolSchema:
    """A tool as the model sees it. `parameters` is a JSON schema whose top level is a plain object."""

    name: str
    description: str
    parameters: Mapping[str, object]


@frozen
class Request:
    """One request: the stable prefix (system, tools), then the history."""

    model: str
    system: str
    tools: tuple[ToolSchema, ...]
    messages: tuple[Message, ...]
    session: str
    """Equal for requests that begin alike, so that providers may route them to one cache: a session and its forks."""
    max_output: int | None = None
    """Tokens; None leaves it to the model's own limit."""
    effort: str | None = None
    """low, medium, high or max; None leaves it to the server."""


@frozen
class ModelInfo:
    """What is known about one model; None where it is not known."""

    name: str
    context_window: int | None = None
    max_output: int | None = None
    price: Price | None = None
    has_tools: bool = True
    has_images: bool = False
    """Whether it can be shown pictures."""
    has_reasoning: bool = False
    """Whether it can think before it answers, so that an effort means something."""
    as_of: str = field(default="")
    """Date (YYYY-MM-DD) of these figures."""
