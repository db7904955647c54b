"""Articulation points, bridges and the notes that pruning leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from ori_memory.graph.edges import Edge
from ori_memory.graph.graph import NoteGraph
from ori_memory.graph.structure import structure_of
from ori_memory.model import NoteRecord


def test_two_triangles_on_a_rope(make: Any) -> None:
    found = structure_of(make("a>b b>c c>a d>e e>f f>d c>d d>c"))
    assert found.articulation_points == {"c", "d"}
    assert found.bridges == (("c", "d"),)
    assert found.bridge_notes == {"c": ("articulation point",), "d": ("articulation point",)}


def test_suggested_links_hold_nothing_together(make: Any) -> None:
    assert structure_of(make("a>b b>c c~a")).articulation_points == {"b"}


def test_a_hub_has_more_than_twice_the_median_and_a_median_of_0_makes_none(make: Any) -> None:
    ring = "a>b b>c c>d d>e e>a"
    hubs = structure_of(make(f"{ring} b>a c>a")).bridge_notes
    assert hubs == {"a": ("hub",)}  # in-degree 3, median 1
    assert structure_of(make(f"{ring} c>a")).bridge_notes == {}  # 2 is not more than 2
    assert "hub" not in str(structure_of(make("a>z b>z c>z d>z")).bridge_notes)


def test_the_multiplier_is_used(make: Any) -> None:
    assert structure_of(make("a>b b>c c>d d>e e>a c>a"), hub_multiplier=1.5).bridge_notes == {"a": ("hub",)}


@pytest.mark.parametrize(
    ("title", "is_map"),
    [
        ("Python map", True),
        ("MAP", False),
        ("bitmap", False),
        ("Index", True),
        ("My Index", True),
        ("Indexing", False),
        ("a Map", True),
    ],
)
def test_maps_are_known_by_title(title: str, is_map: bool) -> None:
    graph = NoteGraph.build([NoteRecord(id="1", path="x.md", title=title)], [])
    assert structure_of(graph).bridge_notes == ({"x.md": ("map",)} if is_map else {})


def test_a_note_of_two_projects_needs_three_links() -> None:
    def graph(links: int, projects: tuple[str, ...]) -> NoteGraph:
        notes = [NoteRecord(id="t", path="t", title="t", projects=projects)]
        notes += [NoteRecord(id=f"s{n}", path=f"s{n}", title="s") for n in range(3)]
        return NoteGraph.build(notes, [Edge(f"s{n}", "t", "wiki") for n in range(links)])

    assert "cross-project" in structure_of(graph(3, ("p", "q"))).bridge_notes["t"]
    assert "cross-project" not in str(structure_of(graph(2, ("p", "q"))).bridge_notes)
    assert "cross-project" not in str(structure_of(graph(3, ("p", "p"))).bridge_notes)


@pytest.mark.parametrize(
    ("text", "extra", "reason"), [("", "", "no notes"), ("", "a", "no edges"), ("a>a", "b", "no edges")]
)
def test_without_links_nothing_holds_anything(make: Any, text: str, extra: str, reason: str) -> None:
    found = structure_of(make(text, extra))
    assert (found.skipped, found.articulation_points, found.bridges, found.bridge_notes) == (
        reason,
        frozenset(),
        (),
        {},
    )
