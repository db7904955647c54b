"""What was learned, as text in the vault's repository: each copy of the vault writes one file and reads the others.

Nobody writes into another's file, so git has nothing to merge; where it has, every line is a row of its own, in any
order, as often as you like.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from aries_kernel.atomic import replace_bytes
from aries_kernel.digests import sha256
from aries_kernel.errors import UserError
from ori_memory.vault.ignoring import keep_ignored

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["Sharing"]

_ENDING = ".ndjson"


class Sharing:
    """The folder `.ori/learned` of one vault."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.folder = memory.vault.state_folder / "learned"
        self._taken = memory.vault.state_folder / "learned.taken"

    @property
    def is_on(self) -> bool:
        """Whether the settings want it; of themselves where the vault lies in a repository."""
        wanted = self._memory.vault.config.learning.share
        if wanted != "auto":
            return wanted == "on"
        root = self._memory.vault.root
        return any((folder / ".git").exists() for folder in (root, *root.parents))

    @property
    def is_due(self) -> bool:
        """Whether another copy's file came or changed."""
        return self.folder.is_dir() and self.is_on and self._fingerprint() != self._read_taken()

    def take_in(self) -> None:
        """Merge what the other copies learned. What cannot be read is told, and the others are merged all the same."""
        if not self.is_due:
            return
        from ori_memory.operations.merging import merge_export

        fingerprint = self._fingerprint()
        own = self._own_name()
        for file in self._files():
            if file.name == own:
                continue
            try:
                merge_export(self._memory, file.read_text(encoding="utf-8", errors="surrogatepass"))
            except (UserError, OSError, UnicodeDecodeError) as error:
                self._memory.notice(f"What another copy of the vault learned ({file.name}) was not taken in: {error}")
        replace_bytes(self._taken, fingerprint.encode())

    def give(self) -> None:
        """Write this copy's file, if there is something new to tell. Raises: OSError."""
        if not (self.is_on and self._memory.has_learned):
            return
        is_taken = not self.is_due
        others = {file.name for file in self._files()} - {name := self._own_name()}
        rows = [line for line in self._memory.learned.export().splitlines(keepends=True) if not _is_of(line, others)]
        data = "".join(rows).encode("utf-8", "surrogatepass")
        place = self.folder / name
        with contextlib.suppress(FileNotFoundError):
            if place.read_bytes() == data:
                return
        self.folder.mkdir(exist_ok=True)
        keep_ignored(self._memory.vault.state_folder)
        replace_bytes(place, data)
        if is_taken:
            replace_bytes(self._taken, self._fingerprint().encode())

    def forget(self, note_id: str) -> None:
        """Take the note's rows out of all files, the others' too: git's history is the only place that keeps them."""
        needle = json.dumps(note_id, ensure_ascii=False)
        for file in self._files():
            text = file.read_text(encoding="utf-8", errors="surrogatepass")
            kept = "".join(line for line in text.splitlines(keepends=True) if needle not in line)
            if kept != text:
                replace_bytes(file, kept.encode("utf-8", "surrogatepass"))

    def _own_name(self) -> str:
        return self._memory.learned.origin()[:16] + _ENDING

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob(f"*{_ENDING}"))

    def _fingerprint(self) -> str:
        return sha256("\n".join(self._states()).encode()).hexdigest()

    def _states(self) -> Iterator[str]:
        from ori_memory.learned.exchange import VERSION
        from ori_memory.learned.schema import REVISION

        # What this version could not read, or left out, a later one reads though nobody wrote it anew.
        yield f"format {VERSION}, revision {REVISION}"
        for file in self._files():
            with contextlib.suppress(FileNotFoundError):
                state = file.stat()
                yield f"{file.name} {state.st_size} {state.st_mtime_ns}"

    def _read_taken(self) -> str:
        try:
            return self._taken.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""


def _is_of(line: str, files: set[str]) -> bool:
    """Whether the row is one that another copy counts, and tells in a file of its own."""
    origin = json.loads(line).get("origin", "")
    return bool(origin) and f"{origin[:16]}{_ENDING}" in files
