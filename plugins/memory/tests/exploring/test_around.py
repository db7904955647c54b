"""Expansion against a graph that is solved by hand (spec G.5-64)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ori_memory.exploring.around import Reached, expand
from ori_memory.exploring.ground import Ground
from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Asked


@pytest.fixture
def memory(memory: Memory, write: Callable[..., None]) -> Memory:
    """a - b - c - d, and e - f, all without a word of the question."""
    for title, text in {
        "Aa1": "[[Bb1]]", "Bb1": "[[Cc1]]", "Cc1": "[[Dd1]]", "Dd1": "x", "Ee1": "[[Ff1]]", "Ff1": "y"
    }.items():  # fmt: skip
        write(title, text)
    return memory


def reached(memory: Memory, seeds: dict[str, float], depth: int) -> dict[str, Reached]:
    def look(ground: Ground) -> dict[str, Reached]:
        numbers = ground.numbers([f"notes/{title}.md" for title in seeds])
        weights = dict(zip(numbers.values(), seeds.values(), strict=True))
        ways = expand(ground, weights, depth)
        return {view.title: ways[num] for num, view in ground.views(ways).items()}

    asked = Asked("waterfall", is_fast=True)
    return memory.index.read(lambda connection: look(Ground.over(memory, connection, asked)))


def test_the_weights_of_seeds_are_kept(memory: Memory) -> None:
    found = reached(memory, {"Aa1": 1.0, "Ee1": 0.25}, 1)
    assert {title: one.near for title, one in found.items()} == {"Bb1": 1.0, "Ff1": 0.25}
    assert found["Bb1"].score == pytest.approx(4 * found["Ff1"].score)


def test_each_further_link_halves_nearness(memory: Memory) -> None:
    found = reached(memory, {"Aa1": 1.0}, 3)
    assert {title: (one.near, one.hops) for title, one in found.items()} == {
        "Bb1": (1.0, 1),
        "Cc1": (0.5, 2),
        "Dd1": (0.25, 3),
    }


def test_the_nearest_seed_counts(memory: Memory) -> None:
    found = reached(memory, {"Aa1": 0.2, "Dd1": 1.0}, 2)
    assert found["Cc1"].near == 1.0 and found["Bb1"].near == 0.5
