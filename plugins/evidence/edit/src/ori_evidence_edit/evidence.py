"""The evidence `edit`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from aries_kernel.contracts.evidence import Use, UseJournal

__all__ = ["Edit"]


class Edit:
    """A note is changed by somebody who had found it: what is worth correcting is worth finding.

    Once a session, since a file is saved as often as its editor likes.
    """

    name: ClassVar[str] = "edit"
    description: ClassVar[str] = "Somebody goes on writing at a note that was found."
    weight: ClassVar[float] = 0.5

    def uses(self, journal: UseJournal) -> Iterable[Use]:
        found: dict[tuple[str, str], Use] = {}
        for one in journal.written:
            if not one.is_new:
                # Who saved the file is not known; the day keeps the same work from counting twice.
                by = f"edit {one.at.date().isoformat()}"
                found.setdefault((one.note, by), Use(one.note, one.session, one.at, by))
        return list(found.values())
