"""From what happened to what was learned: evidence looks, the question is found, credit is given once, within bounds.

Nothing is learned from having been shown, nothing is taken away, and without evidence there is no verdict (spec G.4-41,
43, 47, 48).
"""

from __future__ import annotations

import datetime
import hashlib
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from aries_kernel.contracts.evidence import Evidence, QuestionAsked, Use
from aries_kernel.errors import AriesError, PluginError, UserError
from aries_kernel.values import frozen
from ori_memory.learned.crediting import Credit
from ori_memory.learned.journal import MOST_EVENTS, Earned, Lesson
from ori_memory.learning.use_journal import OpenJournal

if TYPE_CHECKING:
    from ori_memory.learned.events import Event
    from ori_memory.memory import Memory
    from ori_memory.vault.config import Learning

__all__ = ["EVIDENCE", "learn_from_journal"]

EVIDENCE = "ori.evidence"
_MOST_A_SESSION = 1.0
"""What one note can earn in one session."""
_LEAST = 0.05
_MOST_TOGETHER = 12
"""Notes of a session that are taken for used together."""


@frozen
class _Found:
    source: str
    worth: float
    use: Use


def learn_from_journal(memory: Memory) -> tuple[Earned, ...]:
    """Count what was not counted yet; gives what was. Looking again counts nothing again.

    Raises: UserError where the store cannot be written.
    """
    hours = datetime.timedelta(hours=memory.vault.config.learning.session_hours)
    counted: list[Earned] = []
    events = memory.learned.open_events()
    while len(events) == MOST_EVENTS:
        # More than can be looked at together was left, as by a server that was away: from the beginning, each session
        # with what followed it.
        counted += _learn_from(memory, events, min(events[-1].at, memory.now()) - hours)
        earlier, events = events[0].id, memory.learned.open_events()
        if events and events[0].id == earlier:
            events = memory.learned.open_events(is_latest=True)
            break
    return (*counted, *(_learn_from(memory, events, memory.now() - hours) if events else ()))


def _learn_from(memory: Memory, events: Sequence[Event], before: datetime.datetime) -> tuple[Earned, ...]:
    settings = memory.vault.config.learning
    journal = OpenJournal(memory, events)
    sources = tuple(_sources(memory, settings))
    found = [
        _Found(name, worth, use) for name, worth, evidence in sources for use in _uses(memory, name, evidence, journal)
    ]
    earned = tuple(_earned(journal, found, settings, datetime.timedelta(hours=settings.session_hours)))
    looked_at = tuple(event.id for event in events)
    lesson = Lesson(earned, dict(_pairs(journal, earned)), tuple(name for name, _, _ in sources), looked_at)
    return memory.learned.learn(lesson, before)


def _sources(memory: Memory, settings: Learning) -> Iterator[tuple[str, float, Evidence]]:
    from ori_memory.app import plugins

    drivers = plugins().drivers
    for name, worth in settings.evidence.items():
        if worth <= 0:
            continue
        try:
            factory: Any = drivers.load(EVIDENCE, name)
            yield name, min(worth, 1.0), factory()
        except (PluginError, UserError) as error:
            memory.notice(f"Evidence {name} is left out: {error}")


def _uses(memory: Memory, name: str, evidence: Evidence, journal: OpenJournal) -> list[Use]:
    try:
        return list(evidence.uses(journal))
    except Exception as error:  # Foreign code: one broken kind of evidence does not take the others away.
        told = str(error) if isinstance(error, AriesError) else f"it is defective: {type(error).__name__}: {error}"
        memory.notice(f"Evidence {name} is left out: {told}")
        return []


def _earned(
    journal: OpenJournal, found: Sequence[_Found], settings: Learning, hours: datetime.timedelta
) -> Iterator[Earned]:
    """In the order in which it happened, so that what was counted once stays within the same bounds."""
    of_note: defaultdict[tuple[str, str], float] = defaultdict(float)
    of_question: defaultdict[tuple[str, tuple[str, ...]], set[str]] = defaultdict(set)
    for one in sorted(found, key=lambda one: (one.use.at, one.source, one.use.note, one.use.by)):
        use = one.use
        question = _question(journal.questions, use, hours)
        if question is None or not journal.is_known(use.note):
            continue
        notes = of_question[question.session, question.words]
        left = _MOST_A_SESSION - of_note[question.session, use.note]
        worth = min(one.worth, left)
        if worth < _LEAST or (use.note not in notes and len(notes) >= settings.most_notes):
            continue
        notes.add(use.note)
        of_note[question.session, use.note] += worth
        yield Earned(_key(one.source, use.note, use.by), Credit(use.note, question.words, worth, one.source), use.at)


def _question(questions: Sequence[QuestionAsked], use: Use, hours: datetime.timedelta) -> QuestionAsked | None:
    """The one that brought the note: of the same session rather than of another, the higher up the likelier."""
    if use.question is not None:
        return questions[use.question] if 0 <= use.question < len(questions) else None
    brought = [one for one in questions if one.at <= use.at <= one.at + hours and use.note in one.brought]
    return max(
        brought, key=lambda one: (one.session == use.session, -one.brought.index(use.note), one.at), default=None
    )


def _pairs(journal: OpenJournal, earned: Iterable[Earned]) -> Iterator[tuple[tuple[str, str], str]]:
    """Notes that were used in one session: earned something, or were read after they had been found."""
    used: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    sessions = {(one.words, note): one.session for one in journal.questions for note in one.brought}
    brought = {(one.session, note) for one in journal.questions for note in one.brought}
    for one in earned:
        session = sessions.get((one.credit.words, one.credit.note_id))
        if session is not None:
            used[session, one.at.date().isoformat()][one.credit.note_id] = None
    for opened in journal.opened:
        if (opened.session, opened.note) in brought and journal.is_known(opened.note):
            used[opened.session, opened.at.date().isoformat()][opened.note] = None
    for (session, day), notes in used.items():
        for a, b in itertools.combinations(sorted(list(notes)[:_MOST_TOGETHER]), 2):
            yield (a, b), _key("pair", session, day, a, b)


def _key(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
