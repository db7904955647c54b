"""Ranks, groups, ways, circles and layers."""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_body.graph.communities import communities_of
from aries_body.graph.files import FileGraph, Tie
from aries_body.graph.history import read_history
from aries_body.graph.ranking import betweenness, hits, pagerank, ranked
from aries_body.graph.structure import cycles, layers, reach, shortest_path
from aries_body.index.project import Project

Open = Callable[..., Project]


def graph_of(ties: dict[tuple[int, int], float], count: int, tests: frozenset[int] = frozenset()) -> FileGraph:
    made = {pair: Tie({"import": 1}, {}, weight) for pair, weight in sorted(ties.items())}
    return FileGraph.from_ties(tuple(f"f{number:03}" for number in range(count)), made, tests)


def test_a_file_that_is_used_often_ranks_above_one_that_is_used_once(toys: Open) -> None:
    calls = "call heavy.h\n" * 99
    project = toys(
        {"a.toy": f"import heavy\nimport light\n{calls}call light.l\n", "heavy.toy": "def h\n", "light.toy": "def l\n"}
    )
    graph = FileGraph.of(project)
    heavy, light = graph.number["heavy.toy"], graph.number["light.toy"]
    ranks, found = pagerank(graph).values, hits(graph).authorities.values
    assert ranks[heavy] > ranks[light] and found[heavy] > found[light]


def test_without_edges_nothing_is_ranked_and_the_reason_is_given(toys: Open) -> None:
    graph = FileGraph.of(toys({"a.toy": "def a\n", "b.toy": "def b\n"}))
    for ranks in (pagerank(graph), hits(graph).hubs, hits(graph).authorities, betweenness(graph)):
        assert not ranks.values and "no file imports or uses another" in ranks.skipped
    assert communities_of(graph).skipped and communities_of(graph).alone == 2
    assert "no source file" in pagerank(graph_of({}, 0)).skipped


def test_tests_are_demoted_and_what_only_they_use_does_not_win() -> None:
    # 5, 6 and 7 are tests that use 0; 1 and 2 are used by the program.
    ties = {(5, 0): 1.0, (6, 0): 1.0, (7, 0): 1.0, (2, 1): 1.0, (3, 1): 1.0, (4, 1): 1.0, (5, 6): 1.0, (7, 6): 1.0}
    graph = graph_of(ties, 8, frozenset({5, 6, 7}))
    order = [number for number, _ in ranked(graph, pagerank(graph), demoted=True)]
    assert order[0] == 1 and set(order[-3:]) == {5, 6, 7}


def test_a_walk_from_a_file_favours_what_is_near_it() -> None:
    graph = graph_of({(0, 1): 1.0, (2, 3): 1.0}, 4)
    values = pagerank(graph, {0: 1.0}).values
    assert values[1] > 0 and values[3] == pytest.approx(0)


def test_circles_of_types_and_late_imports_are_none() -> None:
    graph = FileGraph.from_ties(
        ("a", "b", "c", "d"),
        {
            (0, 1): Tie({"import": 1}, {}, 1.0),
            (1, 2): Tie({"import": 1}, {}, 1.0),
            (2, 0): Tie({"require": 1}, {"use": 2}, 1.0),
            (2, 3): Tie({"import": 1}, {}, 1.0),
            (3, 2): Tie({"type": 1}, {}, 1.0),
        },
        frozenset(),
    )
    [found] = cycles(graph)
    assert found.members == ("a", "b", "c") and found.example == ("a", "b", "c", "a")
    assert layers(graph) == [["a", "b", "c", "d"]]


def test_layers_stand_on_those_below() -> None:
    graph = graph_of({(0, 1): 1.0, (1, 2): 1.0, (0, 3): 1.0}, 4)
    assert layers(graph) == [["f002", "f003"], ["f001"], ["f000"]]


TIES = st.dictionaries(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda p: p[0] != p[1]), st.just(1.0))


@given(TIES, st.integers(0, 9), st.integers(0, 9))
def test_a_shortest_way_is_as_long_as_the_distance(ties: dict[tuple[int, int], float], start: int, end: int) -> None:
    graph = graph_of(ties, 10)
    way = shortest_path(graph, start, end, 20)
    distance = 0 if start == end else reach(graph.outgoing, start, 20).get(end)
    assert (None if way is None else len(way) - 1) == distance
    assert way is None or all(pair in ties for pair in itertools.pairwise(way))


@given(TIES)
def test_ranks_sum_to_one_and_groups_divide_the_tied_files(ties: dict[tuple[int, int], float]) -> None:
    graph = graph_of(ties, 10)
    if ties:
        assert sum(pagerank(graph).values) == pytest.approx(1)
    groups = communities_of(graph).groups
    members = sorted(path for group in groups for path in group.members)
    assert members == sorted({graph.paths[number] for pair in ties for number in pair})
    assert len({group.name for group in groups}) == len(groups)


def test_groups_are_called_after_the_folder_they_lie_in() -> None:
    paths = ("core/a.py", "core/b.py", "core/c.py", "web/d.py", "web/e.py", "web/f.py", "z.py")
    pairs = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
    graph = FileGraph.from_ties(paths, {pair: Tie({"import": 1}, {}, 1.0) for pair in sorted(pairs)}, frozenset())
    found = communities_of(graph)
    assert [group.name for group in found.groups] == ["core/", "web/"] and found.alone == 1
    assert found.groups[0].cohesion == 1.0


def test_history_counts_commits_that_changed_both(root: Path) -> None:
    def git(*words: str) -> None:
        command = ["git", "-c", "user.email=a@b", "-c", "user.name=a", *words]
        subprocess.run(command, cwd=root, check=True, capture_output=True, timeout=60)

    git("init", "-q")
    for number in range(3):
        (root / "a.toy").write_text(str(number), encoding="utf-8")
        (root / ("b.toy" if number else "c d.toy")).write_text(str(number), encoding="utf-8")
        git("add", ".")
        git("commit", "-qm", f"{number}\n\nmore")
    found = read_history(root, ["a.toy", "b.toy", "c d.toy"], 60)
    assert found.pairs == {("a.toy", "b.toy"): 2, ("a.toy", "c d.toy"): 1}
    assert (found.changes["a.toy"], found.commits, found.skipped) == (3, 3, "")


def test_without_a_repository_there_is_no_history_and_the_reason_is_given(root: Path) -> None:
    assert "repository" in read_history(root, [], 60).skipped
