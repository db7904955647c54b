"""Cutting notes: everything is in a passage, no passage is too long, and each says what it is about."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from ori_memory.vectors.passages import MOST, NoteText, Section, cut_note

sys.path.insert(0, str(Path(__file__).parent))
from hashed_words import HashedWords

WORDS = HashedWords()
PIECES = st.sampled_from(
    ("word", "tea. ", "Next sentence! ", "\n\n", "\n", " ", "# ", "茶道。", "...", "x" * 50, "\t", "\ud83c", "🍵 ")
)


@st.composite
def notes(draw: st.DrawFn) -> NoteText:
    parts = draw(st.lists(st.tuples(PIECES, st.integers(1, 60)), max_size=40))
    body, sections = "", []
    for piece, count in parts:
        if piece == "# ":
            sections.append(Section(draw(st.integers(1, 6)), f"Section {len(sections)}", len(body)))
        body += piece * count + " " * draw(st.integers(0, 1))
    title = draw(st.sampled_from(("", "A title", "long title " * 30)))
    return NoteText(title, body, "About it", ("Other",), draw(st.sampled_from(("", "2024-05-01"))), tuple(sections))


@given(notes(), st.sampled_from((16, 60, 256, 512)), st.sampled_from(("", "What was said before. " * 20)))
def test_passages_cover_the_body_in_order_and_fit_the_window(note: NoteText, window: int, around: str) -> None:
    embedder = HashedWords(window=window)
    cut = cut_note(note, embedder, before=around, after=around)
    place = 0
    assert cut.passages
    for one in cut.passages:
        assert one.start <= place or not note.body[place : one.start].strip()
        assert one.end > place or not note.body.strip()
        assert one.tokens == len(embedder.token_spans(one.text)) <= window
        assert note.body[one.start : one.end].strip() in one.text
        place = one.end
    assert cut.is_cut_short or not note.body[place:].strip()


def test_title_headings_and_date_stand_in_front() -> None:
    body = "Intro.\n\n## Brewing\n\n" + "Leaves swell slowly. " * 35 + "\n\n### Water\n\n" + "Soft water is best. " * 90
    sections = (Section(2, "Brewing", body.index("## B")), Section(3, "Water", body.index("### W")))
    cut = cut_note(NoteText("Green tea", body, created="2024-05-01", sections=sections), WORDS)
    heads = [one.text.split("\n")[0] for one in cut.passages]
    assert heads[0] == "Green tea (2024-05-01)"
    assert "Green tea > Brewing (2024-05-01)" in heads
    assert heads[-1] == "Green tea > Brewing > Water (2024-05-01)"
    assert any(one.text.split("\n")[1].startswith("### Water") for one in cut.passages)


def test_a_long_title_and_deep_headings_leave_room_for_the_text() -> None:
    sections = tuple(Section(level, f"Heading {level} " * 8, 0) for level in range(1, 6))
    cut = cut_note(NoteText("A very long title " * 20, "word " * 1000, sections=sections), WORDS)
    assert all(len(WORDS.token_spans(one.text.split("\n")[0])) <= 40 for one in cut.passages)


def test_neighbours_share_some_words_and_begin_with_a_sentence() -> None:
    body = " ".join(f"Sentence number {number} says little." for number in range(200))
    cut = cut_note(NoteText("T", body), WORDS)
    for one, following in zip(cut.passages, cut.passages[1:], strict=False):
        shared = body[following.start : one.end].strip()
        assert shared.startswith("Sentence") and shared.endswith(".") and 10 <= len(WORDS.token_spans(shared)) <= 40


def test_a_note_without_a_body_is_its_title_description_and_aliases() -> None:
    [one] = cut_note(NoteText("Tea", " \n", "What we drink", ("Chai", "Cha")), WORDS).passages
    assert (one.text, one.start, one.end) == ("Tea\nWhat we drink\nChai, Cha", 0, 0)


def test_a_short_note_of_a_thread_takes_its_neighbours_in() -> None:
    [one] = cut_note(NoteText("Chat", "Yes, at eight."), WORDS, before="Shall we meet?", after="Good.").passages
    assert one.text == "Chat\nShall we meet?\nYes, at eight.\nGood." and (one.start, one.end) == (0, 14)


def test_a_long_note_does_not() -> None:
    cut = cut_note(NoteText("Chat", "word " * 180), WORDS, before="Shall we meet?", after="Good.")
    assert "meet" not in cut.passages[0].text


def test_of_a_very_long_note_the_beginning_is_taken_and_that_is_told() -> None:
    cut = cut_note(NoteText("Log", "Another line of it.\n" * 400_000), WORDS)
    assert len(cut.passages) == MOST and cut.is_cut_short
