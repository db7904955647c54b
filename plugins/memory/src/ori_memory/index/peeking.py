"""Looking into the index and the learned store without syncing, writing, or leaving a file beside them."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

__all__ = ["ChangedMeanwhile", "peeking"]


class ChangedMeanwhile(Exception):
    """A writer came while we read a file that nobody seemed to use: what was read may be of two states. Once more."""


@contextlib.contextmanager
def peeking(index: Path, other: Path | None = None, *, name: str = "learned") -> Iterator[sqlite3.Connection]:
    """A connection to the index, or another database, that only reads; `other` is attached under `name`.

    Raises: ChangedMeanwhile at the end; sqlite3.Error.
    """
    with contextlib.ExitStack() as stack:
        files = [index] if other is None else [index, other]
        before = [_state(file) for file in files]
        addresses = [stack.enter_context(_address(index))]
        connection = sqlite3.connect(addresses[0], uri=True, timeout=5.0, isolation_level=None)
        stack.callback(connection.close)
        if other is not None:
            addresses.append(stack.enter_context(_address(other)))
            connection.execute(f"ATTACH ? AS {name}", (addresses[1],))
        yield connection
        if any("immutable" in one for one in addresses) and [_state(file) for file in files] != before:
            raise ChangedMeanwhile


@contextlib.contextmanager
def _address(path: Path) -> Iterator[str]:
    """How to open a file without a trace (spec G.7 94).

    In place where nobody writes or the journal's companion is there; otherwise SQLite would make that, so a copy.
    """
    with contextlib.ExitStack() as stack:
        options = "mode=ro"
        wal, shm = (path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))
        if not shm.exists():
            if wal.exists() and wal.stat().st_size:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ori-peek-")))
                shutil.copyfile(path, folder / path.name)
                shutil.copyfile(wal, folder / wal.name)
                path = folder / path.name
            else:
                options = "mode=ro&immutable=1"
        yield f"{path.absolute().as_uri()}?{options}"


def _state(path: Path) -> tuple[int, int, int, bool] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, path.with_name(path.name + "-shm").exists()
