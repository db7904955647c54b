"""A navigated exploration: a tree of steps that an agent or a person takes, and what came of each."""

from __future__ import annotations

import datetime
from enum import StrEnum

from attrs import field, frozen

from ori_memory.exploring.exploration import Exploring

__all__ = ["Filters", "Kind", "Navigated", "Node", "Option", "Seen", "Session", "Visit"]


class Kind(StrEnum):
    """What a step does."""

    ROOT = "root"
    SUB_QUESTION = "subQuestion"
    BRANCH = "branch"
    """Follow the links of all notes of a node."""
    NEIGHBORS = "neighbors"
    """Follow the links of one note."""


@frozen
class Filters:
    """Among which notes a session looks, for as long as it lasts."""

    as_of: str = ""
    include_archived: bool = False
    projects: tuple[str, ...] = ()
    folder: str = ""
    is_fast: bool = False

    @classmethod
    def of(cls, exploring: Exploring) -> Filters:
        """Those of a question."""
        day = exploring.as_of.isoformat() if exploring.as_of else ""
        return cls(day, exploring.include_archived, exploring.projects, exploring.folder, exploring.is_fast)

    def exploring(self, text: str) -> Exploring:
        """A question with these filters."""
        return Exploring(
            text,
            as_of=datetime.date.fromisoformat(self.as_of) if self.as_of else None,
            include_archived=self.include_archived,
            projects=self.projects,
            folder=self.folder,
            is_fast=self.is_fast,
        )


@frozen
class Visit:
    """A note that a step found first. Its title and text stay in the vault, where they can be purged."""

    id: str
    score: float
    source: str
    """`flat`, `graph` or `question`, as `Origin` has it."""


@frozen
class Node:
    """One step."""

    id: str
    parent: str
    """Empty for the root."""
    kind: Kind = field(converter=Kind)
    target: str = field()
    """The question asked, the id of the node branched from, or of the note whose neighbours these are."""
    depth: int = field()
    notes: tuple[Visit, ...] = ()
    found: int = 0
    """With those that earlier steps had found."""

    @property
    def is_dead_end(self) -> bool:
        """Nothing was found."""
        return not self.found

    @property
    def is_exhausted(self) -> bool:
        """Only notes that were visited before were found."""
        return self.found > 0 and not self.notes


@frozen
class Session:
    """What is kept from one call to the next."""

    id: str
    query: str
    touched: str
    """When it was last used, as an ISO time in UTC."""
    filters: Filters
    budget: int
    """Expansions allowed."""
    spent: int = 0
    nodes: tuple[Node, ...] = ()
    is_concluded: bool = False
    is_answered: bool = False
    used: tuple[str, ...] = ()
    """Ids of notes."""

    @property
    def left(self) -> int:
        return max(0, self.budget - self.spent)

    @property
    def visited(self) -> dict[str, Visit]:
        """All notes found so far, by id."""
        return {visit.id: visit for node in self.nodes for visit in node.notes}

    def node(self, id: str) -> Node | None:
        return next((node for node in self.nodes if node.id == id), None)


@frozen
class Seen:
    """A visited note as it is now."""

    id: str
    path: str
    title: str
    aliases: tuple[str, ...]
    score: float
    warmth: float
    source: str
    description: str
    """What it says of itself, or the part that fits the question."""


@frozen
class Option:
    """What could be done next."""

    option: str
    """`ask`, `branch` or `neighbors`."""
    direction: str
    """What to give to it."""
    reason: str


@frozen
class Navigated:
    """Where a session stands after a step."""

    session: Session
    seen: dict[str, Seen]
    """Visited notes that may be seen, by id."""
    labels: dict[str, str]
    """What each node is about, by its id."""
    new: tuple[str, ...] = ()
    """Ids of notes that this step found."""
    is_budget_exhausted: bool = False
    """Nothing was expanded: the budget is spent."""
    frontier: tuple[Option, ...] = ()
    notices: tuple[str, ...] = ()
