"""A session as readable text, printed while it happens."""

from __future__ import annotations

import json
from typing import TextIO

from attrs import define, field

from aries_kernel.model.events import (
    AnswerCompleted,
    AnswerDiscarded,
    CallFinished,
    CallStarted,
    CodeSaid,
    Notice,
    SessionOpened,
    TurnEvent,
    UserSpoke,
)
from aries_kernel.model.messages import ResultStatus
from aries_kernel.model.stream import TextPiece
from aries_kernel.tools.output import escape_controls

__all__ = ["Transcript"]

_RESULT_LINES = 6


@define
class Transcript:
    """Prints events to `out`; `shows_user`: the person's own messages too."""

    out: TextIO
    shows_user: bool = True
    _is_inside_line: bool = False
    _has_begun: bool = False
    """Whether text of an answer that may still be discarded was shown."""
    _running: set[str] = field(factory=set)
    _is_crowded: bool = False
    """Whether several calls run side by side, so that a result must say whose it is."""

    def __call__(self, event: TurnEvent) -> None:
        match event:
            case SessionOpened():
                verb = "resumed" if event.resumed else "opened"
                self.line(f"session {event.session} {verb}: {event.model} in {event.cwd}")
            case UserSpoke() if self.shows_user:
                self.line(f"\n> {event.message.text}")
            case TextPiece():
                self._has_begun = True
                self._write(escape_controls(event.text))
            case AnswerDiscarded():
                self._discarded(event)
            case AnswerCompleted():
                self._has_begun = False
                self._end_line()
            case CallStarted():
                self._running.add(event.call.id)
                self._is_crowded = len(self._running) > 1
                self.line(f"* {event.call.name} {_arguments(event.call.arguments)}")
            case CallFinished():
                self._result(event)
            case CodeSaid():
                self.line(f"~ {event.text}".replace("\n", "\n  "))
            case Notice():
                self.line(f"! {event.text}")

    def _discarded(self, event: AnswerDiscarded) -> None:
        what = "the answer above does not count" if self._has_begun else "no answer"
        if event.wait:
            self.line(f"[{what}: {event.reason}; next try in {event.wait:.1f} s]")
        elif self._has_begun:
            self.line("[the answer above does not count]")  # The end of the turn gives the reason.
        self._has_begun = False

    def _result(self, event: CallFinished) -> None:
        result = event.result
        lines = result.text.rstrip("\n").split("\n")
        more = len(lines) - _RESULT_LINES
        self._running.discard(result.call_id)
        if self._is_crowded or result.status is not ResultStatus.OK:
            self.line(f"  {result.name}: {result.status.value}")
        for line in lines[:_RESULT_LINES]:
            self.line(f"  | {line[:160]}")
        if more > 0:
            self.line(f"  | ... {more} more lines")

    def line(self, text: str) -> None:
        """Print `text` on a line of its own."""
        self._end_line()
        self.out.write(escape_controls(text) + "\n")
        self.out.flush()

    def _write(self, text: str) -> None:
        self.out.write(text)
        self.out.flush()
        self._is_inside_line = bool(text) and not text.endswith("\n")

    def _end_line(self) -> None:
        if self._is_inside_line:
            self.out.write("\n")
            self._is_inside_line = False


def _arguments(raw: str) -> str:
    try:
        data = json.loads(raw or "{}")
    except ValueError:
        return raw[:120]
    if not isinstance(data, dict):
        return raw[:120]
    return " ".join(f"{key}={_short(value)}" for key, value in data.items())


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = text.replace("\n", "\\n")
    return text if len(text) <= 80 else text[:79] + "..."
