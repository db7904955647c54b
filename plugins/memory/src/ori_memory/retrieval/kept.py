"""What questions found out about one state of the index, kept for those that follow."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from ori_memory.retrieval.ties import Ties

if TYPE_CHECKING:
    from ori_memory.links.names import NamedNote

__all__ = ["Kept", "Nameable", "Openings", "state_of"]


@frozen
class Nameable:
    """A note as far as a question may name it."""

    num: int
    note: NamedNote
    names: tuple[tuple[str, frozenset[str]], ...]
    """In small letters, each with its words."""


Openings = Mapping[str, Sequence[Nameable]]
"""Notes by the last word of one of their names; empty for a name in which words are not told apart."""


@define
class Kept:
    """Belongs to one state of one index; another state has another."""

    ties: Ties = field(factory=Ties)
    counts: dict[str, int] = field(factory=dict)
    """How many notes hold each word."""
    holders: dict[int, list[int]] = field(factory=dict)
    """Notes by the name that they hold."""
    openings: dict[str, Openings] = field(factory=dict)
    """By the word that one of their names begins with."""
    replaced: frozenset[str] | None = None
    """Paths of notes that others say they supersede; None: not looked up yet."""
    note_count: int | None = None
    has_threads: bool | None = None

    def trim(self, most: int = 100_000) -> None:
        """Forget what has grown beyond `most` entries."""
        for found in (self.openings, self.counts, self.holders):
            if len(found) > most:
                found.clear()


def state_of(connection: sqlite3.Connection) -> tuple[int, int]:
    """Numbers that differ once anybody has changed the index."""
    return int(connection.execute("PRAGMA data_version").fetchone()[0]), connection.total_changes
