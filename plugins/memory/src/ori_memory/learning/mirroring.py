"""What a vault keeps in its own file of a store that is at a server: ids of notes, and how warm they are.

The index asks for ids inside its transactions, and the brief has no time for a server: both read the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from aries_kernel.errors import AriesError
from ori_memory.index.index import open_index
from ori_memory.learned.exchange import Parsed
from ori_memory.learned.store import LearnedStore

if TYPE_CHECKING:
    from ori_memory.learned.rows import Row
    from ori_memory.memory import Memory

__all__ = ["fetch_warmth", "forget_here", "share_ids"]

_IDS, _WARMTH = "identity", ("boost", "forgotten", "note_reset", "reset")


def share_ids(memory: Memory, *, is_before: bool) -> None:
    """Around a sync, with the machines that share the learned store; where that fails, the memory tells it.

    Before: a note that another machine renamed, and that comes here new, gets the id that it has there.
    """
    try:
        (_fetch_ids if is_before else _give_ids)(memory)
    except AriesError as error:
        memory.notice(f"Ids of renamed notes are not shared: {error}")


def _fetch_ids(memory: Memory) -> None:
    told = memory.learned.rows((_IDS,))[_IDS]
    if not told:
        return
    with _file(memory) as file:
        known = file.identities()
        new = [row for row in told if row["path"] not in known]
        here = _ids_at(memory, new) if new else {}
        if new := [row for row in new if row["path"] not in here]:
            file.merge(Parsed({_IDS: new}, {}))


def _give_ids(memory: Memory) -> None:
    with _file(memory) as file:
        own = file.rows((_IDS,))[_IDS]
    told = memory.learned.rows((_IDS,))[_IDS]
    here = _ids_at(memory, told)
    ids = set(here.values()) | {str(row["id"]) for row in own}
    # Another note stands there now, and the one that it speaks of is here too.
    wrong = [str(row["path"]) for row in told if here.get(str(row["path"]), row["id"]) != row["id"] in ids]
    fresh = [row for row in own if row not in told]
    if wrong:
        memory.learned.drop_ids(wrong)
    if fresh:
        memory.learned.merge(Parsed({_IDS: fresh}, {}))


def fetch_warmth(memory: Memory) -> None:
    """So that the brief of the next session tells what is warm on all machines. Raises: UserError."""
    rows = memory.learned.rows(_WARMTH)
    if any(rows.values()):
        with _file(memory) as file:
            file.merge(Parsed(rows, {}))


def forget_here(memory: Memory, note_id: str) -> None:
    """Leave no trace of a note in the file either. Raises: UserError."""
    with _file(memory) as file:
        file.forget(note_id)


def _file(memory: Memory) -> LearnedStore:
    return LearnedStore(memory.vault.learned_path, clock=memory.now)


def _ids_at(memory: Memory, rows: Sequence[Row]) -> Mapping[str, str]:
    """Ids of the notes that the index has at these paths."""
    paths = json.dumps([row["path"] for row in rows])
    query = "SELECT path, id FROM note WHERE path IN (SELECT value FROM json_each(?))"
    with open_index(memory.vault, sync=False) as index:
        return index.read(lambda connection: dict(connection.execute(query, (paths,)).fetchall()))
