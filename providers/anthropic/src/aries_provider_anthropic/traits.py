"""In what the models and servers of the Messages format differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs
from attrs import frozen

from aries_provider_http.boundary import Boundary

__all__ = ["MessagesTraits"]


@frozen
class MessagesTraits:
    """How a model wants to be asked."""

    thinking: Literal["adaptive", "budget", "none"] = "none"
    """adaptive: the model decides, an effort guides it; budget: tokens are set aside; none: it is never asked for."""
    names_display: bool = True
    """Thinking is asked for in readable form, for models that hide it otherwise."""
    supports_effort: bool = False
    effort_names: Mapping[str, str] = attrs.field(factory=lambda: {"max": "high"})
    """The server's words for our efforts; one that is missing goes as it is."""
    supports_cache_control: bool = True
    max_output: int | None = None
    """What the server said is the most, where it refused more."""
    squeezed_output: int | None = None
    """What was left of the window for an answer when a request was refused for asking more."""
    squeezed_from: int = 0
    """The number of messages from which on that holds: a conversation that was shortened has room again."""
    distrusted: Boundary = Boundary()
    """Messages before it go without their thinking, which the server refused."""
