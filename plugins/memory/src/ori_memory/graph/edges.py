"""What the graph is built from: notes, and rows that say which note links to which."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import NamedTuple, Protocol

from ori_memory.model import NoteRecord

__all__ = ["EMBED", "SUGGESTED", "WRITTEN", "Edge", "LinkSource", "group_of"]

WRITTEN = "written"
EMBED = "embed"
SUGGESTED = "suggested"


class Edge(NamedTuple):
    """All links of one kind from one note to another. A tuple, since an index hands over tens of thousands."""

    source: str
    """The path of the note that links."""
    target: str
    """The path of the note linked to; a name that leads to no note is no edge."""
    kind: str
    """A `LinkKind`, or `suggested`: the text mentions the other note's title without a link."""
    times: int = 1
    """How many links these are."""
    first_seen: datetime.datetime | None = None
    """When the link appeared, where that is known."""


class LinkSource(Protocol):
    """Where notes and links come from; the index is one."""

    def notes(self) -> Iterable[NoteRecord]:
        """All notes, in any order."""
        ...

    def edges(self) -> Iterable[Edge]:
        """All resolved and suggested links, in any order; a pair may occur once for each kind."""
        ...


def group_of(kind: str) -> str:
    """The kind as the graph weighs it: written, embed or suggested."""
    if kind == SUGGESTED:
        return SUGGESTED
    return EMBED if kind.endswith(EMBED) else WRITTEN
