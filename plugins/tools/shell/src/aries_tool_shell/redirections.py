"""What a redirection reads or writes."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

from aries_tool_shell.words import Word

__all__ = ["Target", "target_of"]

_NO_FILES = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero"})
_DEVICE = re.compile(r"/dev/fd/\d+")


@frozen
class Target:
    """The word behind the sign; by default nothing that a policy has to know of."""

    is_read: bool = False
    is_written: bool = False
    is_computed: bool = False
    """Which file is known only when the script runs."""
    doubt: str | None = None
    """Why the script as a whole is in doubt."""


def target_of(sign: str, word: Word, folder: Path | None) -> Target:
    """What `sign` does with `word` where the script stands in `folder`; None: that is not known."""
    if sign in (">&", "<&") and re.fullmatch(r"\d*-?", word.text):
        return Target()
    if word.text.startswith(("<(", ">(")) or word.text in _NO_FILES or _DEVICE.fullmatch(word.text):
        return Target()
    doubt = "a redirection opens a connection" if word.text.startswith(("/dev/tcp/", "/dev/udp/")) else None
    if word.is_computed:
        return Target(is_computed=True, doubt=doubt or f"the file {word.text} of a redirection is computed")
    if folder is None and not word.text.startswith(("/", "~")):
        doubt = doubt or f"the folder of {word.text} is not known"
    return Target(
        is_read=not sign.startswith(">") and sign not in ("&>", "&>>"),
        is_written=sign not in ("<", "<&"),
        doubt=doubt,
    )
