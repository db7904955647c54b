"""Undoing what calls wrote: files as they were before, kept for as long as the session is open."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from attrs import define, field, frozen

from aries_kernel.atomic import replace_bytes
from aries_kernel.broker.effects import Effect, RunCommand, WritePath
from aries_kernel.broker.workspace import Workspace

__all__ = ["Undo", "Undone"]

_LARGEST = 8 * 1024 * 1024
"""Bytes of a file that is kept."""
_MOST_KEPT = 64 * 1024 * 1024
"""Bytes of all files together; the oldest turns go first."""


@frozen
class _State:
    """A file at one moment."""

    data: bytes | None = None
    """None: it was not there."""
    mode: int | None = None
    why_not: str = ""
    """Why it cannot be kept; empty: it can."""


@define
class _File:
    """What a turn did to a file."""

    before: _State
    after: _State


@define
class _Turn:
    files: dict[Path, _File] = field(factory=dict)
    has_commands: bool = False

    @property
    def size(self) -> int:
        return sum(len(state.data or b"") for one in self.files.values() for state in (one.before, one.after))


@frozen
class Undone:
    """What came of undoing a turn."""

    restored: tuple[Path, ...] = ()
    left: tuple[tuple[Path, str], ...] = ()
    """Files that were left as they are, each with the reason."""
    has_commands: bool = False
    """The turn ran commands; what those changed stays."""


@define
class Undo:
    """Watches calls, those of the model and those that code makes, and takes a turn's writes back."""

    workspace: Workspace
    _turns: list[_Turn] = field(factory=list)

    def begin_turn(self) -> None:
        """What is written from here on is undone together."""
        self._turns.append(_Turn())

    @contextmanager
    def watching(self, effects: Sequence[Effect]) -> Iterator[None]:
        """Around a call that may run; only what it names beforehand is kept."""
        turn = self._turns[-1] if self._turns else _Turn()
        turn.has_commands |= any(isinstance(effect, RunCommand) for effect in effects)
        written = (effect.path for effect in effects if isinstance(effect, WritePath))
        paths = dict.fromkeys(self.workspace.locate(path).real for path in written)
        before = {path: _state(path) for path in paths}
        try:
            yield
        finally:
            for path, old in before.items():
                new = _state(path)
                if path in turn.files:
                    turn.files[path].after = new
                elif new != old:
                    turn.files[path] = _File(old, new)
            self._forget_the_oldest()

    def undo(self) -> Undone | None:
        """Take back the newest turn that wrote something; None where there is none.

        A file that somebody changed since is left as it is.
        """
        while self._turns and not self._turns[-1].files:
            self._turns.pop()
        if not self._turns:
            return None
        turn = self._turns.pop()
        restored, left = [], []
        for path, one in reversed(turn.files.items()):
            reason = _restore(path, one)
            if reason:
                left.append((path, reason))
            else:
                restored.append(path)
        return Undone(tuple(restored), tuple(left), turn.has_commands)

    def _forget_the_oldest(self) -> None:
        while len(self._turns) > 1 and sum(turn.size for turn in self._turns) > _MOST_KEPT:
            self._turns.pop(0)


def _state(path: Path) -> _State:
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            return _State(why_not="it is no regular file")
        if found.st_size > _LARGEST:
            return _State(b"%d %d" % (found.st_size, found.st_mtime_ns), why_not="it is too large to be kept")
        return _State(path.read_bytes(), stat.S_IMODE(found.st_mode))
    except (FileNotFoundError, NotADirectoryError):
        return _State()
    except OSError as error:
        return _State(why_not=f"it could not be read: {error.strerror}")


def _restore(path: Path, one: _File) -> str:
    """Why it is left as it is; empty where it is as it was."""
    if one.before.why_not or one.after.why_not:
        return one.before.why_not or one.after.why_not
    if _state(path) != one.after:
        return "it was changed since"
    try:
        if one.before.data is None:
            path.unlink(missing_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_bytes(path, one.before.data, mode=one.before.mode)
    except OSError as error:
        return f"it could not be written: {error.strerror}"
    return ""
