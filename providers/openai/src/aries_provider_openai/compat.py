"""In what the servers of one wire format differ: one record per model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs
from attrs import frozen

from aries_provider_http.boundary import Boundary

__all__ = ["Compat"]


@frozen
class Compat:
    """How a model wants to be asked. The defaults are what the most servers take."""

    wire: Literal["chat", "responses"] = "chat"
    """Chat Completions, or Responses: the only one some models know, and the only one that keeps reasoning."""
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    supports_developer_role: bool = False
    """The system text goes under the role `developer`."""
    supports_store: bool = False
    """The server may keep answers; it is told not to."""
    supports_reasoning_effort: bool = False
    """`reasoning_effort` is sent where an effort is asked for."""
    thinking_format: Literal["openai", "openrouter", "deepseek", "groq", "zai", "qwen", "chat-template"] = "openai"
    effort_names: Mapping[str, str] = attrs.field(factory=lambda: {"max": "high"})
    """The server's words for our efforts; one that is missing goes as it is."""
    requires_reasoning_content_on_assistant: bool = False
    """Answers made without reasoning carry an empty `reasoning_content`."""
    requires_tool_result_name: bool = False
    requires_assistant_after_tool_result: bool = False
    supports_strict: bool = False
    """Tools say `strict: false`, for servers that otherwise take every schema for the strict dialect."""
    states_parallel_calls: bool = False
    """`parallel_tool_calls: true` is sent, for servers that otherwise allow one call."""
    usage_in_stream: bool = True
    cached_includes_written: bool = False
    """The count of cached tokens holds those that this request has just stored, too."""
    cache_control_format: Literal["anthropic"] | None = None
    session_affinity: str | None = None
    """The field that carries the session's id, so that one machine and its cache serve the session."""
    tool_id_rule: Literal["standard", "nine", "any"] = "standard"
    shows_reasoning: bool = True
    """Summaries of reasoning are asked for; some accounts may not have them. Responses only."""
    distrusted: Boundary = Boundary()
    """Messages before it go without reasoning, which the server refused."""
    schema_flavour: Literal["plain", "moonshot", "grammar"] = "plain"
