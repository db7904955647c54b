"""The standard streams, whatever state the caller left them in."""

from __future__ import annotations

import io
import os
import sys

__all__ = ["abandon_output", "mend_streams"]


def mend_streams() -> None:
    """Open what is closed, and let no character end the program.

    A closed descriptor would be given to the next file that is opened, such as the session log; a strict stream raises
    at the first character that its encoding lacks, or at a byte that is no text.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(descriptor, mode, encoding="utf-8", closefd=False))  # noqa: SIM115  (it stays open)
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if name == "stdin" else "backslashreplace")


def abandon_output() -> None:
    """Send what is still in the buffer of standard output nowhere, so that the end of the program does not fail too."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
