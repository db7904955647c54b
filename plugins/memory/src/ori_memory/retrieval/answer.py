"""What a ranked question gives: notes, and what was done to find them."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from enum import StrEnum

from attrs import field

from aries_kernel.values import frozen

__all__ = ["Answer", "Asked", "Hit", "PartReport", "PartState", "Verdict"]


@frozen
class Asked:
    """A question as it was put, with how it is to be answered."""

    text: str
    limit: int = 10
    as_of: datetime.date | None = None
    """Answer as on that day: what was not there yet, or no longer valid, is left out. None: today."""
    include_archived: bool = False
    """Notes that were archived, superseded or released may be found too."""
    projects: tuple[str, ...] = ()
    """Only notes of one of these projects; empty: all."""
    folder: str = ""
    """Only notes below this folder; empty: all."""
    is_fast: bool = False
    """Only what needs no model and no numeric library."""
    budget: int | None = None
    """Tokens that the answer may take; the last notes are left out and snippets shortened to keep to it."""
    only: tuple[str, ...] | None = None
    """Run these signals only, whatever the settings say; None: those of the settings."""
    without: tuple[str, ...] = ()
    """Signals and stages to leave out."""
    explores: bool = True
    """Whether a stage may add notes that nobody asked for; such notes are marked."""


class Verdict(StrEnum):
    """How good the answer is."""

    RELEVANT = "relevant"
    UNSURE = "unsure"
    NOTHING = "nothing relevant"


class PartState(StrEnum):
    RAN = "ran"
    SKIPPED = "skipped"
    """It has nothing to say to this question, or was left out; the reason says why."""
    FAILED = "failed"
    """A defect or a missing piece; the others went on."""


@frozen
class PartReport:
    """What became of a signal or a stage."""

    name: str
    state: PartState
    reason: str = ""
    """Why it was skipped, failed, or is only partly there."""
    found: int = 0
    """Notes it scored, or for a stage: places that changed."""
    milliseconds: float = 0.0


@frozen
class Hit:
    """A note of an answer."""

    path: str
    id: str
    title: str
    score: float
    """Of this answer's scale: the first is at most 1; comparable within one answer only."""
    snippet: str = ""
    """The part of its text that fits the question best, on one line."""
    line: int = 0
    """Where the snippet begins, 1-based, in the note's file; 0 where there is none."""
    signals: Mapping[str, float] = field(factory=dict)
    """What each signal said, from 0 to 1; one that did not find the note is left out."""
    mark: str = ""
    """Why it stands here where its score is not the reason: `exploration`, `learned`."""
    why: tuple[str, ...] = ()
    """What stages did to its place, a line each."""
    status: str = ""
    created: datetime.date | None = None


@frozen
class Answer:
    """Notes, best first, and what was done."""

    question: str
    intent: str
    hits: tuple[Hit, ...]
    confidence: float
    """Chance, from 0 to 1, that the first note is of use, as measured on labelled questions."""
    verdict: Verdict
    signals: tuple[PartReport, ...] = ()
    stages: tuple[PartReport, ...] = ()
    notices: tuple[str, ...] = ()
    """What the person should know: what is not covered yet, what is stale, what failed."""
    reading: str = ""
    """That of the notices which tells which words were read as others; empty where all were taken as typed."""
    period: str = ""
    """The stretch of days that the question speaks of, as `first..last`."""
    note_count: int = 0
    """Notes of the vault."""
    left_out: int = 0
    """Notes that were found and do not fit into the budget."""
    milliseconds: float = 0.0
