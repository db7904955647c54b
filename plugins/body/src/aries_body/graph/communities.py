"""Groups of files that are tied to each other more than to the rest: Leiden, seeded, named after where they lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import field, frozen

from aries_body.graph.files import FileGraph

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
    weights = graph.undirected_weights
    modularity, group_of = _leiden(weights, seed, resolution)
    grouped: dict[int, list[int]] = {}
    for number in sorted(group_of):
        grouped.setdefault(group_of[number], []).append(number)
    ordered = sorted(grouped.values(), key=lambda members: (-len(members), members))
    place = {number: index for index, members in enumerate(ordered) for number in members}
    inner, outer, strength = _counted(weights, place)
    names = _names(graph, [sorted(members, key=lambda one: (-strength[one], one)) for members in ordered])
    groups = []
    for index, members in enumerate(ordered):
        by_strength = sorted(members, key=lambda one: (-strength[one], one))
        paths = tuple(graph.paths[number] for number in by_strength)
        groups.append(Community(index, names[index], paths, inner[index], outer[index]))
    of = {graph.paths[number]: index for number, index in sorted(place.items())}
    return Communities(tuple(groups), of, len(graph) - len(of), modularity)


def _leiden(weights: Mapping[tuple[int, int], float], seed: int, resolution: float) -> tuple[float, dict[int, int]]:
    import graspologic_native  # type: ignore[import-untyped]  # It ships no types.

    # Names of equal length, so that nothing depends on how numbers would sort as text.
    edges = [(f"{one:09}", f"{other:09}", weight) for (one, other), weight in weights.items()]
    modularity, found = graspologic_native.leiden(
        edges=edges, starting_communities=None, resolution=resolution, randomness=0.001, iterations=2,
        use_modularity=True, seed=seed, trials=1,
    )  # fmt: skip
    return float(modularity), {int(name): int(group) for name, group in found.items()}


def _counted(
    weights: Mapping[tuple[int, int], float], place: Mapping[int, int]
) -> tuple[Counter[int], Counter[int], dict[int, float]]:
    """Pairs within and out of each group, and how much each file is tied to its own."""
    inner, outer = Counter[int](), Counter[int]()
    strength = dict.fromkeys(place, 0.0)
    for (one, other), weight in weights.items():
        if place[one] == place[other]:
            inner[place[one]] += 1
            strength[one] += weight
            strength[other] += weight
        else:
            outer[place[one]] += 1
            outer[place[other]] += 1
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
