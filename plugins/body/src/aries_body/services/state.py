"""`state`: JSON values of a project that outlive processes and sessions, in one file."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from pathlib import Path
from typing import Any

from aries_body.process.services import ServiceRefused
from aries_kernel.atomic import replace_bytes

__all__ = ["StateStore", "state_file"]

_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}")
_LARGEST = 1_000_000
_ALL_TOGETHER = 8_000_000


def state_file(state_folder: Path, project: Path) -> Path:
    """Where the values of a project are kept."""
    name = hashlib.sha256(str(project).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return state_folder / "body" / name / "state.json"


class StateStore:
    """Reads the file at each call, since other sessions of the project write it too."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()

    def put(self, key: str, value: Any) -> None:
        """Keep a value. Raises: ServiceRefused."""
        if not _KEY.fullmatch(key):
            raise ServiceRefused(f"state: {key[:140]!r} is no key; up to 128 of A-Z a-z 0-9 _ . : / -")
        size = len(json.dumps(value))
        if size > _LARGEST:
            raise ServiceRefused(f"state: the value has {size:,} characters, more than {_LARGEST:,}.")
        with self._changing() as values:
            values[key] = value

    def get(self, key: str, default: Any) -> Any:
        """The value, or the default. Raises: ServiceRefused where the file is broken."""
        return self._read().get(key, default)

    def keys(self, prefix: str) -> list[str]:
        """The keys there are. Raises: ServiceRefused where the file is broken."""
        return sorted(key for key in self._read() if key.startswith(prefix))

    def delete(self, key: str) -> bool:
        """Forget a key; False where there was none. Raises: ServiceRefused."""
        with self._changing() as values:
            return values.pop(key, _NOTHING) is not _NOTHING

    def _changing(self) -> _Change:
        return _Change(self)

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self._file.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise ServiceRefused(f"state: {self._file} cannot be read ({error}); it was left as it is.") from error
        if not isinstance(found, dict):
            raise ServiceRefused(f"state: {self._file} holds no table of values; it was left as it is.")
        return found

    def _write(self, values: dict[str, Any]) -> None:
        data = json.dumps(values, indent=1, sort_keys=True).encode("ascii")
        if len(data) > _ALL_TOGETHER:
            raise ServiceRefused(f"state: all values together would be {len(data):,} bytes, more than is kept.")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_bytes(self._file, data, mode=0o600)
        except OSError as error:
            raise ServiceRefused(f"state: {self._file} cannot be written ({error.strerror}).") from error


_NOTHING = object()


class _Change:
    """Read, change, write: alone in this process, and among processes."""

    def __init__(self, store: StateStore) -> None:
        self._store = store

    def __enter__(self) -> dict[str, Any]:
        import filelock

        store = self._store
        store._lock.acquire()
        try:
            store._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._shared = filelock.FileLock(store._file.with_suffix(".lock"), timeout=10, mode=0o600)
            self._shared.acquire()
            self._values = store._read()
        except BaseException as error:
            self._release()
            if isinstance(error, OSError | filelock.Timeout):
                raise ServiceRefused(f"state: {store._file} cannot be locked ({error}).") from error
            raise
        return self._values

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._store._write(self._values)
        finally:
            self._release()

    def _release(self) -> None:
        shared = getattr(self, "_shared", None)
        if shared is not None:
            shared.release()
        self._store._lock.release()
