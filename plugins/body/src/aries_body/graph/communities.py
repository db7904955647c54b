"""Groups of files that are tied to each other more than to the rest: Leiden, seeded, named after where they lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import field, frozen

from aries_body.graph.files import FileGraph
from aries_body.index.garbage import without_collection

__all__ = ["Communities", "Community", "communities_of"]

_MOST = 0.6
"""Share of a group that has to lie in a folder for the group to be called after it."""


@frozen(repr=False)
class Community:
    """One group."""

    id: int
    """From 0, the largest first."""
    name: str
    """The folder that most of it lies in, and its central file where other groups lie there too."""
    members: tuple[str, ...]
    """Paths, the most tied first."""
    inner: int
    """Tied pairs within."""
    outer: int
    """Tied pairs that lead out."""

    @property
    def cohesion(self) -> float:
        """The share of its ties that stay within."""
        return self.inner / max(1, self.inner + self.outer)

    def __repr__(self) -> str:
        more = f", {len(self.members) - 3} more" if len(self.members) > 3 else ""
        return f"{self.id}: {self.name} ({len(self.members)} files: {', '.join(self.members[:3])}{more})"


@frozen
class Communities:
    """All groups. Files without any tie belong to none."""

    groups: tuple[Community, ...] = ()
    of: Mapping[str, int] = field(factory=dict)
    """Path to id."""
    alone: int = 0
    """Files without ties."""
    modularity: float = 0.0
    skipped: str = ""


def communities_of(graph: FileGraph, *, seed: int = 0, resolution: float = 1.0) -> Communities:
    """The same graph and seed give the same groups, ids and names."""
    if graph.why_no_ranks:
        return Communities(skipped=graph.why_no_ranks, alone=len(graph))
    with without_collection():
        return _grouped(graph, seed, resolution)


def _grouped(graph: FileGraph, seed: int, resolution: float) -> Communities:
    weights = graph.undirected_weights
    modularity, group_of = _leiden(weights, len(graph), seed, resolution)
    grouped: dict[int, list[int]] = {}
    for number in sorted(group_of):
        grouped.setdefault(group_of[number], []).append(number)
    ordered = sorted(grouped.values(), key=lambda members: (-len(members), members))
    place = [-1] * len(graph)
    for index, members in enumerate(ordered):
        for number in members:
            place[number] = index
    inner, outer, strength = _counted(weights, place, len(ordered))
    # Of those that are tied equally the first by path stays the first.
    by_strength = [sorted(members, key=strength.__getitem__, reverse=True) for members in ordered]
    groups = tuple(
        Community(index, name, tuple(graph.paths[number] for number in members), inner[index], outer[index])
        for index, (name, members) in enumerate(zip(_names(graph, by_strength), by_strength, strict=True))
    )
    of = {path: index for path, index in zip(graph.paths, place, strict=True) if index >= 0}
    return Communities(groups, of, len(graph) - len(of), modularity)


def _leiden(
    weights: Mapping[tuple[int, int], float], count: int, seed: int, resolution: float
) -> tuple[float, dict[int, int]]:
    import graspologic_native  # type: ignore[import-untyped]  # It ships no types.

    # Names of equal length, so that nothing depends on how numbers would sort as text.
    names = [f"{one:09}" for one in range(count)]
    modularity, found = graspologic_native.leiden(
        edges=[(names[one], names[other], weight) for (one, other), weight in weights.items()],
        starting_communities=None, resolution=resolution, randomness=0.001, iterations=2,
        use_modularity=True, seed=seed, trials=1,
    )  # fmt: skip
    return float(modularity), {int(name): int(group) for name, group in found.items()}


def _counted(
    weights: Mapping[tuple[int, int], float], place: Sequence[int], count: int
) -> tuple[list[int], list[int], list[float]]:
    """Pairs within and out of each group, and how much each file is tied to its own."""
    inner, outer = [0] * count, [0] * count
    strength = [0.0] * len(place)
    for (one, other), weight in weights.items():
        here, there = place[one], place[other]
        if here == there:
            inner[here] += 1
            strength[one] += weight
            strength[other] += weight
        else:
            outer[here] += 1
            outer[there] += 1
    return inner, outer, strength


def _names(graph: FileGraph, groups: Sequence[Sequence[int]]) -> list[str]:
    """Folders; where several groups lie in one, the central file as well; never the same name twice."""
    folders = [_folder([graph.paths[number] for number in _telling(graph, members)]) for members in groups]
    shared = Counter(folders)
    taken: set[str] = set()
    names = []
    for folder, members in zip(folders, groups, strict=True):
        own = [one for one in members if one not in graph.tests] or members
        central = next((one for one in own if graph.paths[one].startswith(f"{folder}/")), own[0])
        file = graph.paths[central]
        if folder == ".":
            name = f"around {file}"
        else:
            name = f"{folder}/" if shared[folder] == 1 else f"{folder}/ around {file.removeprefix(f'{folder}/')}"
        plain, number = name, 2
        while name in taken:
            name, number = f"{plain} ({number})", number + 1
        taken.add(name)
        names.append(name)
    return names


def _telling(graph: FileGraph, members: Sequence[int]) -> Sequence[int]:
    """Where the tests of something lie says less than where it lies itself."""
    own = [number for number in members if number not in graph.tests]
    return own if len(own) * 5 >= len(members) else members


def _folder(paths: Sequence[str]) -> str:
    """The deepest folder that holds most of the paths."""
    counts: Counter[str] = Counter()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder:
            counts[folder] += 1
            folder = folder.rpartition("/")[0]
    enough = [folder for folder, count in counts.items() if count >= _MOST * len(paths)]
    return max(enough, key=lambda folder: (folder.count("/"), counts[folder], folder), default=".")
