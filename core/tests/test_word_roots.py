"""Forms of a word have one root."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.word_roots import root_of


@pytest.mark.parametrize(
    "forms",
    [
        ("paint", "paints", "painted", "painting", "paintings"),
        ("story", "stories"),
        ("bake", "baked", "bakes", "baking"),
        ("dog", "dogs"),
        ("quick", "quickly"),
        ("backups", "backup"),
    ],
)
def test_forms_of_one_word_have_one_root(forms: tuple[str, ...]) -> None:
    assert len({root_of(form) for form in forms}) == 1


def test_short_words_stay_what_they_are() -> None:
    assert [root_of(word) for word in ("bus", "as", "s", "", "ring", "日本")] == ["bus", "as", "s", "", "ring", "日本"]


@given(st.text())
def test_a_word_begins_with_its_root(word: str) -> None:
    root = root_of(word)
    assert word.startswith(root)
    assert bool(root) == bool(word)
