"""The contract of evidence as tests: subclass `EvidenceSuite`, name the factory and a journal that shows a use.

class TestThanks(EvidenceSuite):
    @pytest.fixture
    def factory(self) -> EvidenceFactory:
        return Thanks

    @pytest.fixture
    def proof(self) -> Proof:
        written = JournalWriter().has("n", "Rye bread").asks("bread", ["n"]).says("Thanks to [[Rye bread]]")
        return Proof(written, ["n"])  # the notes that proved useful
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence

import pytest
from attrs import evolve, frozen

from aries_kernel.contracts.evidence import (
    Evidence,
    EvidenceFactory,
    NoteNamed,
    NoteOpened,
    NoteWritten,
    QuestionAsked,
    TextSaid,
    Use,
)
from aries_kernel.testing.journals import FakeJournal, JournalWriter

__all__ = ["EvidenceSuite", "Proof"]

_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}\Z")


@frozen
class Proof:
    """A journal, and the ids of the notes that it shows to have been of use."""

    written: JournalWriter
    used: Sequence[str]


def _unused() -> dict[str, JournalWriter]:
    """Journals that show no use of anything."""
    two = JournalWriter().has("tea", "Tea is brewed at 80 degrees", "Green tea turns bitter above.")
    two.has("rye", "Rye dough rests for a night", "It is sour and sticks to the hands.").has("new", "New note")
    return {
        "nothing happened": JournalWriter(),
        "shown": _copy(two).asks("green tea", ["tea", "rye"]),
        "shown twice for the same question": _copy(two).asks("green tea", ["tea"]).asks("tea green", ["tea"]),
        "shown for questions about different things": _copy(two).asks("green tea", ["tea"]).asks("car", ["tea"]),
        "read": _copy(two).asks("green tea", ["tea"]).opens("tea").opens("tea"),
        "another note is added without a link": _copy(two).asks("green tea", ["tea"]).writes("new"),
        "something else is said": _copy(two).asks("green tea", ["tea"]).says("I cannot find anything about that."),
        "nothing is said": _copy(two).asks("green tea", ["tea"]).says(""),
    }


def _copy(writer: JournalWriter) -> JournalWriter:
    return JournalWriter(dict(writer.notes))


class EvidenceSuite:
    """What every kind of evidence must keep; see the module for how to use it."""

    @pytest.fixture
    def factory(self) -> EvidenceFactory:
        """What the entry point names."""
        raise NotImplementedError("override the fixture `factory`")

    @pytest.fixture
    def proof(self) -> Proof:
        """A journal that shows a use."""
        raise NotImplementedError("override the fixture `proof`")

    @pytest.fixture
    def evidence(self, factory: EvidenceFactory) -> Evidence:
        """The evidence under test."""
        return factory()

    def test_it_has_a_plain_name_a_description_and_a_weight(self, evidence: Evidence) -> None:
        assert _NAME.match(evidence.name)
        assert evidence.description.strip() == evidence.description != ""
        assert 0 < evidence.weight <= 1

    def test_it_finds_the_use(self, evidence: Evidence, proof: Proof) -> None:
        uses = list(evidence.uses(proof.written.journal()))
        assert sorted({use.note for use in uses}) == sorted(proof.used)
        assert all(use.by for use in uses)

    def test_the_same_journal_shows_the_same_uses_each_once(self, factory: EvidenceFactory, proof: Proof) -> None:
        first, second = (list(factory().uses(proof.written.journal())) for _ in range(2))
        assert first == second
        keys = [(use.note, use.by) for use in first]
        assert len(keys) == len(set(keys))

    def test_a_use_keeps_its_name_when_the_journal_goes_on(self, evidence: Evidence, proof: Proof) -> None:
        before = _keys(evidence.uses(proof.written.journal()))
        later = proof.written.asks("weather", []).says("It rains.").writes("nobody-knows")
        assert before <= _keys(evidence.uses(later.journal()))

    @pytest.mark.parametrize("case", _unused())
    def test_being_shown_or_read_is_no_use(self, evidence: Evidence, case: str) -> None:
        assert list(evidence.uses(_unused()[case].journal())) == []

    def test_a_use_tells_when_and_in_which_session(self, evidence: Evidence, proof: Proof) -> None:
        journal = proof.written.journal()
        moments = _moments(journal)
        for use in evidence.uses(journal):
            assert (use.session, use.at) in moments
            assert use.question is None or 0 <= use.question < len(journal.questions)

    def test_notes_that_are_gone_do_no_harm(self, evidence: Evidence, proof: Proof) -> None:
        uses = list(evidence.uses(evolve(proof.written.journal(), notes={})))
        assert {use.note for use in uses} <= set(proof.used)


def _keys(uses: Iterable[Use]) -> set[tuple[str, str]]:
    return {(use.note, use.by) for use in uses}


def _moments(journal: FakeJournal) -> set[tuple[str, datetime.datetime]]:
    lists: tuple[Sequence[QuestionAsked | NoteOpened | NoteWritten | TextSaid | NoteNamed], ...]
    lists = (journal.questions, journal.opened, journal.written, journal.said, journal.named)
    return {(one.session, one.at) for happened in lists for one in happened}
