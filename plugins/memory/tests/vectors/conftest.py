"""A vault, an embedder, and what can be read of the vectors."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from attrs import frozen

from aries_kernel.contracts.corpus import Vectors
from ori_memory.vault.making import init_vault
from ori_memory.vault.vault import Vault
from ori_memory.vectors.reading import load

sys.path.insert(0, str(Path(__file__).parent))
from hashed_words import HashedWords


@frozen
class Place:
    """A vault with few notes, and its vectors as a question sees them."""

    vault: Vault
    embedder: HashedWords

    def write(self, path: str, text: str) -> Path:
        file = self.vault.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def load(self, fingerprint: str | None = None) -> Vectors | str:
        connection = sqlite3.connect(self.vault.index_path)
        try:
            return load(connection, self.vault.state_folder, fingerprint or self.embedder.fingerprint)
        finally:
            connection.close()

    def vectors(self) -> Mapping[str, list[bytes]]:
        """The rows of each note by its path."""
        found = self.load()
        assert not isinstance(found, str), found
        connection = sqlite3.connect(self.vault.index_path)
        paths = dict(connection.execute("SELECT num, path FROM note"))
        connection.close()
        rows: dict[str, list[bytes]] = {}
        width, data = 4 * found.dimensions, bytes(found.rows)
        for row, note in enumerate(found.owners):
            if note >= 0:
                rows.setdefault(paths[note], []).append(data[row * width : (row + 1) * width])
        return rows

    def asked(self) -> list[str]:
        """What the embedder was asked since the last time."""
        found = list(self.embedder.asked)
        self.embedder.asked.clear()
        return found


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(init_vault(tmp_path / "vault").vault, HashedWords())
