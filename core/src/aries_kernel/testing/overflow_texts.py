"""How servers say that a conversation is too long for the model."""

from __future__ import annotations

__all__ = ["OVERFLOWS"]

OVERFLOWS = (
    "prompt is too long: 210000 tokens > 200000 maximum",
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "Your request exceeded model token limit: 262144 (requested: 300000)",
    "Please reduce the length of the messages or completion.",
    "the request exceeds the available context size, try increasing it",
    "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
    "prompt token count of 140000 exceeds the limit of 128000",
    "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
    "invalid params, context window exceeds limit",
    "input is too long for requested model",
    "This endpoint's maximum context length is 131072 tokens. However, you requested about 200000 tokens.",
)
