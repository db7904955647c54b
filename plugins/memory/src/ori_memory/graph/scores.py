"""A figure for each note, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

__all__ = ["NO_EDGES", "NO_NOTES", "Scores", "reason_for_none"]

NO_NOTES = "no notes"
NO_EDGES = "no edges"


@frozen
class Scores:
    """Figures by path. Without edges there are none: equal numbers for all would look like knowledge (spec G.2 6)."""

    values: Mapping[str, float] = field(factory=dict)
    skipped: str = ""
    """Why there are no figures; empty where there are."""
    method: str = ""
    """How they were computed, where there are several ways."""

    def top(self, count: int) -> list[tuple[str, float]]:
        """The highest, equal ones by path."""
        return sorted(self.values.items(), key=lambda item: (-item[1], item[0]))[:count]


def reason_for_none(notes: int, edges: int) -> str:
    """Why a graph of this size has no figures; empty where it has."""
    if not notes:
        return NO_NOTES
    return "" if edges else NO_EDGES
