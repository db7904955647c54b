"""Vectors of questions that were asked, so that a later one can be compared with them without the model.

Derived data in a file of its own: a question that is asked again has its vector again, and where the file cannot be
used the words of the questions say alone how much alike they are.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import define, field

__all__ = ["NAME", "QuestionVectors"]

NAME = "questions.db"
_MOST = 5_000
"""Questions that are kept; the oldest make way."""
_MARGIN = 500
_PATIENCE = 0.05
"""Seconds to wait for another writer: what is lost is one vector of many."""
_TABLE = """CREATE TABLE IF NOT EXISTS question(
    number INTEGER PRIMARY KEY, model TEXT NOT NULL, topic TEXT NOT NULL, vector BLOB NOT NULL,
    UNIQUE (model, topic))"""


@define
class QuestionVectors:
    """Those of one model, in a vault's state folder."""

    folder: Path
    model: str
    """The embedder's fingerprint: vectors of different models are never compared."""
    _known: dict[str, bytes] = field(factory=dict, init=False)
    """What was read or written here."""
    _missing: set[str] = field(factory=set, init=False)

    def of(self, topics: Sequence[str]) -> Mapping[str, bytes]:
        """Vectors by topic; those that are not there are left out."""
        wanted = [topic for topic in topics if topic not in self._known and topic not in self._missing]
        if wanted:
            self._known.update(self._read(wanted))
        self._missing.update(topic for topic in wanted if topic not in self._known)
        return {topic: self._known[topic] for topic in topics if topic in self._known}

    def _read(self, topics: Sequence[str]) -> list[tuple[str, bytes]]:
        path = self.folder / NAME
        if not path.exists():
            return []
        query = "SELECT topic, vector FROM question WHERE model = ? AND topic IN (SELECT value FROM json_each(?))"
        try:
            with _connected(path) as connection:
                return connection.execute(query, (self.model, json.dumps(topics))).fetchall()
        except sqlite3.OperationalError:
            return []  # Somebody writes at this moment: the words say how much alike they are.
        except sqlite3.DatabaseError:
            path.unlink(missing_ok=True)  # It is damaged; it fills again by itself.
            return []

    def keep(self, topic: str, vector: bytes) -> None:
        """Keep one for later. Raises: OSError, sqlite3.Error where that cannot be."""
        if self.of([topic]).get(topic) == vector:
            return
        with _connected(self.folder / NAME) as connection:
            connection.execute(_TABLE)
            connection.execute(
                "INSERT OR REPLACE INTO question(model, topic, vector) VALUES (?, ?, ?)", (self.model, topic, vector)
            )
            first, last = connection.execute("SELECT min(number), max(number) FROM question").fetchone()
            if last - first > _MOST + _MARGIN:
                connection.execute("DELETE FROM question WHERE number <= ?", (last - _MOST,))
        self._known[topic] = vector
        self._missing.discard(topic)
        if len(self._known) > _MOST:
            self._known.clear()


@contextlib.contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path, timeout=_PATIENCE)
    try:
        connection.execute("PRAGMA synchronous = OFF")  # Losing it costs nothing but to embed a question again.
        with connection:
            yield connection
    finally:
        connection.close()
