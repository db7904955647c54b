"""Writing notes: one writer at a time, every note whole, never over another."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aries_kernel.errors import UserError
from ori_memory.notes.naming import comparable, file_name
from ori_memory.vault.vault import Vault

__all__ = ["VaultBusy", "free_path", "own_writes", "writing"]

_OWN_WRITES = "own-writes.txt"
_MOST_KEPT = 200
_LARGE = 1 << 15
_PATIENCE = 30.0
"""Seconds to wait for another writer; each holds the lock for one file."""


class VaultBusy(UserError):
    """Another process keeps the vault's write lock."""


@contextmanager
def writing(vault: Vault) -> Iterator[None]:
    """Hold the vault's write lock: no other process of ori adds, moves or removes a note meanwhile.

    The lock ends with the process, however that ends. Raises: VaultBusy, UserError where the vault cannot be written.
    """
    import filelock

    try:
        vault.state_folder.mkdir(exist_ok=True)
        lock = filelock.FileLock(vault.state_folder / "write.lock")
        lock.acquire(timeout=_PATIENCE)
    except filelock.Timeout as error:
        raise VaultBusy(
            f"Another process has been writing to {vault.root} for {_PATIENCE:.0f} s. Try again."
        ) from error
    except OSError as error:
        raise UserError(f"The vault {vault.root} cannot be written: {error.strerror}.") from error
    began = time.time()
    try:
        yield
    finally:
        _note_down(vault, began)
        lock.release()


def own_writes(vault: Vault) -> tuple[tuple[float, float], ...]:
    """When ori wrote lately, from and to: what changed then was not changed by anybody else."""
    try:
        lines = (vault.state_folder / _OWN_WRITES).read_text(encoding="utf-8").splitlines()
        return tuple((float(began), float(ended)) for began, _, ended in (line.partition(" ") for line in lines))
    except (OSError, ValueError):
        return ()  # None yet, or somebody's own file of that name: then every change is taken for somebody's.


def _note_down(vault: Vault, began: float) -> None:
    path = vault.state_folder / _OWN_WRITES
    # Whether it can be noted or not: what was written is written.
    with contextlib.suppress(OSError):
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{began:.3f} {time.time():.3f}\n")
            size = file.tell()
        if size > _LARGE:
            kept = own_writes(vault)[-_MOST_KEPT:]
            path.write_text("".join(f"{start:.3f} {end:.3f}\n" for start, end in kept), encoding="utf-8")


def free_path(folder: Path, title: str) -> Path:
    """Where a note of this title goes in `folder`; never a path that is taken, by whatever way of writing it.

    Call it with the write lock held.
    """
    taken = {comparable(one.name) for one in folder.iterdir()} if folder.is_dir() else set()
    return folder / file_name(title, lambda name: comparable(name) in taken)
