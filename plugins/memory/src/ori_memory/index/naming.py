"""Notes of the index as far as they can be named."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from ori_memory.links.names import NamedNote

__all__ = ["named_notes"]


def named_notes(connection: sqlite3.Connection, nums: Iterable[int]) -> dict[int, NamedNote]:
    """These notes as far as links can name them."""
    wanted = json.dumps(list(nums))
    chosen = "IN (SELECT value FROM json_each(?))"
    aliases: dict[int, list[str]] = {}
    for num, alias in connection.execute(
        f"SELECT note, alias FROM alias WHERE note {chosen} ORDER BY note, position", (wanted,)
    ):
        aliases.setdefault(num, []).append(alias)
    rows = connection.execute(f"SELECT num, path, title FROM note WHERE num {chosen}", (wanted,))
    return {num: NamedNote(path, title, tuple(aliases.get(num, ()))) for num, path, title in rows}
