"""What was said in a session: by whom, without what tools printed and clients put in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

__all__ = ["Said", "said_in", "said_in_file"]

_MOST_BYTES = 2 << 20
"""Of a long transcript the end is read: what came before was captured in time, or is old."""
_MOST_WHOLE = 8 << 20
"""A transcript that is one document can only be read whole."""
_USER = ("user", "human", "user.message", "user_message")
_AGENT = ("assistant", "model", "agent", "gemini", "qwen", "assistant.message", "agent_message")
_NESTED = ("message", "payload", "data")
_TEXT_KINDS = ("text", "input_text", "output_text")
_PUT_IN = re.compile(
    r"<(system-reminder|hook_context|command-[a-z]+|local-command-[a-z]+|environment_context|user_instructions|"
    r"ide_[a-z_]+|INSTRUCTIONS)\b[^>]*>.*?(?:</\1>|\Z)",
    re.DOTALL,
)
_CODE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t\r]*$|\Z)", re.DOTALL | re.MULTILINE)
_NOT_SAID = ("# AGENTS.md instructions", "Caveat: The messages below", "[Request interrupted")


@frozen
class Said:
    """Something that was said."""

    is_user: bool
    text: str


def said_in_file(path: Path) -> list[Said]:
    """What a transcript holds, a JSON document a line or one for all; what is neither is passed over.

    Raises: OSError.
    """
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(0 if size <= _MOST_WHOLE else size - _MOST_BYTES)
        data = file.read(_MOST_WHOLE)
    text = data.decode("utf-8", "replace")
    whole = _parsed(text) if text.lstrip().startswith(("{", "[")) else None
    if whole is not None:
        return list(said_in(whole))
    lines = text[-_MOST_BYTES:].splitlines()
    return [one for line in lines if (entry := _parsed(line)) is not None for one in said_in(entry)]


def said_in(entry: Any) -> Iterator[Said]:
    """What one entry says, or the entries that are listed in it."""
    if isinstance(entry, list):
        for one in entry:
            yield from said_in(one)
        return
    if not isinstance(entry, Mapping) or entry.get("isMeta") or entry.get("isSidechain"):
        return
    for listed in ("messages", "history"):
        if isinstance(entry.get(listed), list):
            yield from said_in(entry[listed])
    inner = [entry, *(entry[name] for name in _NESTED if isinstance(entry.get(name), Mapping))]
    role = next((role for one in inner for role in (_role(one),) if role), "")
    if not role:
        return
    text = next((text for one in reversed(inner) for text in (_content(one),) if text), "")
    text = _CODE.sub("", _PUT_IN.sub("", text)).strip()
    if text and not text.startswith(_NOT_SAID):
        yield Said(role == "user", text)


def _role(entry: Mapping[str, Any]) -> str:
    for name in ("role", "type"):
        value = entry.get(name)
        if value in _USER:
            return "user"
        if value in _AGENT:
            return "agent"
    return ""


def _content(entry: Mapping[str, Any]) -> str:
    for name in ("content", "parts", "text"):
        if found := _flat(entry.get(name)):
            return found
    return ""


def _flat(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n\n".join(filter(None, (_flat_part(part) for part in content)))
    return ""


def _flat_part(part: Any) -> str:
    if isinstance(part, str):
        return part
    is_text = isinstance(part, Mapping) and part.get("type", "text") in _TEXT_KINDS and not part.get("thought")
    return str(part["text"]) if is_text and isinstance(part.get("text"), str) else ""


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
