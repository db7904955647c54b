"""Embedding what is missing: in a useful order, in small steps, each of which is kept."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import field, frozen

from aries_kernel.errors import UserError
from ori_memory.index.opening import Busy, Unwritable
from ori_memory.vectors.steps import Filling
from ori_memory.vectors.store import VectorStore
from ori_memory.vectors.working import is_asked_to_stop, working

if TYPE_CHECKING:
    from aries_kernel.contracts.embedder import Embedder
    from ori_memory.index.report import SyncReport
    from ori_memory.vault.vault import Vault
    from ori_memory.vectors.steps import FillProgress, FillReport

__all__ = ["Limits", "fill"]


def _utc_now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


@frozen
class Limits:
    """How much to do; None: all."""

    seconds: float | None = None
    passages: int | None = None
    should_stop: Callable[[], bool] = lambda: False
    clock: Callable[[], float] = field(default=time.monotonic, kw_only=True)


def fill(
    vault: Vault,
    embedder: Embedder,
    *,
    limits: Limits | None = None,
    progress: Callable[[FillProgress], None] | None = None,
    force: bool = False,
    now: Callable[[], datetime.datetime] = _utc_now,
) -> FillReport:
    """Embed what the vault's notes hold and its store does not. May be stopped at any point, by a kill too.

    `force`: everything anew.
    Raises: AlreadyWorking; UserError where the vault cannot be written or the model cannot be used.
    """
    folder, limits = vault.state_folder, limits or Limits()
    start = limits.clock()

    def stop_reason(embedded: int) -> str:
        if limits.should_stop() or is_asked_to_stop(folder):
            return "it was asked to stop"
        if limits.seconds is not None and limits.clock() - start >= limits.seconds:
            return f"{limits.seconds:g} s are over"
        return f"{embedded} passages are done" if embedded >= (limits.passages or embedded + 1) else ""

    with working(folder):
        try:
            synced = _sync(vault)
            with VectorStore.open(folder, embedder.fingerprint, embedder.dimensions) as store:
                if force:
                    store.clear()
                filling = Filling(vault, embedder, store, stop_reason, limits.clock, now(), progress)
                # What a sync could not see may still be there.
                return filling.run(is_sure=not (synced.is_stale or synced.scan_errors or synced.withheld))
        except (Unwritable, Busy, OSError) as error:
            if is_asked_to_stop(folder):
                raise UserError(f"The vault {vault.root} is gone.") from error
            raise UserError(f"Vectors cannot be kept in {folder}: {error}.") from error


def _sync(vault: Vault) -> SyncReport:
    from ori_memory.index.index import open_index

    with open_index(vault) as index:
        if index.status().is_temporary:
            raise Unwritable("the index cannot be written")
        return index.report
