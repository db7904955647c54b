"""Words that stand near each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_signal_keyword.nearness import nearness

SAYS = {"rye": 1.0, "bread": 2.0, "kneading": 1.0}
FAR = " so it goes." * 100


def of(text: str, says: dict[str, float] | None = None) -> float | None:
    return nearness({1: text}, says or SAYS).get(1)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("rye bread", 1.0),
        (f"rye{FAR} bread", 2 / 3),
        (f"bread{FAR} rye kneaded{FAR} rye", 0.5),
        (f"Rye{FAR} BREAD, kneads", 0.75),
        (f"rye {FAR} rye", 1.0),
    ],
)
def test_the_best_stretch_counts_by_what_its_words_say(text: str, near: float) -> None:
    assert of(text) == pytest.approx(near)


def test_a_text_without_the_words_is_left_out() -> None:
    assert nearness({1: "wheat", 2: "rye", 3: ""}, SAYS) == {2: 1.0}


def test_a_short_word_is_not_found_within_others() -> None:
    assert of(f"ryegrass bread{FAR} dry erye") == 1.0
    assert of(f"ryegrass bread{FAR} rye") == pytest.approx(2 / 3)


def test_pairs_of_signs_are_found_in_a_script_without_spaces() -> None:
    assert of("面包的黑麦" + "好" * 400 + "面包", {"面包": 1.0, "黑麦": 1.0}) == 1.0
    assert of("面包" + "好" * 400 + "黑麦", {"面包": 1.0, "黑麦": 1.0}) == 0.5


@given(st.text(max_size=900), st.dictionaries(st.text(min_size=1, max_size=8), st.floats(0.01, 9), max_size=5))
def test_whatever_the_text_it_lies_between_nothing_and_all(text: str, says: dict[str, float]) -> None:
    near = of(text, says) if says else None
    assert near is None or 0 < near <= 1 + 1e-9
