"""Every error that crosses a module border, grouped by what the caller does about it.

AriesError
  UserError            the person can mend it: one line, exit 2
    ConfigError          a settings file or value
    UnknownName          a model, provider, tool, session ... that does not exist
    MissingKey           a provider's key is not set
    BadArguments         a tool was called with arguments that do not fit its schema
    Refused              the policy said no
    ToolFailed           a tool could not do it; the model reads the reason
      NotSetUp             the settings lack what the tool needs
  RetriableError       ask again, after `.after` seconds where that is known
    RateLimited
    Overloaded
    NetworkDown
    StreamCut            the answer stopped before its end
    EmptyAnswer          the answer ended without text and without a call
  FatalError           the session stops, its state is saved
    AuthRefused
    QuotaExhausted       no money or no quota left; waiting does not help
    ContextOverflow
    RequestRefused       the server will not take this request, however often it is sent
    StoreCorrupt
  PluginError          a plugin misbehaved; the host goes on
TurnSignal (BaseException)   not errors: the turn ends here, for a reason
  Submitted            the model answered
  Interrupted          the person stopped it
  LimitReached         a budget, a repeated call, no progress
"""

from __future__ import annotations

from collections.abc import Iterable

from aries_kernel.model.outcome import OutcomeStatus

__all__ = [
    "AriesError",
    "AuthRefused",
    "BadArguments",
    "ConfigError",
    "ContextOverflow",
    "EmptyAnswer",
    "FatalError",
    "Interrupted",
    "LimitReached",
    "MissingKey",
    "NetworkDown",
    "NotSetUp",
    "Overloaded",
    "PluginError",
    "QuotaExhausted",
    "RateLimited",
    "Refused",
    "RequestRefused",
    "RetriableError",
    "StoreCorrupt",
    "StreamCut",
    "Stuck",
    "Submitted",
    "ToolFailed",
    "TurnSignal",
    "UnknownName",
    "UserError",
]


class AriesError(Exception):
    """Root of all errors of this project."""


class UserError(AriesError):
    """Something the person can mend; shown as one line, exit code 2."""


class ConfigError(UserError):
    """One or more settings are wrong; `problems` holds every one, each with file, line and key."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class UnknownName(UserError):
    """A name that nothing answers to; the message lists what is known, or only what is near where that is `known`."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, are_all: bool = True) -> None:
        self.kind, self.name, self.known = kind, name, tuple(sorted(known))
        import difflib

        close = difflib.get_close_matches(name, self.known, n=1, cutoff=0.6)
        hint = f" Did you mean '{close[0]}'?" if close else ""
        listed = f" {'Known' if are_all else 'Near it'}: {', '.join(self.known) if self.known else 'none'}."
        is_told = not are_all and len(self.known) <= len(close)
        super().__init__(f"There is no {kind} '{name}'.{hint}{'' if is_told else listed}")


class MissingKey(UserError):
    """A provider has no key; the message names the variable to set."""


class BadArguments(UserError):
    """Arguments that do not fit a tool's schema; says all fields at once."""


class Refused(UserError):
    """The policy does not allow it; the message says which rule and what would allow it."""


class ToolFailed(UserError):
    """A tool could not do what was asked; its message goes to the model."""


class NotSetUp(ToolFailed):
    """The settings lack what a tool needs, so it is not shown; the message says what to set.

    `is_mistake`: they say something that cannot be meant, which the person is told before anybody asks for the tool.
    """

    def __init__(self, message: str, *, is_mistake: bool = False) -> None:
        super().__init__(message)
        self.is_mistake = is_mistake


class RetriableError(AriesError):
    """Try again. `after`: seconds the server asked to wait, None where it said nothing."""

    def __init__(self, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after


class RateLimited(RetriableError):
    """Too many requests."""


class Overloaded(RetriableError):
    """The server has no capacity or failed inside (5xx, 529)."""


class NetworkDown(RetriableError):
    """No connection, or it broke or fell silent."""


class StreamCut(RetriableError):
    """The stream ended without a stop reason; nothing of the answer may be used."""


class EmptyAnswer(RetriableError):
    """The answer ended properly but holds neither text nor a call."""


class FatalError(AriesError):
    """The session cannot go on; what happened so far is saved."""


class AuthRefused(FatalError):
    """The key was refused."""


class QuotaExhausted(FatalError):
    """Out of money or of a quota that does not come back soon."""


class ContextOverflow(FatalError):
    """The conversation no longer fits the model's window."""


class RequestRefused(FatalError):
    """The server refuses this request; sending it again changes nothing."""


class StoreCorrupt(FatalError):
    """A file of ours cannot be read; it was left as it is."""


class PluginError(AriesError):
    """A plugin misbehaved. Carries the distribution and the entry point to name in the warning."""

    def __init__(self, message: str, *, distribution: str, entry_point: str) -> None:
        super().__init__(message)
        self.distribution, self.entry_point = distribution, entry_point


class TurnSignal(BaseException):
    """The turn ends here. Not an error: no handler for errors may swallow it."""

    status: OutcomeStatus

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.reason = reason


class Submitted(TurnSignal):
    """The model gave its answer."""

    status = OutcomeStatus.DONE


class Interrupted(TurnSignal):
    """The person stopped the turn."""

    status = OutcomeStatus.INTERRUPTED


class LimitReached(TurnSignal):
    """A budget is used up: turns, calls, tokens, cost or time."""

    status = OutcomeStatus.LIMIT


class Stuck(LimitReached):
    """The turn goes round in circles: the same call again and again, or no progress."""

    status = OutcomeStatus.STUCK
