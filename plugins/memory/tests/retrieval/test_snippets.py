"""The part of a note that is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.retrieval.snippets import Snippet, snippet_of

FILLER = "Nothing is said in this sentence. " * 20


def test_a_short_body_is_shown_whole() -> None:
    assert snippet_of("Bake it\n  hot.\n", {"hot": 1.0}) == Snippet("Bake it hot.", 0)


def test_it_begins_with_the_sentence_that_fits() -> None:
    body = f"{FILLER}The oven is hot. Then it cools.{FILLER}"
    assert snippet_of(body, {"oven": 2.0}).text.startswith("…")
    assert "The oven is hot. Then it cools." in snippet_of(body, {"oven": 2.0}).text


def test_the_line_is_that_of_its_first_word() -> None:
    assert snippet_of(f"{FILLER}\n\nThe oven is hot.\n", {"oven": 1.0}).line == 2


def test_rare_words_decide_between_two_places() -> None:
    body = f"Bread, bread, bread. {FILLER} The levain is old. {FILLER}"
    assert "levain" in snippet_of(body, {"bread": 1.0, "levain": 5.0}).text
    assert "bread" in snippet_of(body, {"bread": 5.0, "levain": 1.0}).text


def test_the_same_word_many_times_counts_once() -> None:
    body = f"bread bread bread bread {FILLER} bread of rye {FILLER}"
    assert "bread of rye" in snippet_of(body, {"bread": 2.0, "rye": 1.0}).text


def test_other_forms_of_a_word_count() -> None:
    assert "baking" not in FILLER
    assert "ovens" in snippet_of(f"{FILLER}Two ovens. {FILLER}", {"ovens": 1.0}).text
    assert "connections" in snippet_of(f"{FILLER}Two connections. {FILLER}", {"connected": 1.0}).text


def test_without_a_match_the_beginning_is_shown() -> None:
    found = snippet_of(f"\n\n  First words. {FILLER}", {"zebra": 1.0})
    assert found.text.startswith("First words.") and found.text.endswith("…") and found.line == 2


def test_properties_of_an_outline_are_not_shown_where_something_is_said() -> None:
    body = (
        "title:: Ovens\ntype:: [[Tool]]\n- Ovens bake.\n  id:: 5feb30e3-fedc\n  created-at:: 1609231967174\n\t- Hot.\n"
    )
    found = snippet_of(body, {"ovens": 1.0})
    assert found == Snippet("- Ovens bake. - Hot.", 2)


def test_a_field_within_the_text_is_shown() -> None:
    body = "Read in May.\n- rating:: 5\n"
    assert snippet_of(body, {"rating": 1.0}).text == "Read in May. - rating:: 5"


def test_a_page_of_nothing_but_properties_is_shown() -> None:
    assert snippet_of("url:: a.example\n", {"url": 1.0}).text == "url:: a.example"


@pytest.mark.parametrize("body", ["", " ", "\n\n"])
def test_an_empty_body_has_an_empty_snippet(body: str) -> None:
    assert snippet_of(body, {"rye": 1.0}).text == ""


def test_a_line_without_end_is_cut() -> None:
    found = snippet_of("x" * 10_000 + "rye" + "y" * 10_000, {"rye": 1.0})
    assert len(found.text) <= 242


def test_a_match_in_the_middle_of_a_line_without_sentences_is_in_it() -> None:
    found = snippet_of("word " * 2_000 + "rye " + "word " * 2_000, {"rye": 1.0})
    assert "rye" in found.text and found.text[0] == found.text[-1] == "…"


def test_a_script_without_spaces_is_cut_between_signs() -> None:
    body = "天气很好。" * 200 + "黑麦面包的做法很简单。" + "天气很好。" * 200
    assert "黑麦面包" in snippet_of(body, {"黑麦": 1.0, "麦面": 1.0, "面包": 1.0}).text


@given(
    st.text(st.sampled_from("ab é黑麦.\n!😀\u0301 "), max_size=600),
    st.dictionaries(st.sampled_from(["a", "ab", "é", "黑麦", "zz"]), st.floats(0.1, 9)),
    st.integers(10, 300),
)
def test_any_body_has_a_snippet_on_one_line_that_is_not_too_long(
    body: str, rarity: dict[str, float], length: int
) -> None:
    found = snippet_of(body, rarity, length)
    assert "\n" not in found.text and len(found.text) <= length + 2
    assert 0 <= found.line <= body.count("\n")
    assert found.text.strip("…") in " ".join(body.split())


def test_addresses_of_blocks_and_pages_are_not_shown() -> None:
    body = '- see ((6371a0ef-d363-4689-8755-ec3463edf9ea)) and [tea]({{< relref "tea.md#" >}}) here\n'
    assert snippet_of(body, {"tea": 1.0}).text == "- see and [tea]( ) here"
