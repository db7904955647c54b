"""The evidence `citation`."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import EvidenceFactory
from aries_kernel.testing.evidence_suite import EvidenceSuite, Proof
from aries_kernel.testing.journals import JournalWriter
from ori_evidence_citation.evidence import Citation


class TestCitation(EvidenceSuite):
    @pytest.fixture
    def factory(self) -> EvidenceFactory:
        return Citation

    @pytest.fixture
    def proof(self) -> Proof:
        written = (
            JournalWriter().has("tea", "Tea is brewed at 80 degrees").asks("green tea", ["tea"]).writes("new", ["tea"])
        )
        return Proof(written, ["tea"])


def used(writer: JournalWriter) -> list[str]:
    return [use.note for use in Citation().uses(writer.journal())]


def asked(title: str = "Tea is brewed at 80 degrees", **more: str) -> JournalWriter:
    return JournalWriter().has("tea", title, aliases=tuple(more.values())).asks("green tea", ["tea"])


@pytest.mark.parametrize(
    "text",
    [
        "As [[Tea is brewed at 80 degrees]] says, it is hot.",
        "see [[tea-is-brewed-at-80-degrees|the note]]",
        "see [[notes/Tea-is-brewed-at-80-degrees.md#Heat]]",
        "According to 'tea is brewed -- at 80 degrees', yes.",
        "It stands in notes/tea-is-brewed-at-80-degrees.md, line 3.",
        "**Tea is\nbrewed at 80 degrees.**",
    ],
)
def test_an_answer_cites_by_link_title_or_path(text: str) -> None:
    assert used(asked().says(text)) == ["tea"]


@pytest.mark.parametrize("text", ["Tea is brewed hot.", "tea", "[[Tea]]", "xnotes/tea-is-brewed.md"])
def test_what_only_sounds_like_it_is_no_citation(text: str) -> None:
    assert used(asked().says(text)) == []


def test_a_short_title_counts_as_a_link_only() -> None:
    assert used(asked("Tea").says("Tea is good, and so is tea.")) == []
    assert used(asked("Tea").says("[[tea]] is good")) == ["tea"]


def test_an_alias_cites_too() -> None:
    assert used(asked("Tea", alias="How green tea is brewed").says("Read how green tea is brewed!")) == ["tea"]


def test_a_note_that_links_to_itself_or_to_nothing_earns_nothing() -> None:
    assert used(JournalWriter().asks("tea", ["tea"]).writes("tea", ["tea"]).writes("b")) == []


def test_each_note_and_each_answer_cites_once() -> None:
    writer = asked().writes("a", ["tea"]).writes("a", ["tea"], is_new=False).writes("b", ["tea"])
    assert used(writer) == ["tea", "tea"]
    text = "[[Tea is brewed at 80 degrees]]"
    assert used(asked().says(text).says(text).says(f"{text} again")) == ["tea", "tea"]


def test_a_note_that_is_named_as_used_is_cited() -> None:
    assert used(asked().names("tea")) == ["tea"]
