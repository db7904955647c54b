"""What questions found out about one state of the index, kept for those that follow."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from attrs import field

from aries_kernel.values import define
from ori_memory.retrieval.ties import Ties

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aries_kernel.contracts import NoteView
    from ori_memory.model import NoteRecord
    from ori_memory.retrieval.visibility import Standing

__all__ = ["Kept", "Opening", "state_of"]

Opening = tuple[int, str, str, tuple[str, ...]]
"""Number, path, title and aliases of a note: a class would take longer to make than all the rest."""


@define
class Kept:
    """Belongs to one state of one index; another state has another."""

    ties: Ties = field(factory=Ties)
    counts: dict[str, int] = field(factory=dict)
    """How many notes hold each word."""
    holders: dict[int, list[int]] = field(factory=dict)
    """Notes by the name that they hold."""
    openings: dict[str, dict[str, list[Opening]]] = field(factory=dict)
    """Notes by the word that one of their names begins with, and the one that one ends with."""
    paths: dict[int, str] = field(factory=dict)
    records: dict[int, NoteRecord] = field(factory=dict)
    views: dict[int, NoteView] = field(factory=dict)
    standings: dict[int, Standing] = field(factory=dict)
    replaced: frozenset[str] | None = None
    """Paths of notes that others say they supersede; None: not looked up yet."""
    warm: tuple[Mapping[str, float], dict[int, float]] | None = None
    """Warmth by note id, and the same by number."""
    note_count: int | None = None
    has_threads: bool | None = None

    def trim(self, most: int = 100_000) -> None:
        """Forget what has grown beyond `most` entries."""
        for found in (self.openings, self.counts, self.holders, self.paths):
            if len(found) > most:
                found.clear()
        for notes in (self.records, self.views, self.standings):
            if len(notes) > most // 10:
                notes.clear()


def state_of(connection: sqlite3.Connection) -> tuple[int, int]:
    """Numbers that differ once anybody has changed the index."""
    return int(connection.execute("PRAGMA data_version").fetchone()[0]), connection.total_changes
