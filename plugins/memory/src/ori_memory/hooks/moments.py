"""The three moments: a session starts, a file was written, a session ends."""

from __future__ import annotations

import datetime
from pathlib import Path

from ori_memory.hooks.payload import Payload
from ori_memory.vault.vault import OutsideVault, Vault

__all__ = ["capture", "orient", "validate"]

_HOW = (
    "This is your long-term memory. Ask it before you answer what may be known (tools ori_query_ranked and ori_read, "
    "or `ori query ranked QUESTION`), and keep what will matter later (ori_add, or `ori add TITLE --content TEXT`)."
)
_MOST_FILES = 5
_MOST_TOLD = 10
_SERVER_SECONDS = 1.0


def orient(vault: Vault, payload: Payload, client: str) -> str:
    """The brief, and how to use the memory."""
    from ori_memory.operations.orienting import brief_text
    from ori_memory.operations.orienting import orient as brief_of

    brief = brief_of(vault, datetime.datetime.now().astimezone())
    return f"{brief_text(brief)}\n\n{_HOW}".strip()


def validate(vault: Vault, payload: Payload, client: str) -> str:
    """What is wrong with the notes that were just written; empty where nothing is."""
    from ori_memory.memory import Memory
    from ori_memory.serving.anywhere import validate_anywhere

    notes = _written_notes(vault, payload)
    if not notes:
        return ""
    lines = []
    with Memory.open(vault) as memory:
        for path in notes[:_MOST_FILES]:
            found = validate_anywhere(memory, path, seconds=_SERVER_SECONDS)
            problems = [f"error: {text}" for text in found.errors] + [f"warning: {text}" for text in found.warnings]
            if problems:
                lines.append(f"{found.path} in your memory needs care:")
                lines += [f"- {text}" for text in problems[:_MOST_TOLD]]
    return "\n".join(lines)


def capture(vault: Vault, payload: Payload, client: str) -> str:
    """Put what the session may have taught into the inbox. Nothing is told: nobody reads it at the end."""
    if payload.data.get("stop_hook_active") is True:
        return ""
    from ori_memory.hooks.capturing import capture_session

    capture_session(vault, payload, client)
    return ""


def _written_notes(vault: Vault, payload: Payload) -> list[str]:
    """Paths of notes of the vault among the files that the tool wrote."""
    folder = next(payload.folders(), ".")
    notes = []
    for named in payload.paths():
        try:
            place = vault.locate(Path(folder) / named)
        except (OutsideVault, ValueError):
            continue
        path = vault.relative(place)
        is_hidden = any(part.startswith(".") for part in Path(path).parts)
        if place.suffix.lower() in (".md", ".markdown") and not is_hidden and place.is_file():
            notes.append(path)
    return list(dict.fromkeys(notes))
