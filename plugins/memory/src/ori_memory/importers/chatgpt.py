"""ChatGPT's export: a zip with `conversations.json`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from aries_kernel.contracts.importer import ImportedFile, ImportedNote, Loss
from ori_memory.importers.conversation import Conversation, as_mapping, instant, text_of
from ori_memory.importers.conversations import read_conversations

__all__ = ["ChatGpt"]

_SPEAKERS = {"user": "User", "assistant": "Assistant", "tool": "Tool", "system": "System"}
_UNSEEN = {"thoughts", "reasoning_recap", "user_editable_context", "model_editable_context"}


class ChatGpt:
    """One note a conversation: the branch that was last shown, with who spoke and when."""

    name: ClassVar[str] = "chatgpt"
    description: ClassVar[str] = "ChatGPT's data export (the zip, its folder, or conversations.json)"
    into: ClassVar[str] = "inbox"

    def read(self, source: Path) -> Iterator[ImportedNote | ImportedFile | Loss]:
        """See the contract."""
        return read_conversations(source, _read)


def _read(where: str, element: object) -> Conversation | Loss:
    data = as_mapping(element)
    nodes = as_mapping(data.get("mapping"))
    key = text_of(data.get("conversation_id")) or text_of(data.get("id"))
    title = text_of(data.get("title"))
    where = f"{where} {title}".rstrip()
    if not nodes:
        return Loss(where, "it is no conversation: it has no messages" if data else "it is no conversation")
    branch = _branch(data, nodes)
    if not key:
        key = next((f"message:{one}" for one in branch), "")
    conversation = Conversation(where, key, title, instant(data.get("create_time")))
    for node in branch:
        _say(conversation, as_mapping(as_mapping(nodes[node]).get("message")))
    elsewhere = sum(1 for one in nodes.keys() - set(branch) if _has_text(as_mapping(nodes[one])))
    conversation.leave_out("messages of branches that were given up were left out", elsewhere)
    return conversation


def _branch(data: Mapping[str, object], nodes: Mapping[str, object]) -> list[str]:
    """From the root to the message that was shown last."""
    at: object = data.get("current_node")
    if not isinstance(at, str) or at not in nodes:
        named = (as_mapping(node).get("parent") for node in nodes.values())
        parents = {one for one in named if isinstance(one, str)}
        leaves = [one for one in nodes if one not in parents] or list(nodes)
        at = max(leaves, key=lambda one: (_time(nodes[one]), leaves.index(one)))
    branch: dict[str, None] = {}
    while isinstance(at, str) and at in nodes and at not in branch:
        branch[at] = None
        at = as_mapping(nodes[at]).get("parent")
    return list(reversed(branch))


def _time(node: object) -> float:
    at = instant(as_mapping(as_mapping(node).get("message")).get("create_time"))
    return at.timestamp() if at else 0.0


def _has_text(node: Mapping[str, object]) -> bool:
    message = as_mapping(node.get("message"))
    parts = as_mapping(message.get("content")).get("parts")
    return isinstance(parts, list) and any(isinstance(part, str) and part.strip() for part in parts)


def _say(conversation: Conversation, message: Mapping[str, object]) -> None:
    content = as_mapping(message.get("content"))
    if not content:
        return
    role = text_of(as_mapping(message.get("author")).get("role"))
    kind = text_of(content.get("content_type"))
    is_hidden = as_mapping(message.get("metadata")).get("is_visually_hidden_from_conversation") is True
    if is_hidden or kind in _UNSEEN:
        if _text(conversation, content).strip() or kind in _UNSEEN:
            conversation.leave_out("messages that were not shown (settings, reasoning) were left out")
        return
    text = _text(conversation, content)
    if kind == "code" or kind == "execution_output":
        fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
        text = f"{fence}\n{text}\n{fence}" if text.strip() else ""
    conversation.say(_SPEAKERS.get(role, role or "Unknown"), text, instant(message.get("create_time")))


def _text(conversation: Conversation, content: Mapping[str, object]) -> str:
    parts = content.get("parts")
    if not isinstance(parts, list):
        return "\n".join(filter(None, (text_of(content.get(key)) for key in ("title", "url", "text", "result"))))
    texts = []
    for part in parts:
        if isinstance(part, str):
            texts.append(text_of(part))
        elif part is None:
            conversation.leave_out("an empty part of a message")
        else:
            spoken = text_of(as_mapping(part).get("text"))
            kind = text_of(as_mapping(part).get("content_type")) or "unknown kind"
            texts.append(spoken)
            if not spoken:
                conversation.leave_out(f"a part that is no text ({kind})")
    return "\n\n".join(text for text in texts if text.strip())
