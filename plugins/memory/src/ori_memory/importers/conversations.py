"""An export of conversations, element by element."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from aries_kernel.contracts.importer import ImportedNote, Loss
from ori_memory.importers.conversation import Conversation, once
from ori_memory.importers.export_files import export_elements

__all__ = ["read_conversations"]

_FILES = re.compile(r"conversations(?:[-_]?\d+)?\.json")


def read_conversations(
    source: Path, read: Callable[[str, object], Conversation | Loss]
) -> Iterator[ImportedNote | Loss]:
    """The notes of every conversation in an export's zip, folder or `conversations.json`; each conversation once."""
    seen: set[str] = set()
    for item in export_elements(source, _FILES, "conversations.json"):
        if isinstance(item, Loss):
            yield item
            continue
        found = read(*item)
        yield from (once(found.items(), seen) if isinstance(found, Conversation) else [found])
