"""What is known already: captured before, waiting in the inbox, or said by a note."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Sequence
from functools import cached_property

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import AriesError
from ori_memory.vault.vault import Vault

__all__ = ["Known"]

_LEDGER = "captured.txt"
"""Hashes of what was captured: what the person threw away does not come back."""
_MOST = 5_000
_NEWEST = 200
"""Of the inbox so many are looked at."""
_LIKE = 0.8
"""A sentence that holds this share of the words says it already."""
_WORD = re.compile(r"\w{2,}")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")


class Known:
    """Asked by a hook: reads files as they are and the index as it is, and waits for nobody."""

    def __init__(self, vault: Vault) -> None:
        """The vault is looked at when it is first asked about."""
        self.vault = vault

    def holds(self, text: str) -> bool:
        """Whether the vault has it, or had it."""
        wanted = _words(text)
        if not wanted or _hash(text) in self._captured:
            return True
        said = (*self._inbox, *self._indexed(text))
        return any(len(wanted & words) >= _LIKE * len(wanted) for words in said)

    def remember(self, texts: Sequence[str]) -> None:
        """Never take these again."""
        fresh = [one for one in map(_hash, texts) if one not in self._captured]
        if fresh:
            hashes = list(dict.fromkeys([*self._captured, *fresh]))[-_MOST:]
            replace_bytes(self.vault.state_folder / _LEDGER, ("\n".join(hashes) + "\n").encode())

    @cached_property
    def _captured(self) -> dict[str, None]:
        try:
            return dict.fromkeys((self.vault.state_folder / _LEDGER).read_text(encoding="utf-8").split())
        except (OSError, UnicodeDecodeError):
            return {}  # Not there yet, or not ours: then the inbox and the notes are what is known.

    @cached_property
    def _inbox(self) -> list[set[str]]:
        try:
            files = sorted((self.vault.root / "inbox").glob("*.md"), key=lambda file: -file.stat().st_mtime_ns)
            texts = [file.read_text(encoding="utf-8", errors="replace") for file in files[:_NEWEST]]
            return [words for text in texts for words in _sentences(text)]
        except OSError:
            return []  # Somebody tidies up at this moment; a candidate twice is no harm.

    def _indexed(self, text: str) -> list[set[str]]:
        from ori_memory.index.peeking import ChangedMeanwhile, peeking
        from ori_memory.index.searching import find_words
        from ori_memory.index.storing import stored_text

        if not self.vault.index_path.is_file():
            return []
        try:
            with peeking(self.vault.index_path) as connection:
                found: list[set[str]] = []
                for hit in find_words(connection, text, 5):
                    (num,) = connection.execute("SELECT num FROM note WHERE path = ?", (hit.note.path,)).fetchone()
                    body = stored_text(connection, num)
                    found += _sentences(f"{hit.note.title}\n{body.body if body else ''}")
                return found
        except (ChangedMeanwhile, sqlite3.Error, OSError, AriesError):
            return []  # Rather a candidate twice than none: the inbox is looked through by somebody.


def _sentences(text: str) -> list[set[str]]:
    """Words of each: all words of a long note together hold almost anything."""
    return [words for part in _SENTENCE.split(text) if (words := _words(part))]


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _hash(text: str) -> str:
    return hashlib.sha256(" ".join(sorted(_words(text))).encode("utf-8", "replace")).hexdigest()[:24]
