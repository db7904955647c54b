"""Contracts of retrieval: a signal (`ori.signals`) scores notes, a stage (`ori.stages`) reorders a ranked list."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar, Literal, Protocol

from attrs import field

from aries_kernel.contracts.corpus import Corpus
from aries_kernel.values import frozen

__all__ = [
    "Found",
    "Intent",
    "Period",
    "Question",
    "Scores",
    "Signal",
    "SignalFactory",
    "Skipped",
    "Stage",
    "StageFactory",
]


class Intent(StrEnum):
    """What kind of thing is asked for."""

    EPISODIC = "episodic"
    """What happened, and when."""
    PROCEDURAL = "procedural"
    """How something is done."""
    DECISION = "decision"
    """Why something was chosen."""
    SEMANTIC = "semantic"
    """Everything else."""


@frozen
class Period:
    """A stretch of days that the question speaks of, both ends included."""

    first: datetime.date
    last: datetime.date
    phrase: str
    """The words that say so."""
    is_loose: bool = False
    """They may mean no days at all: "today" and "this year" are also how things are now."""

    def __str__(self) -> str:
        """`2024-05-01..2024-05-31`; an end that the calendar itself has is left out."""
        first = "" if self.first == datetime.date.min else str(self.first)
        last = "" if self.last == datetime.date.max else str(self.last)
        return f"{first}..{last}"


@frozen
class Question:
    """A question, understood."""

    text: str
    words: tuple[str, ...] = ()
    """Its words in their order, in small letters, those that only hold a sentence together left out."""
    phrases: tuple[str, ...] = ()
    """What stands in quotation marks."""
    identifiers: tuple[str, ...] = ()
    """Names as code, versions and codes have them: whoever types one means it."""
    intent: Intent = Intent.SEMANTIC
    intent_confidence: float = 0.5
    period: Period | None = None
    is_english: bool = True
    """It has English function words: stems of words are enough to find its notes."""
    named: Mapping[int, float] = field(factory=dict)
    """Notes whose title or alias stands in it, and how sure that is, from 0 to 1."""
    limit: int = 10
    """Notes that will be shown."""
    newest: str = ""
    """The words that ask for what is newest, which are not among `words`; empty where none do."""


@frozen
class Scores:
    """What a signal found."""

    scores: Mapping[int, float]
    """From 0 to 1, the best having 1 unless even that is doubtful; notes it knows nothing of are left out."""
    confidence: float = 1.0
    """How far to trust it for this question, from 0 to 1."""
    notice: str = ""
    """What the person should know about it: what is not covered yet, or stale."""
    surest: tuple[int, ...] = ()
    """Notes that must come first, in this order, whatever other signals say: what was asked for literally."""
    telling: float | None = None
    """How far the scores themselves say that a note fits, where their order is trusted more; None: as far."""


@frozen
class Skipped:
    """Why a signal or a stage has nothing to say. Not an error: those are raised."""

    reason: str


class Signal(Protocol):
    """One view on which notes answer a question."""

    name: ClassVar[str]
    description: ClassVar[str]
    role: ClassVar[Literal["vote", "ranker"]]
    """Votes are fused. A ranker is given what the votes found and decides the order from there."""

    def score(self, question: Question, corpus: Corpus, found: Mapping[int, float]) -> Scores | Skipped:
        """Notes with scores. `found`: what the votes gave together, the best being 1; empty for a vote.

        Raises: UserError where it cannot work here, with the cure. Anything else is a defect of the plugin.
        """
        ...


class SignalFactory(Protocol):
    """What the entry point names: usually the signal's class."""

    options_type: ClassVar[type[Any]]
    """An attrs class, every field with a default: the keys under `retrieval.options.NAME` of the settings."""

    def __call__(self, options: Any) -> Signal: ...


@frozen
class Found:
    """A note in a ranked list."""

    note: int
    score: float
    mark: str = ""
    """Why it stands there, where that is not its score: `exploration`."""
    why: tuple[str, ...] = ()
    """What stages did to it and for what reason, a line each, for the explanation."""
    proven: float = 0.0
    """How far earlier use shows that it answers this question, from 0 to 1; the confidence of an answer counts it."""


class Stage(Protocol):
    """One change of the order, after the signals and before what must not be seen is taken out."""

    name: ClassVar[str]
    description: ClassVar[str]

    def apply(self, question: Question, ranked: Sequence[Found], corpus: Corpus) -> Sequence[Found] | Skipped:
        """The list in its new order; the same notes unless it adds marked ones. Best first.

        Raises: as `Signal.score`.
        """
        ...


class StageFactory(Protocol):
    """What the entry point names: usually the stage's class."""

    options_type: ClassVar[type[Any]]

    def __call__(self, options: Any) -> Stage: ...
