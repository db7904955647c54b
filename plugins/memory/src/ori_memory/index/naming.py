"""Notes of the index as far as they can be named."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from ori_memory.links.names import NamedNote

__all__ = ["ID_LENGTH", "named_notes"]

ID_LENGTH = 36
"""Of ids that no two blocks of a vault share; `^a1` is one in its note."""


def named_notes(connection: sqlite3.Connection, nums: Iterable[int]) -> dict[int, NamedNote]:
    """These notes as far as links can name them."""
    wanted = json.dumps(list(nums))
    chosen = "IN (SELECT value FROM json_each(?))"
    aliases: dict[int, list[str]] = {}
    for num, alias in connection.execute(
        f"SELECT note, alias FROM alias WHERE note {chosen} ORDER BY note, position", (wanted,)
    ):
        aliases.setdefault(num, []).append(alias)
    blocks: dict[int, list[str]] = {}
    for num, block in connection.execute(
        f"SELECT note, block FROM block WHERE note {chosen} AND length(block) = ? ORDER BY note, position",
        (wanted, ID_LENGTH),
    ):
        blocks.setdefault(num, []).append(block)
    rows = connection.execute(f"SELECT num, path, title FROM note WHERE num {chosen}", (wanted,))
    return {
        num: NamedNote(path, title, tuple(aliases.get(num, ())), tuple(blocks.get(num, ())))
        for num, path, title in rows
    }
