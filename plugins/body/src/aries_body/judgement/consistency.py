"""Whether a snippet does as its place does: only customs that the place is clear about are held against it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from aries_body.judgement.traits import Trait

__all__ = ["Deviation", "Reference", "compare"]

_ENOUGH = 8
"""What has to be counted before a custom is one."""
_RARE = 0.05
_CLEAR = 0.7
_NOT_COMPARED = {("tests", "assertions"), ("errors", "raising"), ("errors", "results"), ("tests", "form")}
"""What differs from one function to the next with what it does."""


class Deviation(NamedTuple):
    """A trait of the snippet against a custom."""

    trait: Trait
    expected: Trait
    share: float
    counted: int
    path: str
    """Where the expected one is seen."""


class Reference(NamedTuple):
    """Traits of the files of a place, its own file first."""

    own: Sequence[Trait]
    """Of the very file; empty where a folder was named."""
    files: Mapping[str, Sequence[Trait]]


def compare(traits: Iterable[Trait], reference: Reference) -> tuple[list[Deviation], int]:
    """What does not fit, and how many customs were compared."""
    counts: dict[tuple[str, str], dict[str, int]] = {}
    seen: dict[tuple[str, str, str], tuple[Trait, str]] = {}
    for path, rows in reference.files.items():
        for one in rows:
            values = counts.setdefault((one.topic, one.subject), {})
            values[one.value] = values.get(one.value, 0) + one.times
            seen.setdefault((one.topic, one.subject, one.value), (one, path))
    own = {(one.topic, one.subject, one.value) for one in reference.own}
    found, compared = [], 0
    for trait in traits:
        subject = trait.topic, trait.subject
        values = counts.get(subject, {})
        total = sum(values.values())
        if subject in _NOT_COMPARED or total < (_ENOUGH if trait.topic != "layout" else 1):
            continue
        compared += 1
        usual = max(values, key=lambda value: (values[value], value))
        is_rare = values.get(trait.value, 0) < _RARE * total
        if is_rare and (*subject, trait.value) not in own and values[usual] >= _CLEAR * total:
            expected, path = seen[(*subject, usual)]
            found.append(Deviation(trait, expected, values[usual] / total, total, path))
    return found, compared
