"""Forgetting finds what is meant and nothing beside it."""

from __future__ import annotations

import pytest

from ori_memory.operations.matching import Candidate, identifiers, match_notes


def note(path: str, text: str, title: str = "") -> Candidate:
    return Candidate(path, title or path, text)


def paths(query: str, *notes: Candidate) -> list[str]:
    return [match.path for match in match_notes(query, notes)]


def test_an_address_never_takes_the_record_of_another() -> None:
    notes = [note("ann", "Mail ann.b@example.org, she pays."), note("bob", "Mail bob@example.org, he pays.")]
    assert paths("forget bob@example.org", *notes) == ["bob"]
    assert paths("b@example.org", *notes) == []


def test_an_identifier_matches_as_a_whole() -> None:
    notes = [note("a", "ticket ABC-1234 is closed"), note("b", "ticket ABC-12345 is open")]
    assert paths("ABC-1234", *notes) == ["a"]


def test_rare_words_decide_and_distractors_do_not_come_along() -> None:
    distractors = [note(f"d{number}", f"the meeting number {number} went well") for number in range(200)]
    meant = note("m", "the salary of the gardener went up")
    assert paths("the gardener's salary", meant, *distractors) == ["m"]


def test_common_words_alone_match_nothing_in_particular() -> None:
    notes = [note("a", "the plan for rockets"), note("b", "the plan for boats")]
    assert paths("everything about submarines and the plan", *notes) == []


def test_words_in_the_title_weigh_more() -> None:
    notes = [note("a", "about tea", "Coffee"), note("b", "coffee is mentioned", "Tea")]
    assert paths("coffee", *notes)[0] == "a"


def test_other_scripts_match() -> None:
    assert paths("会议记录", note("a", "正文", "会议记录"), note("b", "正文", "其他")) == ["a"]
    assert paths("しりとり", note("a", "遊び", "今日は成語しりとりをした"), note("b", "遊び", "しり")) == ["a"]
    assert paths("อากาศ", note("a", "x", "วันนี้อากาศดีมาก"), note("b", "x", "other")) == ["a"]
    assert paths("itgc", note("a", "x", "itgcs"), note("b", "x", "itgc")) == ["b"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("call +49-30-123456 or a@b.cd", ("49-30-123456", "a@b.cd")),
        ("the year 2026", ()),
        ("v1.2.3 and snake_case", ("v1.2.3", "snake_case")),
        ("......", ()),
        ("", ()),
    ],
)
def test_identifiers_are_what_names_one_thing(text: str, found: tuple[str, ...]) -> None:
    assert identifiers(text) == found


def test_nothing_matches_an_empty_query_or_an_empty_vault() -> None:
    assert match_notes("", [note("a", "text")]) == []
    assert match_notes("text", []) == []
