"""What a call would touch, in terms the policy understands."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

__all__ = ["Effect", "ReachNetwork", "ReadPath", "RunCommand", "WritePath"]


@frozen
class ReadPath:
    """A file or a tree is read. `path` may be relative to the workspace; links in it are followed by the policy."""

    path: Path


@frozen
class WritePath:
    """A file is made, changed or removed."""

    path: Path


@frozen
class RunCommand:
    """One simple command, as the operating system would see it, out of a script.

    `words` are the words after quoting is undone; the first is the program, without wrappers such as `env` or `nice`.
    `doubt` is None when the words are all there is to it. Otherwise it says why they may not be: a word that is
    computed at run time, an unknown wrapper, a flag or variable that makes the program run something else.
    No prefix rule allows a command in doubt.
    """

    words: tuple[str, ...]
    text: str
    doubt: str | None = None
    through: tuple[str, ...] = ()
    """Wrappers left out of `words` because they add no power (`nice`, `timeout`); deny and ask rules see them too."""


@frozen
class ReachNetwork:
    """A request to another machine."""

    url: str


Effect = ReadPath | WritePath | RunCommand | ReachNetwork
