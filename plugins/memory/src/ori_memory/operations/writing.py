"""Writing notes: one writer at a time, every note whole, never over another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aries_kernel.errors import UserError
from ori_memory.notes.naming import comparable, file_name
from ori_memory.operations.own_writes import noted_down
from ori_memory.vault.vault import Vault

__all__ = ["VaultBusy", "free_path", "writing"]

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
    try:
        with noted_down(vault):
            yield
    finally:
        lock.release()


def free_path(folder: Path, title: str) -> Path:
    """Where a note of this title goes in `folder`; never a path that is taken, by whatever way of writing it.

    Call it with the write lock held.
    """
    taken = {comparable(one.name) for one in folder.iterdir()} if folder.is_dir() else set()
    return folder / file_name(title, lambda name: comparable(name) in taken)
