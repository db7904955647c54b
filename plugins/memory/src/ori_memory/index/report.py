"""What a sync did and what the index says of itself."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator

from aries_kernel.values import frozen
from ori_memory.scanning.walk import ScanProblem

__all__ = ["IndexStatus", "Progress", "Quarantined", "SyncReport"]

Progress = Callable[[int, int], None]
"""Called with the number of files done and of all that are to be read."""


@frozen
class Quarantined:
    """A file that looks like a note and is left out, and why."""

    path: str
    reason: str


@frozen
class SyncReport:
    """What one sync found and did. Paths are relative to the vault."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    """Old and new path of notes that kept their id."""
    removed: tuple[str, ...] = ()
    notes: int = 0
    withheld: tuple[str, ...] = ()
    """Notes whose files are gone and that stay in the index, because so many at once look like an accident."""
    quarantined: tuple[Quarantined, ...] = ()
    scan_errors: tuple[ScanProblem, ...] = ()
    connected: tuple[str, ...] = ()
    """Ids of notes between which this sync saw a new link, one of the two known before. None where everything is new,
    as in a first build, or where so much changed at once that it is rather another state of the vault."""
    problems: tuple[str, ...] = ()
    """About single notes: an id that two files state, for instance."""
    is_stale: bool = False
    """The index does not show all changes: another process is writing, or it cannot be written."""
    notices: tuple[str, ...] = ()
    """About the index as a whole: it was rebuilt, it is temporary, it is stale."""

    @property
    def has_changes(self) -> bool:
        return bool(self.added or self.changed or self.renamed or self.removed)

    @property
    def data(self) -> dict[str, int]:
        """Counts, for a document."""
        kinds = {"added": self.added, "changed": self.changed, "renamed": self.renamed, "removed": self.removed}
        return {"notes": self.notes, **{name: len(found) for name, found in kinds.items()}}

    @property
    def warnings(self) -> tuple[str, ...]:
        """Everything a person should be told, one line each."""
        return tuple(self._warnings())

    def _warnings(self) -> Iterator[str]:
        yield from self.notices
        for error in self.scan_errors:
            where = error.path or "the vault's folder"
            yield f"{where} cannot be looked at ({error.reason}); what the index knows of it stays."
        if self.withheld:
            yield (
                f"{len(self.withheld)} notes are gone from the vault at once, {self.withheld[0]} among them. They stay "
                "in the index until you say that this is meant: ori index build --allow-mass-removal"
            )
        for file in self.quarantined:
            yield f"{file.path} is left out: {file.reason}."
        yield from self.problems


@frozen
class IndexStatus:
    """The index as it is now."""

    exists: bool
    notes: int
    size: int
    """Bytes on disk, journal included."""
    version: int
    last_sync: datetime.datetime | None
    """When something was last written; None for an index that nothing was written to."""
    pending: int
    """Notes whose links are not resolved yet, because a build was interrupted."""
    quarantine: tuple[Quarantined, ...]
    is_temporary: bool = False
