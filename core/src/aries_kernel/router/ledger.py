"""The record of what was spent: one file a session, one line a request, in the platform's state folder."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterator
from pathlib import Path

from attrs import define
from cattrs import Converter

from aries_kernel.model.spending import Spending

__all__ = ["Ledger", "read_spendings"]


@functools.cache
def _converter() -> Converter:
    return Converter()  # Keys of a newer version are ignored.


@define
class Ledger:
    """The writing end, owned by whoever owns the session. Lines are appended, never changed."""

    path: Path
    _descriptor: int | None = None

    @classmethod
    def of(cls, folder: Path, session: str) -> Ledger:
        """The ledger of one session; the file is made when something was spent."""
        return cls(folder / f"{session}.jsonl")

    def add(self, spending: Spending) -> None:
        """Write one line.

        Raises: OSError.
        """
        if self._descriptor is None:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._descriptor = os.open(self.path, flags, 0o600)
            if _is_torn(self._descriptor):
                os.write(self._descriptor, b"\n")
        line = json.dumps(_converter().unstructure(spending), ensure_ascii=False, separators=(",", ":"))
        rest = line.encode("utf-8", "replace") + b"\n"
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]

    def close(self) -> None:
        """Called once, when the session ends."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _is_torn(descriptor: int) -> bool:
    """Whether a crash left the last line without its end."""
    if os.lseek(descriptor, 0, os.SEEK_END) == 0:
        return False
    os.lseek(descriptor, -1, os.SEEK_END)
    return os.read(descriptor, 1) != b"\n"


def read_spendings(folder: Path, problems: list[str], *, since: float = 0.0) -> Iterator[Spending]:
    """Every line of every session, a session at a time; what cannot be read is named in `problems` and left out.

    `since`: files last written before this moment (seconds since the epoch) are not opened.
    """
    for path in sorted(folder.glob("*.jsonl")) if folder.is_dir() else ():
        try:
            if path.stat().st_mtime < since:
                continue
            lines = path.read_bytes().split(b"\n")
        except OSError as error:
            problems.append(f"{path}: cannot be read: {error.strerror}.")
            continue
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    yield _converter().structure(json.loads(line), Spending)
                except Exception:
                    # Whatever a damaged line makes the decoder or cattrs raise, the other lines still count.
                    problems.append(f"{path}:{number}: cannot be read, left out.")
