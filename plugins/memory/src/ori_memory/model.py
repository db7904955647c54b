"""Values that the parts of ori hand to each other: a note as parsed, its links, a note as indexed."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from enum import StrEnum

from attrs import field

from aries_kernel.values import frozen

__all__ = [
    "CONFIDENCES",
    "STATUSES",
    "TYPES",
    "Heading",
    "Link",
    "LinkKind",
    "NoteRecord",
    "ParsedNote",
    "Resolution",
    "Source",
]

TYPES = ("idea", "decision", "learning", "insight", "blocker", "opportunity", "moc", "self")
STATUSES = ("inbox", "active", "completed", "superseded", "archived", "released")
CONFIDENCES = ("speculative", "promising", "validated")


class LinkKind(StrEnum):
    """How a link is written."""

    WIKI = "wiki"
    """`[[target#heading|alias]]`"""
    EMBED = "embed"
    """`![[target]]`"""
    MARKDOWN = "markdown"
    """`[text](target.md#heading)`, also with angle brackets and %20"""
    MARKDOWN_EMBED = "markdown_embed"
    """`![text](target)`"""


@frozen
class Link:
    """One link of a note, outside code. Offsets are characters of the whole text, frontmatter included."""

    kind: LinkKind
    target: str
    """As written, unescaped and percent-decoded, without heading, block and alias; empty: the note itself."""
    heading: str | None
    block: str | None
    """The id after `#^`."""
    alias: str | None
    start: int
    end: int
    line: int
    """1-based."""
    is_property: bool = False
    """It stands in the frontmatter."""


@frozen
class Heading:
    level: int
    text: str
    line: int


@frozen
class Source:
    """Where a note came from."""

    client: str = ""
    session: str = ""
    file: str = ""
    commit: str = ""


@frozen
class ParsedNote:
    """A note's text, understood. Nothing here raises for a bad note: `problems` says what is wrong with it."""

    title: str
    """Frontmatter `title`, else the first heading of level 1 where ori wrote the note, else the file's stem."""
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    links: tuple[Link, ...]
    headings: tuple[Heading, ...]
    blocks: tuple[str, ...]
    """Ids of blocks (`^id`)."""
    properties: Mapping[str, object]
    """The frontmatter as plain data; empty where there is none or it cannot be read."""
    has_frontmatter: bool
    body: str
    """The text without frontmatter, line ends as LF."""
    problems: tuple[str, ...] = ()


@frozen
class NoteRecord:
    """A note as the index knows it."""

    id: str
    """Stable: survives rename and move."""
    path: str
    """Relative to the vault, with forward slashes."""
    title: str
    aliases: tuple[str, ...] = ()
    space: str = "notes"
    """The first folder of the path where it is one of self, notes, ops, inbox; `notes` otherwise."""
    type: str = ""
    status: str = ""
    confidence: str = ""
    description: str = ""
    projects: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    created: datetime.date | None = None
    modified: datetime.datetime | None = None
    is_pinned: bool = False
    supersedes: tuple[str, ...] = ()
    valid_from: datetime.date | None = None
    valid_until: datetime.date | None = None
    source: Source = field(factory=Source)
    words: int = 0


@frozen
class Resolution:
    """What a link's target leads to."""

    path: str | None
    """None: nothing answers to it."""
    candidates: tuple[str, ...] = ()
    """All notes that answer to it, in the fixed order; more than one is ambiguous, and `path` is the first."""
    is_attachment: bool = False
    """No note answers, and the target's ending is that of a picture, a document, ...: not a dangling link."""

    @property
    def is_ambiguous(self) -> bool:
        return len(self.candidates) > 1
