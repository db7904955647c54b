"""The evidence `edit`."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import EvidenceFactory
from aries_kernel.testing.evidence_suite import EvidenceSuite, Proof
from aries_kernel.testing.journals import JournalWriter
from ori_evidence_edit.evidence import Edit


class TestEdit(EvidenceSuite):
    @pytest.fixture
    def factory(self) -> EvidenceFactory:
        return Edit

    @pytest.fixture
    def proof(self) -> Proof:
        written = JournalWriter().has("tea", "Tea").asks("green tea", ["tea"]).writes("tea", is_new=False)
        return Proof(written, ["tea"])


def test_a_note_that_is_saved_ten_times_was_edited_once() -> None:
    writer = JournalWriter()
    for _ in range(10):
        writer.writes("tea", is_new=False)
    assert len(list(Edit().uses(writer.journal()))) == 1


def test_a_new_note_was_not_edited() -> None:
    assert list(Edit().uses(JournalWriter().writes("tea").journal())) == []
