"""What ends a turn that would not end by itself: budgets, the same call again and again, no progress."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from attrs import define, field

from aries_kernel.errors import LimitReached, Stuck
from aries_kernel.model.messages import AssistantMessage, ToolCall, ToolResult
from aries_kernel.model.usage import Usage
from aries_kernel.settings.schema import Budget

__all__ = ["Meter", "Progress", "signature"]

SAME_CALLS = 3
"""An answer that asks for the same calls this many times in a row ends the turn."""
STALE_ANSWERS = 6
"""So many answers in a row whose calls brought nothing that was not seen before in this turn end it."""


@define
class Meter:
    """Counts what a turn uses."""

    budget: Budget
    clock: Callable[[], float]
    """Seconds, monotonic."""
    answers: int = 0
    calls: int = 0
    usage: Usage = field(factory=Usage)
    _known_cost: float = 0.0
    _is_cost_known: bool = True
    _start: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._start = self.clock()

    def spend(self, usage: Usage, cost: float | None) -> None:
        """Count the tokens of one attempt, and its US dollars; None where the price is not known."""
        self.usage = self.usage + usage
        self._known_cost += cost or 0.0
        self._is_cost_known = self._is_cost_known and cost is not None

    @property
    def cost(self) -> float | None:
        """US dollars so far, None where the price of something is not known."""
        return self._known_cost if self._is_cost_known else None

    @property
    def seconds(self) -> float:
        """Since the turn began."""
        return self.clock() - self._start

    @property
    def seconds_left(self) -> float | None:
        """Until the time limit; None where there is none."""
        return None if self.budget.max_seconds is None else max(self.budget.max_seconds - self.seconds, 0.0)

    def check(self) -> None:
        """Called before each request of the conversation.

        Raises: LimitReached.
        """
        _require(
            ("max_turns", self.answers, self.budget.max_turns, "answers"),
            ("max_calls", self.calls, self.budget.max_calls, "calls of tools"),
        )
        self.check_spending()

    def check_spending(self) -> None:
        """Called before each request whatsoever.

        Raises: LimitReached.
        """
        _require(
            ("max_tokens", self.usage.total, self.budget.max_tokens, "tokens"),
            ("max_cost", self._known_cost, self.budget.max_cost, "US dollars"),
            ("max_seconds", self.seconds, self.budget.max_seconds, "seconds"),
        )


def _require(*limits: tuple[str, float, float | None, str]) -> None:
    for key, used, limit, unit in limits:
        if limit is not None and used >= limit:
            raise LimitReached(f"The limit of {limit:g} {unit} is used up (budget.{key}).")


def signature(call: ToolCall) -> str:
    """Equal for calls that ask for the same, however their JSON is spaced or ordered."""
    try:
        arguments = json.dumps(json.loads(call.arguments or "{}"), sort_keys=True)
    except ValueError:
        arguments = call.arguments
    return f"{call.name} {arguments}"


@define
class Progress:
    """Notices a turn that goes round in circles."""

    _last: tuple[str, ...] = ()
    _repeats: int = 0
    _seen: set[tuple[str, str]] = field(factory=set)
    _stale: int = 0

    def before(self, answer: AssistantMessage) -> None:
        """Called before the calls of an answer run.

        Raises: Stuck where the same calls were asked for too often.
        """
        asked = tuple(sorted(map(signature, answer.calls)))
        self._repeats = self._repeats + 1 if asked == self._last else 1
        self._last = asked
        if self._repeats >= SAME_CALLS:
            raise Stuck(f"The model asked for the same call {SAME_CALLS} times in a row: {_short(asked[0])}.")

    def after(self, calls: Sequence[ToolCall], results: Sequence[ToolResult]) -> None:
        """Called with the results of an answer's calls.

        Raises: Stuck where nothing new was learnt for too long.
        """
        pairs = {(signature(call), result.text) for call, result in zip(calls, results, strict=True)}
        self._stale = 0 if pairs - self._seen else self._stale + 1
        self._seen |= pairs
        if self._stale >= STALE_ANSWERS:
            raise Stuck(f"No progress: the last {STALE_ANSWERS} answers only repeated calls whose results were known.")

    def forget(self) -> None:
        """Start counting anew: the person spoke, or said to go on."""
        self._last, self._repeats, self._stale = (), 0, 0


def _short(text: str) -> str:
    return text if len(text) <= 120 else text[:119] + "…"
