"""What questions found out about one state of the index, kept for those that follow."""

from __future__ import annotations

import sqlite3

from attrs import define, field, frozen

from ori_memory.links.names import NamedNote
from ori_memory.retrieval.ties import Ties

__all__ = ["Kept", "Nameable", "state_of"]


@frozen
class Nameable:
    """A note as far as a question may name it."""

    num: int
    note: NamedNote
    names: tuple[tuple[str, frozenset[str]], ...]
    """In small letters, each with its words."""


@define
class Kept:
    """Belongs to one state of one index; another state has another."""

    ties: Ties = field(factory=Ties)
    rarity: dict[str, float] = field(factory=dict)
    holders: dict[int, list[int]] = field(factory=dict)
    """Notes by the name that they hold."""
    openings: dict[str, list[Nameable]] = field(factory=dict)
    """Notes by the word that one of their names begins with."""
    replaced: frozenset[str] | None = None
    """Paths of notes that others say they supersede; None: not looked up yet."""
    note_count: int | None = None
    has_threads: bool | None = None

    def trim(self, most: int = 100_000) -> None:
        """Forget what has grown beyond `most` entries."""
        if sum(map(len, self.openings.values())) > most:
            self.openings.clear()
        for found in (self.rarity, self.holders):
            if len(found) > most:
                found.clear()


def state_of(connection: sqlite3.Connection) -> tuple[int, int]:
    """Numbers that differ once anybody has changed the index."""
    return int(connection.execute("PRAGMA data_version").fetchone()[0]), connection.total_changes
