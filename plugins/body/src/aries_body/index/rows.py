"""What is known of each file without opening it."""

from __future__ import annotations

from typing import NamedTuple

from aries_body.index.reading import Summary
from aries_body.tree.listing import Signature

__all__ = ["FileRow"]


class FileRow(NamedTuple):
    """One file of the tree."""

    signature: Signature
    is_young: bool
    """Written so shortly before it was read that a later write could have the same times: to be read again."""
    key: bytes = b""
    """Of its facts; empty for files that are no source."""
    summary: Summary = Summary()
    skipped: str = ""
    """Why the file is no source, though its suffix says so."""

    @property
    def is_source(self) -> bool:
        """Whether facts are known."""
        return bool(self.key)
