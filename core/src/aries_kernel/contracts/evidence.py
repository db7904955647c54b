"""Contract of evidence (entry-point group `ori.evidence`): what shows that a note was of use, and not only shown."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import ClassVar, Protocol

from attrs import field

from aries_kernel.values import frozen

__all__ = [
    "Evidence",
    "EvidenceFactory",
    "NoteNamed",
    "NoteOpened",
    "NoteText",
    "NoteWritten",
    "QuestionAsked",
    "TextSaid",
    "Use",
    "UseJournal",
]


@frozen
class QuestionAsked:
    """A question, and the notes that its answer brought."""

    session: str
    at: datetime.datetime
    words: tuple[str, ...]
    """What it is about, as `Question.words`."""
    brought: tuple[str, ...]
    """Ids of notes, best first, without those that nobody asked for."""


@frozen
class NoteOpened:
    """Somebody read the whole note."""

    session: str
    at: datetime.datetime
    note: str


@frozen
class NoteWritten:
    """A note was added, or its file was changed by somebody else than ori itself."""

    session: str
    at: datetime.datetime
    note: str
    is_new: bool
    links: tuple[str, ...] = ()
    """Ids of notes that it links to and did not link to before."""
    text: str = ""
    """What was written, where that is known."""


@frozen
class TextSaid:
    """An agent said something: the answer it gave with the help of the notes."""

    session: str
    at: datetime.datetime
    text: str


@frozen
class NoteNamed:
    """Somebody told that these notes were of use, such as at the end of an exploration."""

    session: str
    at: datetime.datetime
    notes: tuple[str, ...]


@frozen
class NoteText:
    """A note, for comparing it with what was said."""

    id: str
    title: str
    path: str
    aliases: tuple[str, ...] = ()
    text: str = ""
    """The whole file."""


class UseJournal(Protocol):
    """What happened in the last hours, in the order in which it happened; nothing in it is worth anything by itself."""

    @property
    def questions(self) -> tuple[QuestionAsked, ...]: ...
    @property
    def opened(self) -> tuple[NoteOpened, ...]: ...
    @property
    def written(self) -> tuple[NoteWritten, ...]: ...
    @property
    def said(self) -> tuple[TextSaid, ...]: ...
    @property
    def named(self) -> tuple[NoteNamed, ...]: ...
    def note(self, id: str) -> NoteText | None:
        """The note as it is now; None where there is none of this id."""
        ...


@frozen
class Use:
    """A note proved useful. The host finds the question that brought it; without one there is nothing to learn."""

    note: str
    session: str
    at: datetime.datetime
    by: str
    """What testifies: the id of the note that cites it, a digest of the text. The same use has the same each time the
    journal is looked at, since each is counted once."""
    question: int | None = field(default=None)
    """Place of the question among those of the journal, where the evidence tells which it was."""


class Evidence(Protocol):
    """One kind of evidence."""

    name: ClassVar[str]
    description: ClassVar[str]
    weight: ClassVar[float]
    """What one use is worth unless the settings say otherwise: more than 0, at most 1."""

    def uses(self, journal: UseJournal) -> Iterable[Use]:
        """All uses that the journal shows, the same ones each time for the same journal.

        Never for having been shown or read alone. Anything that is raised is a defect of the plugin.
        """
        ...


class EvidenceFactory(Protocol):
    """What the entry point names: usually the class."""

    def __call__(self) -> Evidence: ...
