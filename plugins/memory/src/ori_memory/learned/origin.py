"""Who counts: an id for this copy of the store.

A counter of one origin only ever grows. A copy of the file (another machine's, one restored from a backup) must not go
on counting under the same id, or the merge of both would lose counts; so the id holds only as long as the file is where
it was written, and a backup carries none.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING

from aries_kernel.digests import sha256

if TYPE_CHECKING:
    from ori_memory.learned.connecting import Connection

__all__ = ["drop_origin", "ensure_origin", "new_origin", "renew_origin"]


def ensure_origin(connection: Connection, path: Path) -> str:
    """The id that this file counts under; a new one where it has none or is a copy. Inside a write transaction only."""
    known = dict(connection.execute("SELECT key, value FROM meta WHERE key IN ('origin', 'place')").fetchall())
    place = _place(path)
    if "origin" in known and known.get("place") == place:
        return str(known["origin"])
    origin = new_origin()
    connection.executemany(
        """INSERT INTO meta (key, value) VALUES (:key, :value)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value""",
        [{"key": "origin", "value": origin}, {"key": "place", "value": place}],
    )
    return origin


def new_origin() -> str:
    """An id that nobody counts under."""
    return os.urandom(16).hex()


def drop_origin(connection: Connection) -> None:
    """For a copy: whoever writes to it next counts under an id of its own. The caller commits."""
    connection.execute("DELETE FROM meta WHERE key IN ('origin', 'place')", {})


def renew_origin(connection: Connection, old: str) -> None:
    """Count under another id from now on, here, and with the sessions that are not over. Inside a write transaction."""
    values = {"old": old, "new": new_origin()}
    connection.execute("UPDATE meta SET value = :new WHERE key = 'origin'", values)
    for table in ("session", "session_event"):
        connection.execute(f"UPDATE {table} SET origin = :new WHERE origin = :old", values)


def _place(path: Path) -> str:
    # A hash, since the file may be handed on and a machine's name is nobody else's business.
    return sha256(f"{platform.node()}\0{path.stat().st_ino}".encode()).hexdigest()[:16]
