"""The index as the graph wants it: notes, and one row for all links of a kind between two of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from attrs import frozen

from ori_memory.graph.edges import SUGGESTED, Edge
from ori_memory.index.index import Index
from ori_memory.model import NoteRecord

__all__ = ["IndexSource"]


@frozen
class IndexSource:
    """Reads an index."""

    index: Index

    def notes(self) -> Iterable[NoteRecord]:
        return self.index.notes()

    def edges(self) -> Iterable[Edge]:
        counted: Counter[tuple[str, str, str]] = Counter(
            (one.source, one.target, one.link.kind.value) for one in self.index.links() if one.target is not None
        )
        counted.update((one.source, one.target, SUGGESTED) for one in self.index.suggested())
        return [Edge(source, target, kind, times) for (source, target, kind), times in counted.items()]
