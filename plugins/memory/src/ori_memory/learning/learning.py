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
from ori_memory.learned.journal import Earned, Lesson
from ori_memory.learning.use_journal import OpenJournal

if TYPE_CHECKING:
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
    settings = memory.vault.config.learning
    events = memory.learned.open_events()
    if not events:
        return ()
    journal = OpenJournal(memory, events)
    sources = tuple(_sources(memory, settings))
    found = [
        _Found(name, worth, use) for name, worth, evidence in sources for use in _uses(memory, name, evidence, journal)
    ]
    hours = datetime.timedelta(hours=settings.session_hours)
    earned = tuple(_earned(journal, found, settings, hours))
    lesson = Lesson(earned, dict(_pairs(journal, earned)), tuple(name for name, _, _ in sources))
    return memory.learned.learn(lesson, memory.now() - hours)


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
