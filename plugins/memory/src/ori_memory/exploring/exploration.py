"""What an exploration is asked, and what it gives."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from enum import StrEnum

from attrs import field, frozen

from ori_memory.retrieval.answer import Asked, Verdict

__all__ = ["Decompose", "Discovery", "Exploration", "Exploring", "Origin", "Pass", "Preview", "SubQuestion", "Trail"]

Decompose = Callable[[str, Sequence[str]], Sequence[str]]
"""A question and the titles found so far give at most three questions that are left; a model may stand behind it."""


@frozen
class Exploring:
    """A question to explore, with how far and among which notes."""

    text: str
    limit: int = 15
    depth: int = 2
    """Links followed from what was found, and rounds of questions about it: 1 to 3."""
    is_recursive: bool = True
    """Whether the question is taken apart and its parts are asked too."""
    include_content: bool = False
    """Give the whole text of each note."""
    as_of: datetime.date | None = None
    """This and the following as in `Asked`."""
    include_archived: bool = False
    projects: tuple[str, ...] = ()
    folder: str = ""
    is_fast: bool = False
    budget: int | None = None
    only: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()

    def asked(self, text: str, limit: int) -> Asked:
        """One question of this exploration: the same filters, nothing shown that nobody asked for."""
        return Asked(
            text,
            limit=limit,
            as_of=self.as_of,
            include_archived=self.include_archived,
            projects=self.projects,
            folder=self.folder,
            is_fast=self.is_fast,
            only=self.only,
            without=self.without,
            explores=False,
        )


class Origin(StrEnum):
    """How a note was found first."""

    FLAT = "flat"
    GRAPH = "graph"
    QUESTION = "question"
    """By a sub-question."""


@frozen
class Preview:
    """A note in a few lines."""

    description: str
    text: str
    """The part that fits the question best, on one line."""
    line: int
    """Where that begins, 1-based, in the note's file; 0 where there is none."""
    type: str
    links: tuple[str, ...]
    """Titles of notes that it links to."""


@frozen
class Discovery:
    """A note that the exploration found."""

    path: str
    id: str
    title: str
    score: float
    origin: Origin
    found_by: str = ""
    """The sub-question, or the title of the note whose links led to it; empty in the flat pass."""
    preview: Preview = field(factory=lambda: Preview("", "", 0, "", ()))
    content: str = ""


@frozen
class Trail:
    """How links lead from a note of the flat pass to a discovery; titles."""

    start: str
    end: str
    via: tuple[str, ...] = ()


@frozen
class SubQuestion:
    """A part of the question, asked by itself."""

    text: str
    reason: str
    depth: int
    found: int = 0
    new: int = 0
    dead_end: str = ""
    """Why it led nowhere; empty where it led on."""


@frozen
class Pass:
    """One round: `flat`, `graph` or `questions`."""

    kind: str
    depth: int
    found: int
    new: int
    milliseconds: float = 0.0


@frozen
class Exploration:
    """Notes, best first, and how they were come by."""

    question: str
    intent: str
    discoveries: tuple[Discovery, ...]
    confidence: float
    """Of the flat pass: chance that the first note is of use."""
    verdict: Verdict
    trails: tuple[Trail, ...] = ()
    passes: tuple[Pass, ...] = ()
    sub_questions: tuple[SubQuestion, ...] = ()
    stopped: str = ""
    """Why no further round was made."""
    is_converged: bool = False
    """Whether it stopped because there was nothing more to be found, not because it may not go deeper."""
    seeds: int = 0
    """Notes from which links were followed."""
    candidates: int = 0
    """Notes that were scored."""
    notices: tuple[str, ...] = ()
    left_out: int = 0
    """Discoveries that do not fit into the budget."""
    milliseconds: float = 0.0

    @property
    def dead_ends(self) -> tuple[SubQuestion, ...]:
        """Sub-questions that found nothing new, or nothing relevant."""
        return tuple(one for one in self.sub_questions if one.dead_end)
