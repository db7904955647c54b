"""The evidence `again`."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import EvidenceFactory
from aries_kernel.testing.evidence_suite import EvidenceSuite, Proof
from aries_kernel.testing.journals import JournalWriter
from ori_evidence_again.evidence import Again


class TestAgain(EvidenceSuite):
    @pytest.fixture
    def factory(self) -> EvidenceFactory:
        return Again

    @pytest.fixture
    def proof(self) -> Proof:
        written = JournalWriter().has("tea", "Tea").asks("green tea", ["tea"]).asks("tea heat", ["tea"])
        return Proof(written, ["tea"])


def used(writer: JournalWriter) -> list[tuple[str, int | None]]:
    return [(use.note, use.question) for use in Again().uses(writer.journal())]


def test_the_later_question_is_told() -> None:
    writer = JournalWriter().asks("green tea", ["tea"]).asks("car", ["car"]).asks("tea heat", ["tea", "car"])
    assert used(writer) == [("tea", 2)]


def test_what_stands_further_down_is_not_asked_for() -> None:
    assert used(JournalWriter().asks("green tea", ["a", "b", "c", "d"]).asks("tea heat", ["d", "e", "f", "c"])) == []


def test_each_further_question_counts_once() -> None:
    writer = JournalWriter().asks("green tea", ["tea"]).asks("tea heat", ["tea"]).asks("heat tea", ["tea"])
    assert used(writer.asks("tea pot", ["tea"])) == [("tea", 1), ("tea", 3)]
