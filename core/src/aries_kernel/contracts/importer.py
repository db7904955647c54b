"""Contract of an importer (entry-point group `ori.importers`): what another program kept, as notes."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, ClassVar, Protocol

from attrs import field, frozen

__all__ = ["ImportedFile", "ImportedNote", "Importer", "Loss"]


@frozen
class ImportedNote:
    """A note that the source gives. The host writes it; an importer writes nothing."""

    key: str
    """Names the note within its source, the same at every import: what is there already is not imported again."""
    title: str
    body: str
    """Markdown without frontmatter."""
    created: datetime.date | None = None
    properties: Mapping[str, object] = field(factory=dict)
    """More frontmatter: texts, numbers and lists of texts."""
    is_session: bool = False
    """The key names a conversation, not a file or an entity."""


@frozen
class ImportedFile:
    """A file that is taken over at its own place, so that relative links to it keep working."""

    path: str
    """Where it goes: relative, with forward slashes, never out of the folder of the import."""
    open_bytes: Callable[[], IO[bytes]]
    """Its content. Raises: OSError."""
    is_note: bool = False


@frozen
class Loss:
    """Something that was left out; the person is told."""

    where: str
    reason: str


class Importer(Protocol):
    """Reads what another program kept.

    `into` is the folder of the vault that its notes belong to: `inbox` for what nobody has sorted yet, `notes/<name>`
    for notes that link to each other: a link is first looked for in its own folder. `{source}` stands for the source's
    name.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    into: ClassVar[str]

    def read(self, source: Path) -> Iterator[ImportedNote | ImportedFile | Loss]:
        """Everything in `source`, in a fixed order, one after the other, so that large exports fit into memory.

        What cannot be understood is a `Loss`, and the rest is still given. Changes nothing.
        Raises: UserError where `source` is not there or is nothing of this kind at all.
        """
        ...
