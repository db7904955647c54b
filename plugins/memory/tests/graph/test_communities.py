"""Communities: who belongs together, what they are called, the same in every run."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import Any

import pytest

from ori_memory.graph.communities import communities_of, hotspots
from ori_memory.graph.edges import Edge
from ori_memory.graph.graph import NoteGraph
from ori_memory.model import NoteRecord

TWO = "a>b b>c c>a a>d d>b c>d x>y y>z z>x a>x"


def test_two_dense_groups_are_two_communities_named_after_their_centre(make: Any) -> None:
    found = communities_of(make(TWO, extra="alone"))
    assert [set(group.members) for group in found.groups] == [{"a", "b", "c", "d"}, {"x", "y", "z"}]
    assert found.of == {"a": 0, "b": 0, "c": 0, "d": 0, "x": 1, "y": 1, "z": 1}
    assert [(group.inner_edges, group.outer_edges) for group in found.groups] == [(6, 1), (3, 1)]
    assert found.groups[1].cohesion == 0.75
    assert found.modularity == pytest.approx(6 / 10 - (13 / 20) ** 2 + 3 / 10 - (7 / 20) ** 2)


def test_dates_do_not_name_a_community_that_has_words() -> None:
    titles = {"1": "2026-01-01", "2": "Garden", "3": "2026-01-02"}
    notes = [NoteRecord(id=key, path=key, title=title) for key, title in titles.items()]
    graph = NoteGraph.build(notes, [Edge("1", "2", "wiki"), Edge("1", "3", "wiki")])
    assert [group.name for group in communities_of(graph).groups] == ["Garden"]


def test_names_are_told_apart_and_terms_are_what_others_have_not() -> None:
    notes, edges = [], []
    for group in range(2):
        for number in range(4):
            name = f"{group}{number}"
            title = "Index" if number < 2 else f"the {['cooking', 'sailing'][group]} {number}"
            notes.append(NoteRecord(id=name, path=name, title=title))
            edges += [Edge(name, f"{group}{other}", "wiki") for other in range(4)]
    found = communities_of(NoteGraph.build(notes, edges)).groups
    assert [group.name for group in found] == ["Index · the cooking 2", "Index · the sailing 2"]
    assert [group.terms[0] for group in found] == ["cooking", "sailing"]


def test_the_order_of_rows_changes_no_community() -> None:
    chance = random.Random(5)
    notes = [NoteRecord(id=f"{n:03}", path=f"{n:03}", title=f"note {n}") for n in range(120)]
    edges = list({Edge(f"{chance.randrange(120):03}", f"{chance.randrange(120):03}", "wiki") for _ in range(400)})
    first = communities_of(NoteGraph.build(notes, edges))
    chance.shuffle(notes)
    chance.shuffle(edges)
    assert communities_of(NoteGraph.build(notes, edges)) == first


def test_another_process_with_another_hash_seed_finds_the_same() -> None:
    script = """
import random
from ori_memory.graph.communities import communities_of
from ori_memory.graph.edges import Edge
from ori_memory.graph.graph import NoteGraph
from ori_memory.model import NoteRecord
chance = random.Random(5)
notes = {NoteRecord(id=f"{n:03}", path=f"{n:03}", title=f"note {n}", tags=("x", "y")) for n in range(120)}
edges = {Edge(f"{chance.randrange(120):03}", f"{chance.randrange(120):03}", "wiki") for _ in range(400)}
print(communities_of(NoteGraph.build(notes, edges)))
"""
    said = {
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1


@pytest.mark.parametrize(
    ("text", "extra", "reason"), [("", "", "no notes"), ("", "a b", "no edges"), ("a>a", "", "no edges")]
)
def test_without_links_there_are_no_communities(make: Any, text: str, extra: str, reason: str) -> None:
    found = communities_of(make(text, extra))
    assert (found.groups, found.of, found.skipped) == ((), {}, reason)
    assert hotspots(found, {}) == ()


def test_hotspots_are_the_most_alive(make: Any) -> None:
    found = communities_of(make(TWO))
    spots = hotspots(found, {"a": 0.5, "x": 0.4, "y": 0.9, "z": 0.2})
    assert [(spot.community.id, spot.mean_vitality) for spot in spots] == [
        (1, pytest.approx(0.5)),
        (0, pytest.approx(0.125)),
    ]
    assert spots[0].top_members == ("y", "x", "z")
    assert len(hotspots(found, {}, count=1)) == 1
