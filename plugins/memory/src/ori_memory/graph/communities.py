"""Groups of notes that link to each other more than to the rest: Leiden, seeded, named after their central notes."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from attrs import field, frozen

from ori_memory.graph.graph import NoteGraph
from ori_memory.graph.scores import reason_for_none

__all__ = ["Communities", "Community", "Hotspot", "communities_of", "hotspots"]

_WORD = re.compile(r"[^\W\d_]{3,}")
_TERMS = 3


@frozen
class Community:
    id: int
    """From 0, the largest first."""
    name: str
    """Titles of its one or two most central notes; no two communities are called the same."""
    members: tuple[str, ...]
    """Paths, the most central first."""
    terms: tuple[str, ...]
    """Words that its titles and tags have and others' have not."""
    inner_edges: int
    """Linked pairs within."""
    outer_edges: int
    """Linked pairs that lead out."""

    @property
    def size(self) -> int:
        return len(self.members)

    @property
    def cohesion(self) -> float:
        """The share of its links that stay within."""
        return self.inner_edges / max(1, self.inner_edges + self.outer_edges)


@frozen
class Communities:
    groups: tuple[Community, ...] = ()
    """Without notes that nothing links: they belong to none."""
    of: Mapping[str, int] = field(factory=dict)
    """Path to community id."""
    modularity: float = 0.0
    skipped: str = ""


@frozen
class Hotspot:
    """A community by its life."""

    community: Community
    mean_vitality: float
    top_members: tuple[str, ...]
    """Its three most alive."""


def communities_of(graph: NoteGraph, *, seed: int = 0, resolution: float = 1.0) -> Communities:
    """By weighted links without direction. The same vault and seed give the same groups, ids and names."""
    weights = graph.undirected_weights
    if reason := reason_for_none(len(graph), len(weights)):
        return Communities(skipped=reason)
    modularity, numbers = _leiden(weights, seed, resolution)
    grouped: dict[int, list[int]] = {}
    for number in sorted(numbers):
        grouped.setdefault(numbers[number], []).append(number)
    ordered = sorted(grouped.values(), key=lambda members: (-len(members), members))
    position = {number: index for index, members in enumerate(ordered) for number in members}
    groups = _described(graph, ordered, position)
    of = {graph.notes[number].path: index for number, index in sorted(position.items())}
    return Communities(groups, of, modularity)


def hotspots(communities: Communities, vitality: Mapping[str, float], count: int = 5) -> tuple[Hotspot, ...]:
    """The communities with the highest mean vitality."""
    found = []
    for community in communities.groups:
        alive = sorted(((vitality.get(path, 0.0), path) for path in community.members), key=lambda v: (-v[0], v[1]))
        mean = math.fsum(value for value, _ in alive) / len(alive)
        found.append(Hotspot(community, mean, tuple(path for _, path in alive[:3])))
    return tuple(sorted(found, key=lambda spot: (-spot.mean_vitality, spot.community.id))[:count])


def _leiden(weights: Mapping[tuple[int, int], float], seed: int, resolution: float) -> tuple[float, dict[int, int]]:
    import graspologic_native  # type: ignore[import-untyped]  # It ships no types.

    # Names of equal length in the order of numbers, so that nothing depends on how they would sort.
    edges = [(f"{one:09}", f"{other:09}", weight) for (one, other), weight in weights.items()]
    modularity, found = graspologic_native.leiden(
        edges=edges,
        starting_communities=None,
        resolution=resolution,
        randomness=0.001,
        iterations=2,
        use_modularity=True,
        seed=seed,
        trials=1,
    )
    return float(modularity), {int(name): int(community) for name, community in found.items()}


def _described(graph: NoteGraph, groups: list[list[int]], position: Mapping[int, int]) -> tuple[Community, ...]:
    inner, outer = Counter[int](), Counter[int]()
    centrality: dict[int, float] = dict.fromkeys(position, 0.0)
    for (one, other), weight in graph.undirected_weights.items():
        if position[one] == position[other]:
            inner[position[one]] += 1
            centrality[one] += weight
            centrality[other] += weight
        else:
            outer[position[one]] += 1
            outer[position[other]] += 1
    words = [_words(graph, members) for members in groups]
    spread = Counter(word for counts in words for word in counts)
    taken: set[str] = set()
    found = []
    for index, members in enumerate(groups):
        ranked = sorted(members, key=lambda number: (-centrality[number], number))
        name = _name([graph.notes[number].title for number in ranked], taken)
        paths = tuple(graph.notes[number].path for number in ranked)
        terms = _terms(words[index], spread, len(groups))
        found.append(Community(index, name, paths, terms, inner[index], outer[index]))
    return tuple(found)


def _name(titles: list[str], taken: set[str]) -> str:
    """Two titles with letters in them say more than a day of the journal; where all are dates, dates it is."""
    telling = [title for title in titles if any(letter.isalpha() for letter in title)] or titles
    second = next((title for title in telling[1:] if title.casefold() != telling[0].casefold()), None)
    plain = name = telling[0] if second is None else f"{telling[0]} · {second}"
    number = 2
    while name in taken:
        name = f"{plain} ({number})"
        number += 1
    taken.add(name)
    return name


def _words(graph: NoteGraph, members: Iterable[int]) -> Counter[str]:
    notes = [graph.notes[number] for number in members]
    return Counter(word for note in notes for word in set(_WORD.findall(" ".join((note.title, *note.tags)).casefold())))


def _terms(words: Counter[str], spread: Counter[str], groups: int) -> tuple[str, ...]:
    # Squared: words that most groups have must not win by their number.
    weighed = {word: count * math.log((0.5 + groups) / spread[word]) ** 2 for word, count in words.items()}
    return tuple(sorted(weighed, key=lambda word: (-weighed[word], word))[:_TERMS])
