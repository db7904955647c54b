"""The servers' words for why an answer ended."""

from __future__ import annotations

from aries_kernel.model.messages import StopReason

__all__ = ["FAILED", "stop_reason"]

_REASONS = {
    StopReason.END: (
        "stop", "tool_calls", "tool_call", "tool_use", "function_call", "end_turn", "end", "eos", "eos_token",
        "stop_sequence", "complete", "completed", "done", "finished", "normal",
    ),
    StopReason.LENGTH: (
        "length", "max_tokens", "max_output_tokens", "model_length", "max_length", "token_limit",
        "model_context_window_exceeded",
    ),
    StopReason.FILTERED: (
        "content_filter", "content_filtered", "safety", "refusal", "sensitive", "recitation", "blocklist",
        "prohibited_content", "guardrail_intervened", "spii", "image_safety", "image_prohibited_content",
        "image_recitation", "language",
    ),
}  # fmt: skip
_BY_WORD = {word: reason for reason, words in _REASONS.items() for word in words}
FAILED = frozenset(
    {
        "error",
        "network_error",
        "server_error",
        "failed",
        "abort",
        "aborted",
        "cancelled",
        "insufficient_system_resource",
    }
)
"""Words that say the server failed: the answer is no answer."""


def stop_reason(word: str) -> StopReason:
    """Our reason for a server's word, in any case."""
    return _BY_WORD.get(word.strip().lower(), StopReason.OTHER)
