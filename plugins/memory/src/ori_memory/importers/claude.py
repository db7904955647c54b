"""Claude's export: a zip with `conversations.json`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from aries_kernel.contracts.importer import ImportedFile, ImportedNote, Loss
from ori_memory.importers.conversation import Conversation, as_mapping, instant, text_of
from ori_memory.importers.conversations import read_conversations

__all__ = ["Claude"]

_SPEAKERS = {"human": "User", "user": "User", "assistant": "Assistant"}
_ROOT = "00000000-0000-4000-8000-000000000000"
"""The parent that the export names for a first message."""


class Claude:
    """One note a conversation, with who spoke and when."""

    name: ClassVar[str] = "claude"
    description: ClassVar[str] = "Claude's data export (the zip, its folder, or conversations.json)"
    into: ClassVar[str] = "inbox"

    def read(self, source: Path) -> Iterator[ImportedNote | ImportedFile | Loss]:
        """See the contract."""
        return read_conversations(source, _read)


def _read(where: str, element: object) -> Conversation | Loss:
    data = as_mapping(element)
    messages = data.get("chat_messages")
    title = text_of(data.get("name"))
    where = f"{where} {title}".rstrip()
    if not isinstance(messages, list):
        return Loss(where, "it is no conversation: it has no chat_messages")
    given = [as_mapping(message) for message in messages]
    key = text_of(data.get("uuid")) or next((f"message:{one['uuid']}" for one in given if one.get("uuid")), "")
    conversation = Conversation(where, key, title, instant(data.get("created_at")))
    branch = _branch(given, data.get("current_leaf_message_uuid"))
    for message in branch:
        _say(conversation, message)
    conversation.leave_out("messages of branches that were given up were left out", len(given) - len(branch))
    return conversation


def _branch(messages: list[Mapping[str, object]], leaf: object) -> list[Mapping[str, object]]:
    """The messages that led to the last one; all of them where the export does not tell parents."""
    by_id = {text_of(one.get("uuid")): one for one in messages}
    told = [one for one in messages if text_of(one.get("parent_message_uuid")) in by_id]
    if not told or len(by_id) < len(messages):
        return messages
    at = leaf if isinstance(leaf, str) and leaf in by_id else text_of(messages[-1].get("uuid"))
    branch: dict[str, None] = {}
    while at in by_id and at not in branch and at != _ROOT:
        branch[at] = None
        at = text_of(by_id[at].get("parent_message_uuid"))
    return [by_id[one] for one in reversed(branch)]


def _say(conversation: Conversation, message: Mapping[str, object]) -> None:
    sender = text_of(message.get("sender"))
    text = _content(conversation, message)
    for attachment in _mappings(message.get("attachments")):
        text += _attached(conversation, attachment)
    for file in _mappings(message.get("files")):
        conversation.leave_out(f"the file {text_of(file.get('file_name')) or 'without a name'} is not in the export")
    conversation.say(_SPEAKERS.get(sender, sender or "Unknown"), text, instant(message.get("created_at")))


def _content(conversation: Conversation, message: Mapping[str, object]) -> str:
    texts = []
    for part in _mappings(message.get("content")):
        kind = text_of(part.get("type")) or "unknown kind"
        if kind == "text":
            texts.append(text_of(part.get("text")))
        else:
            conversation.leave_out(f"a part that is no text ({kind})")
    return "\n\n".join(text for text in texts if text.strip()) or text_of(message.get("text"))


def _attached(conversation: Conversation, attachment: Mapping[str, object]) -> str:
    name = text_of(attachment.get("file_name")) or "attachment"
    content = text_of(attachment.get("extracted_content"))
    if not content.strip():
        conversation.leave_out(f"the attachment {name} is not in the export")
        return ""
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", content)), default=0))
    return f"\n\nAttached: {' '.join(name.split())}\n\n{fence}\n{content}\n{fence}"


def _mappings(value: object) -> list[Mapping[str, object]]:
    return [as_mapping(one) for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []
