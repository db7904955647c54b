"""How much of a vault has vectors, and what is being done about the rest; nothing is written, no model is loaded."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from ori_memory.index.peeking import ChangedMeanwhile, peeking
from ori_memory.vectors.planning import ask, candidates, passages_ahead
from ori_memory.vectors.rows import PATTERN
from ori_memory.vectors.schema import APPLICATION_ID, CUTTING, NAME, VERSION
from ori_memory.vectors.working import problem, worker

if TYPE_CHECKING:
    from ori_memory.vault.vault import Vault

__all__ = ["Coverage", "coverage"]


@frozen
class Coverage:
    """The vectors of a vault as they are now."""

    embedder: str
    """As the settings name it; empty for none."""
    fingerprint: str
    """Of the model that made the vectors; empty where there are none."""
    covered: int
    """Notes with vectors of their present text."""
    stale: int
    """Notes whose vectors belong to an older text."""
    missing: int
    passages: int
    cut_short: int
    """Notes with more passages than are taken."""
    size: int
    """Bytes on disk."""
    process: int | None
    """Who embeds at this moment; 0 where that is not known."""
    minutes_left: float | None
    """At the speed so far; None where nothing is left, or nothing was measured yet."""
    problem: str
    """Why the last filling in the background, or reading the vectors, did not work."""


@frozen
class _Known:
    fingerprint: str = ""
    rate: float = 0.0
    passages: int = 0
    cut_short: int = 0
    owners: Sequence[tuple[str, bytes, str, int]] = ()
    problem: str = ""


def coverage(vault: Vault) -> Coverage:
    """What `ori index status` tells. Raises: sqlite3.Error, OSError where the index cannot be read."""
    folder = vault.state_folder
    notes = ask(vault.index_path, candidates)
    known = _known(folder / NAME)
    made_from = {id: rest for id, *rest in known.owners}
    stamps = {one.stamp.id: [one.stamp.hash, one.stamp.title, CUTTING] for one in notes}
    covered = sum(1 for id, values in stamps.items() if made_from.get(id) == values)
    stale = sum(1 for id in stamps if id in made_from) - covered
    ahead = passages_ahead(one for one in notes if made_from.get(one.stamp.id) != stamps[one.stamp.id])
    failed = problem(folder)
    return Coverage(
        embedder=vault.config.embedding.embedder,
        fingerprint=known.fingerprint,
        covered=covered,
        stale=stale,
        missing=len(notes) - covered - stale,
        passages=known.passages,
        cut_short=known.cut_short,
        size=_size(folder),
        process=worker(folder),
        minutes_left=round(ahead / known.rate / 60, 1) if ahead and known.rate else None,
        problem=known.problem or (failed.reason if failed is not None else ""),
    )


def _known(place: Path) -> _Known:
    for _ in range(20):
        try:
            with peeking(place) as connection:
                return _read(connection)
        except ChangedMeanwhile:
            continue
        except (sqlite3.Error, OSError) as error:
            return _Known(problem=f"{NAME} cannot be read ({error})") if place.exists() else _Known()
    return _Known(problem=f"{NAME} is being written")


def _read(connection: sqlite3.Connection) -> _Known:
    kind, version = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if (kind, version) != (APPLICATION_ID, VERSION):
        return _Known(problem=f"{NAME} is of another version; it is made anew when notes are next embedded")
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    return _Known(
        fingerprint=meta.get("fingerprint", ""),
        rate=float(meta.get("rate", 0)),
        passages=connection.execute("SELECT count(*) FROM passage WHERE owner != 0").fetchone()[0],
        cut_short=connection.execute("SELECT count(*) FROM owner WHERE is_cut_short").fetchone()[0],
        owners=connection.execute("SELECT id, hash, title, cutting FROM owner").fetchall(),
    )


def _size(folder: Path) -> int:
    files = [folder / NAME, folder / f"{NAME}-wal", *folder.glob(PATTERN)]
    return sum(file.stat().st_size for file in files if file.exists())
