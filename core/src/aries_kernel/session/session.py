"""A session: the history as it is sent, and the log that proves it."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from aries_kernel.errors import StoreCorrupt
from aries_kernel.model.messages import (
    AssistantMessage,
    Message,
    ResultsMessage,
    ResultStatus,
    ToolCall,
    ToolResult,
    UserMessage,
)
from aries_kernel.model.session import Outcome
from aries_kernel.session import entries
from aries_kernel.session.log import LogLine, SessionLog

__all__ = ["History", "Session"]

INTERRUPTED_TEXT = "Interrupted while it ran. It may have had effects; check before you repeat it."
NOT_RUN_TEXT = "Not run: the turn was interrupted before this call started."


@define
class History:
    """What the lines of a log add up to."""

    opened: entries.Opened | None = None
    prefix: entries.PrefixSet | None = None
    messages: list[Message] = field(factory=list)
    model: str = ""
    effort: str | None = None
    """What the person chose in the session; None where that was nothing."""
    outcomes: list[Outcome] = field(factory=list)
    call_count: int = 0
    problems: list[str] = field(factory=list)
    _open: dict[str, ToolCall] = field(factory=dict)
    _begun: set[str] = field(factory=set)
    _results: dict[str, ToolResult] = field(factory=dict)

    @classmethod
    def of(cls, lines: Iterable[LogLine]) -> History:
        """Fold the lines of a log.

        Raises: StoreCorrupt where it is not a session log or of a newer format.
        """
        history = cls()
        for line in lines:
            if line.entry is None:
                history.problems.append(f"line {line.number} {line.problem}")
            else:
                history.add(line.entry)
        if history.opened is None:
            raise StoreCorrupt("It holds no session: the line that opens it is missing or broken.")
        if history.opened.format > entries.FORMAT:
            raise StoreCorrupt(f"It was written by a newer version, aries {history.opened.version}.")
        return history

    def add(self, entry: entries.Entry) -> None:
        """Take one more entry into account."""
        match entry:
            case entries.Opened():
                self.opened, self.model = self.opened or entry, entry.model
            case entries.Resumed():
                self.model = entry.model
            case entries.ModelSwitched():
                self.model, self.effort = entry.model, entry.effort
            case entries.PrefixSet():
                self.prefix = entry
            case entries.UserSaid():
                self.messages.append(entry.message)
            case entries.Answered():
                self.messages.append(entry.message)
                self._open = {call.id: call for call in entry.message.calls}
                self.call_count += len(entry.message.calls)
            case entries.CallBegan():
                self._begun.add(entry.call_id)
            case entries.CallEnded():
                self._end_call(entry.result)
            case entries.Compacted():
                self.messages = list(entry.messages)
            case entries.TurnEnded():
                self.outcomes.append(entry.outcome)

    def _end_call(self, result: ToolResult) -> None:
        if result.call_id not in self._open:
            self.problems.append(f"a result without a call: {result.call_id}")
            return
        self._results.setdefault(result.call_id, result)
        if len(self._results) == len(self._open):
            self.messages.append(ResultsMessage(tuple(self._results[id] for id in self._open)))
            self._open, self._results = {}, {}

    @property
    def unanswered(self) -> tuple[ToolCall, ...]:
        """Calls of the newest answer that have no result."""
        return tuple(call for id, call in self._open.items() if id not in self._results)

    def repairs(self) -> tuple[ToolResult, ...]:
        """Results for the calls that were cut short, so that every call has one."""
        return tuple(
            ToolResult(call.id, call.name, ResultStatus.INTERRUPTED, INTERRUPTED_TEXT)
            if call.id in self._begun
            else ToolResult(call.id, call.name, ResultStatus.NOT_RUN, NOT_RUN_TEXT)
            for call in self.unanswered
        )


@define
class Session:
    """A session that this process owns. Everything is in the log before it is in the history."""

    log: SessionLog
    history: History

    @property
    def id(self) -> str:
        """The name of the log without its suffix."""
        return self.log.path.stem

    @property
    def root(self) -> str:
        """The session that this one goes back to through its forks: their requests begin alike."""
        opened = self.history.opened
        return (opened.root if opened else None) or self.id

    @property
    def messages(self) -> tuple[Message, ...]:
        """The history, as the next request sends it."""
        return tuple(self.history.messages)

    def record(self, entry: entries.Entry) -> None:
        """Write `entry`, then count it.

        Raises: FatalError where it cannot be written.
        """
        self.log.append(entry)
        self.history.add(entry)

    def say(self, message: UserMessage) -> None:
        """Add a message of the person, or of the loop."""
        self.record(entries.UserSaid(message))

    def answer(self, message: AssistantMessage) -> None:
        """Add a whole answer."""
        self.record(entries.Answered(message))

    def begin_call(self, call: ToolCall) -> None:
        """Note, before it starts, that a call may have effects from here on."""
        self.record(entries.CallBegan(call.id))

    def end_call(self, result: ToolResult) -> None:
        """Give a call its result; the last one of an answer completes the message."""
        self.record(entries.CallEnded(result))

    def next_call_id(self, position: int) -> str:
        """The id of the call that stands at `position` of an answer still arriving."""
        return f"call_{self.history.call_count + position + 1}"

    def heal(self) -> tuple[ToolResult, ...]:
        """Give every call without a result one, in the log too; returns the results that were missing."""
        repairs = self.history.repairs()
        for result in repairs:
            self.end_call(result)
        return repairs

    def end_turn(self, outcome: Outcome) -> None:
        """Close the turn; the disk has it when this returns."""
        self.record(entries.TurnEnded(outcome))
        self.log.sync()
