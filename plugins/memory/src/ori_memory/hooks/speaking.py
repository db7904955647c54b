"""How each client wants to be told something by a hook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ori_memory.hooks.payload import Payload

__all__ = ["CLIENTS", "client_of", "context_document"]

_ENVELOPE, _CURSOR, _CAMEL, _PLAIN = "envelope", "cursor", "camel", "plain"
CLIENTS: Mapping[str, str] = {
    "claude-code": _ENVELOPE,
    "codex": _ENVELOPE,
    "gemini": _ENVELOPE,
    "qwen": _ENVELOPE,
    "droid": _ENVELOPE,
    "cursor": _CURSOR,
    "copilot": _CAMEL,
    "hermes": _PLAIN,
    "opencode": _PLAIN,
    "generic": _PLAIN,
}
"""Client and the form of what it reads."""


def client_of(named: str, payload: Payload) -> str:
    """The client that is named, or the one whose way of asking this is."""
    if named in CLIENTS:
        return named
    if "workspace_roots" in payload.data or "conversation_id" in payload.data:
        return "cursor"
    if "extra" in payload.data:
        return "hermes"
    return "claude-code" if "hook_event_name" in payload.data else "generic"


def context_document(client: str, event: str, text: str) -> dict[str, Any]:
    """The one document that puts `text` before the model. It never blocks anything."""
    form = CLIENTS[client]
    if form == _ENVELOPE:
        return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    if form == _CURSOR:
        return {"additional_context": text}
    return {"additionalContext": text} if form == _CAMEL else {"context": text}
