"""A journal of use for tests of evidence: said in a few words, with a clock that only goes on."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence

from attrs import define, field, frozen

from aries_kernel.contracts.evidence import (
    NoteNamed,
    NoteOpened,
    NoteText,
    NoteWritten,
    QuestionAsked,
    TextSaid,
)

__all__ = ["FakeJournal", "JournalWriter"]

_BEGAN = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)


@frozen
class FakeJournal:
    """What happened, written down by hand."""

    questions: tuple[QuestionAsked, ...] = ()
    opened: tuple[NoteOpened, ...] = ()
    written: tuple[NoteWritten, ...] = ()
    said: tuple[TextSaid, ...] = ()
    named: tuple[NoteNamed, ...] = ()
    notes: Mapping[str, NoteText] = field(factory=dict)

    def note(self, id: str) -> NoteText | None:
        """The note; None where there is none."""
        return self.notes.get(id)


@define
class JournalWriter:
    """Each call happens a minute after the one before it."""

    notes: dict[str, NoteText] = field(factory=dict)
    minutes: int = 0
    _events: list[object] = field(factory=list)

    def has(self, id: str, title: str, text: str = "", aliases: Sequence[str] = ()) -> JournalWriter:
        """There is a note."""
        whole = f"# {title}\n\n{text}\n"
        self.notes[id] = NoteText(id, title, f"notes/{title.lower().replace(' ', '-')}.md", tuple(aliases), whole)
        return self

    def asks(self, words: str, brought: Iterable[str], session: str = "s") -> JournalWriter:
        """A question brings notes."""
        return self._add(QuestionAsked(session, self._now(), tuple(words.split()), tuple(brought)))

    def opens(self, note: str, session: str = "s") -> JournalWriter:
        """Somebody reads a note."""
        return self._add(NoteOpened(session, self._now(), note))

    def writes(self, note: str, links: Iterable[str] = (), *, is_new: bool = True, session: str = "s") -> JournalWriter:
        """Somebody writes a note."""
        return self._add(NoteWritten(session, self._now(), note, is_new, tuple(links)))

    def says(self, text: str, session: str = "s") -> JournalWriter:
        """An agent answers."""
        return self._add(TextSaid(session, self._now(), text))

    def names(self, *notes: str, session: str = "s") -> JournalWriter:
        """Somebody tells what was of use."""
        return self._add(NoteNamed(session, self._now(), notes))

    def journal(self) -> FakeJournal:
        """All of it."""
        return FakeJournal(
            questions=tuple(one for one in self._events if isinstance(one, QuestionAsked)),
            opened=tuple(one for one in self._events if isinstance(one, NoteOpened)),
            written=tuple(one for one in self._events if isinstance(one, NoteWritten)),
            said=tuple(one for one in self._events if isinstance(one, TextSaid)),
            named=tuple(one for one in self._events if isinstance(one, NoteNamed)),
            notes=dict(self.notes),
        )

    def _add(self, event: object) -> JournalWriter:
        self._events.append(event)
        self.minutes += 1
        return self

    def _now(self) -> datetime.datetime:
        return _BEGAN + datetime.timedelta(minutes=self.minutes)
