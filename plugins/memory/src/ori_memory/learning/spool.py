"""What was asked, noted in a file until somebody writes to the store anyway: a quick command waits for no disk."""

from __future__ import annotations

import contextlib
import json
import os
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aries_kernel.digests import sha256

if TYPE_CHECKING:
    from io import FileIO

    from ori_memory.learned.events import Event

__all__ = ["Spool"]

_LARGE = 1 << 16


class Spool:
    """Notes of all processes for one vault; each is taken once, also where one is killed while it takes them."""

    def __init__(self, folder: Path) -> None:
        """`folder`: the vault's state folder."""
        self._path = folder / "asked.ndjson"
        self._mark = folder / "look-at-use"

    @property
    def is_due(self) -> bool:
        """Whether somebody should look: there is evidence, or much was noted."""
        if self._marks():
            return True
        with contextlib.suppress(FileNotFoundError):
            return self._path.stat().st_size > _LARGE
        return False

    @property
    def has_notes(self) -> bool:
        """Whether somebody asked lately, or was killed while counting that."""
        return self._path.exists() or any(self._path.parent.glob(f"{self._path.stem}.*.taken"))

    def mark(self) -> None:
        """There is evidence that nobody has looked at. Raises: OSError."""
        self._mark.touch()

    @contextlib.contextmanager
    def looking(self) -> Iterator[None]:
        """Somebody looks at what is marked now; what is marked meanwhile, and where the body raises, stays so."""
        with contextlib.suppress(FileNotFoundError, PermissionError):
            # Where there is none nothing is tried: a file system that cannot be written would refuse.
            self._mark.stat()
            self._mark.rename(self._mark.with_name(f"{self._mark.name}.{os.urandom(4).hex()}"))
        marks = self._marks()
        yield
        for mark in marks:
            mark.unlink(missing_ok=True)

    def note(self, events: Sequence[Event]) -> None:
        """Note events down, whole lines or nothing. Raises: OSError."""
        lines = "".join(json.dumps(_plain(event)) + "\n" for event in events)
        while True:
            with self._path.open("ab", buffering=0) as file:
                place = os.fstat(file.fileno())
                # A file that came with a copy of the vault is counted where it was written. A line of one's own begins
                # it, and the place is told anew: who was killed while writing left half a line, or no place.
                head = "\n" + json.dumps({"place": _place(place.st_ino)}) + "\n"
                _write_whole(file, (head + lines).encode())
                # While it is open no other file can have its number.
                if self._inode() == place.st_ino:
                    return
            # Somebody took it meanwhile, with these lines or without: each event is counted once anyway.

    def _marks(self) -> list[Path]:
        """Also those of who was killed while he looked."""
        return list(self._mark.parent.glob(f"{self._mark.name}*"))

    def _inode(self) -> int:
        with contextlib.suppress(FileNotFoundError):
            return self._path.stat().st_ino
        return -1

    @contextlib.contextmanager
    def taking(self) -> Iterator[list[Event]]:
        """What was noted; it is gone afterwards, unless the body raises. Raises: OSError."""
        if self._path.exists():
            taken = self._path.with_name(f"{self._path.stem}.{os.urandom(4).hex()}.taken")
            # Somebody else has it, or is writing where that keeps it from being renamed: the next one takes it.
            with contextlib.suppress(FileNotFoundError, PermissionError):
                self._path.rename(taken)
        files = sorted(self._path.parent.glob(f"{self._path.stem}.*.taken"))
        yield [event for file in files for event in _events_in(file)]
        for file in files:
            file.unlink(missing_ok=True)


def _write_whole(file: FileIO, data: bytes) -> None:
    """Raises: OSError, also where the disk takes a part of it only: the rest would be lost in silence."""
    written = file.write(data)
    while written < len(data):
        written += file.write(data[written:])


def _events_in(file: Path) -> list[Event]:
    """Those of this copy of the vault; what a killed process left half written is passed over."""
    events, place = [], ""
    try:
        data = file.read_bytes()
        expected = _place(file.stat().st_ino)
    except FileNotFoundError:
        return []
    for line in data.decode("utf-8", "replace").splitlines():
        with contextlib.suppress(ValueError, KeyError, TypeError):
            document = json.loads(line)
            if "place" in document:
                place = document["place"]
            elif place == expected:
                events.append(_event(document))
    return events


def _plain(event: Event) -> dict[str, Any]:
    return {
        "id": event.id,
        "session": event.session,
        "at": event.at.isoformat(),
        "kind": event.kind,
        "data": event.data,
        "client": event.client,
    }


def _event(document: dict[str, Any]) -> Event:
    import datetime

    from ori_memory.learned.events import Event

    at = datetime.datetime.fromisoformat(document["at"])
    data = dict(document["data"])
    return Event(document["session"], at, document["kind"], data, document["client"], document["id"])


def _place(inode: int) -> str:
    return sha256(f"{platform.node()}\0{inode}".encode()).hexdigest()[:16]
