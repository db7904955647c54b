"""What went wrong with plugins: each is named once, then left alone for the session."""

from __future__ import annotations

from pathlib import Path

from attrs import field

from aries_kernel.discovery.entry import Entry
from aries_kernel.values import frozen

__all__ = ["Problem", "Report", "described_error"]

_LONGEST = 500


def _printable(text: str) -> str:
    """A path may hold bytes that are no text; no terminal, log or JSON document takes them as they are."""
    return text.encode("utf-8", errors="backslashreplace").decode("utf-8")


@frozen
class Problem:
    """What is wrong with one plugin. `entry_point` and `group` are empty where the whole distribution is meant."""

    distribution: str
    version: str
    entry_point: str
    group: str
    message: str = field(converter=_printable)

    def __str__(self) -> str:
        """One line for a warning."""
        place = f" ({self.group}/{self.entry_point})" if self.entry_point else ""
        return f"Plugin {self.distribution} {self.version}".rstrip() + f"{place}: {self.message}"


class Report:
    """The problems of a session, one a plugin."""

    def __init__(self) -> None:
        self._problems: dict[tuple[str, str, str], Problem] = {}
        self._untold: list[Problem] = []

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All of them, in the order they turned up."""
        return tuple(self._problems.values())

    def add(self, problem: Problem) -> None:
        """Keep a problem; only the first of a plugin is kept."""
        key = (problem.group, problem.entry_point, problem.distribution)
        if key not in self._problems:
            self._problems[key] = problem
            self._untold.append(problem)

    def blame(self, entry: Entry, message: str) -> None:
        """Keep what is wrong with `entry`."""
        self.add(Problem(entry.distribution, entry.version, entry.name, entry.group, message))

    def about(self, entry: Entry) -> Problem | None:
        """What is wrong with `entry`; None where nothing is known."""
        return self._problems.get((entry.group, entry.name, entry.distribution))

    def take_untold(self) -> tuple[Problem, ...]:
        """Problems nobody was told of yet; each is given once, so that each is one warning."""
        taken = tuple(self._untold)
        self._untold.clear()
        return taken


def described_error(error: BaseException) -> str:
    """An exception in one line, with the file and line it came from."""
    try:
        text = _printable(" ".join(str(error).split()))
    except Exception as broken:
        text = f"(its message cannot be shown: {type(broken).__name__})"
    kind = type(error).__name__
    return f"{kind}: {text[:_LONGEST]}{_place(error)}" if text else f"{kind}{_place(error)}"


def _place(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return ""  # Its text names the file and the line already.
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f" ({Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno})"
