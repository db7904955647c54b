"""Names in a text, told by their capitals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.index.entities import entity_keys
from ori_memory.index.keys import key_number


def keys(*names: str) -> list[int]:
    return [key_number(name) for name in names]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("we met Clara Schumann today", ["clara schumann"]),
        ("The Theory of Games and the theory of games", ["theory of games"]),
        ("Lord of the Rings", ["lord of the rings"]),
        ("Johnson & Johnson", ["johnson johnson"]),
        ("Apollo 11 flew", ["apollo 11"]),
        ("When Ann met Ben, Ann left", ["ann", "ben"]),
        ("Jean-Luc Picard", ["jean luc picard"]),
        ("O'Neill's house", ["o neill s"]),
        ("Émile Zola, Łódź", ["émile zola", "łódź"]),
        ("Żeromski, Řehoř, Őze", ["żeromski", "řehoř", "őze"]),
        ("книга Льва Толстого", ["льва толстого"]),
        ("στην Ελλάδα και Άνδρος", ["ελλάδα", "άνδρος"]),
        ("NASA said so", ["nasa"]),
        ("A I Go Up", ["go up"]),
        ("of nothing at all", []),
        ("This. That. What", []),
        ("黑麦面包 हिन्दी עברית", []),
        ("", []),
    ],
)
def test_names_are_what_is_written_with_capitals(text: str, names: list[str]) -> None:
    assert entity_keys(text) == keys(*names)


def test_a_name_at_a_line_end_does_not_run_on() -> None:
    assert entity_keys("Clara\nSchumann") == keys("clara", "schumann")


def test_each_name_counts_once_in_the_order_of_the_text() -> None:
    assert entity_keys("Ben and Ann; Ben. Ann, Ben") == keys("ben and ann", "ben", "ann")


def test_two_hundred_names_are_enough() -> None:
    assert len(entity_keys(", ".join(f"Name{number}" for number in range(900)))) == 200


def test_what_stands_far_down_in_a_long_text_is_left_out() -> None:
    assert entity_keys("x " * 20_000 + "Clara") == []


@given(st.text(max_size=300))
def test_any_text_has_a_list_of_numbers_without_repetition(text: str) -> None:
    found = entity_keys(text)
    assert len(set(found)) == len(found)


@given(st.lists(st.sampled_from(["Clara Schumann", "Łódź", "Apollo 11", "Толстой"]), max_size=5))
def test_the_names_of_a_list_are_those_that_are_in_it(names: list[str]) -> None:
    assert entity_keys("; ".join(names)) == keys(*dict.fromkeys(name.lower() for name in names))


@given(st.text(st.sampled_from("ABCz of the'- 1.\n&_"), max_size=60))
def test_a_text_in_plain_letters_has_the_names_it_has_among_others(text: str) -> None:
    assert list(entity_keys(text)) == list(entity_keys(f"{text}\n\u00fc"))
