"""The evidence `echo`."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import EvidenceFactory, NoteText
from aries_kernel.testing.evidence_suite import EvidenceSuite, Proof
from aries_kernel.testing.journals import JournalWriter
from ori_evidence_echo.evidence import Echo


class TestEcho(EvidenceSuite):
    @pytest.fixture
    def factory(self) -> EvidenceFactory:
        return Echo

    @pytest.fixture
    def proof(self) -> Proof:
        written = (
            JournalWriter()
            .has("tea", "Tea", "Green tea is brewed at eighty degrees since above that it turns bitter.")
            .asks("green tea", ["tea"])
            .says("You told me: it is brewed at eighty degrees since above that it turns bitter, so wait.")
        )
        return Proof(written, ["tea"])


TEXT = "Rye dough rests for one night in the cold cellar under a damp cloth before it is baked."


def used(said: str, text: str = TEXT, words: str = "rye dough") -> list[str]:
    return [
        use.note
        for use in Echo().uses(JournalWriter().has("rye", "Rye", text).asks(words, ["rye"]).says(said).journal())
    ]


def test_eight_words_in_one_piece_are_an_echo_and_seven_are_not() -> None:
    assert used("So it rests for one night in the cold cellar.") == ["rye"]
    assert used("So it rests for one night in the cellar.") == []


def test_case_and_punctuation_play_no_part() -> None:
    assert used("**Rests -- for one NIGHT: in the cold, cellar!**") == ["rye"]


def test_words_of_the_question_are_no_echo() -> None:
    words = "rye dough rests for one night in the cold cellar"
    assert used("You ask whether rye dough rests for one night in the cold cellar.", words=words) == []


def test_what_was_said_before_anybody_asked_is_no_echo() -> None:
    writer = JournalWriter().has("rye", "Rye", TEXT).says(TEXT).asks("rye", ["rye"])
    assert list(Echo().uses(writer.journal())) == []


def test_properties_of_a_note_are_not_what_it_says() -> None:
    said = "one two three four five six seven eight nine ten"
    writer = JournalWriter().has("rye", "Rye").asks("rye", ["rye"]).says(said)
    for text, uses in ((f"---\ndescription: {said}\n---\nNothing else.", 0), (f"---\ntype: x\n---\n{said}", 1)):
        writer.notes["rye"] = NoteText("rye", "Rye", "notes/rye.md", text=text)
        assert len(list(Echo().uses(writer.journal()))) == uses


def test_languages_without_blanks_echo_too() -> None:
    text = "ライ麦の生地は一晩冷たい地下室で休ませてから焼きます。"
    assert used("一晩冷たい地下室で休ませてから焼きます。", text) == ["rye"]


def test_an_answer_echoes_two_notes_at_most_the_most_repeated() -> None:
    pieces = TEXT.rstrip(".").split()
    writer = JournalWriter()
    for name, length in (("a", 8), ("b", 10), ("c", 12), ("d", 4)):
        writer.has(name, name, " ".join(pieces[:length]))
    writer.asks("x", ["a", "b", "c", "d"]).says(TEXT)
    assert [use.note for use in Echo().uses(writer.journal())] == ["c", "b"]
