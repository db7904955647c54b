"""What each file was before a bridge touched it, so that taking it out gives back the very bytes."""

from __future__ import annotations

import datetime
import hashlib
import json
from pathlib import Path
from typing import Any

from attrs import frozen

from aries_kernel.atomic import replace_bytes
from aries_kernel.contracts.bridge import FileEdit

__all__ = ["Receipts"]

_LEDGER = "receipts.json"
_KEPT = 20
"""Backups of one file."""


@frozen
class Receipts:
    """A folder of the person, outside of projects: what is kept may hold keys of other programs."""

    folder: Path

    def keep(self, edit: FileEdit) -> Path | None:
        """Keep what a file was; gives where. None: it was not there. Raises: OSError."""
        if edit.before is None:
            return None
        folder = self.folder / "backups" / _digest(str(edit.path).encode())[:12]
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        backup = folder / f"{datetime.datetime.now():%Y%m%d-%H%M%S-%f}-{_digest(edit.before)[:8]}-{edit.path.name}"
        replace_bytes(backup, edit.before, mode=0o600)
        # What an installation goes back to is kept as long as it is there.
        needed = {known["before"] for known in self._read().get(str(edit.path), {}).values()}
        for old in sorted(folder.iterdir())[:-_KEPT]:
            if str(old) not in needed:
                old.unlink(missing_ok=True)
        return backup

    def note(self, bridge: str, edit: FileEdit, backup: Path | None, folders: list[Path]) -> list[Path]:
        """Remember what an installation made of a file, and the folders made for it. Raises: OSError.

        Gives the folders that are of no more use, where the file is what it was before the bridge came.
        """
        data = self._read()
        bridges = data.setdefault(str(edit.path), {})
        known = bridges.pop(bridge, None)
        left: list[Path] = []
        if known is not None and known["after"] == _named(edit.before):
            if edit.after == _bytes_of(known["before"]):
                left = [Path(folder) for folder in known.get("folders", [])]
            else:
                bridges[bridge] = {**known, "after": _named(edit.after)}
        elif edit.before is None or not _holds_ours(edit.before):
            before = str(backup) if backup else None
            bridges[bridge] = {"before": before, "folders": list(map(str, folders)), "after": _named(edit.after)}
        # Otherwise somebody changed it since ours was put in: there is no way back to what it was.
        self._write({name: kept for name, kept in data.items() if kept})
        return left

    def restored(self, bridge: str, edit: FileEdit) -> FileEdit:
        """The removal that gives back what was, where nobody changed the file since; else the edit as it is."""
        known = self._read().get(str(edit.path), {}).get(bridge)
        if known is None or known["after"] != _named(edit.before):
            return edit
        if known["before"] is None:
            return FileEdit(edit.path, edit.before, None, edit.changes)
        try:
            return FileEdit(edit.path, edit.before, Path(known["before"]).read_bytes(), edit.changes)
        except OSError:
            return edit  # The backup was tidied away; then ours is cut out.

    def forget(self, bridge: str, path: Path) -> list[Path]:
        """Drop what was noted; gives the folders that were made for the file. Raises: OSError."""
        data = self._read()
        known = data.get(str(path), {}).pop(bridge, None)
        if known is None:
            return []
        data = {name: bridges for name, bridges in data.items() if bridges}
        self._write(data)
        return [Path(folder) for folder in known.get("folders", [])]

    def _read(self) -> dict[str, Any]:
        try:
            data = json.loads((self.folder / _LEDGER).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}  # Without it ours is cut out, which loses nothing.
        return data if isinstance(data, dict) else {}

    def _write(self, data: dict[str, Any]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_bytes(self.folder / _LEDGER, json.dumps(data, indent=1).encode(), mode=0o600)


def _bytes_of(backup: str | None) -> bytes | None:
    try:
        return None if backup is None else Path(backup).read_bytes()
    except OSError:
        return None  # The backup was tidied away: nobody can tell any more.


def _holds_ours(data: bytes) -> bool:
    """What was put in before, of which nothing is known, must not come back as what was there first."""
    return b"--mcp" in data or b"ori-bridge" in data or b"--client" in data


def _named(data: bytes | None) -> str | None:
    return None if data is None else _digest(data)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
