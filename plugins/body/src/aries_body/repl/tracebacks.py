"""Errors of user code as user code sees them: its own lines, and a note on what it took for something else."""

from __future__ import annotations

import ast
import linecache
import traceback
from collections.abc import Callable
from types import TracebackType

from aries_body.repl.display import cut

__all__ = ["CELL", "describe", "describe_syntax", "forget_source", "remember_source"]

CELL = "<repl {}>"
"""The file name of an execution."""
_ROOM = 6_000
_CHAIN = 3
_SHAPE_ERRORS = (KeyError, AttributeError, TypeError, IndexError, ValueError)


def remember_source(name: str, code: str) -> None:
    """Let tracebacks and `inspect` find the lines of an execution."""
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)


def forget_source(name: str) -> None:
    """Drop the lines of an execution that is long past."""
    linecache.cache.pop(name, None)


def describe(error: BaseException, note: Callable[[str], str | None]) -> str:
    """The traceback, cut to the user's frames and the innermost one.

    `note(names)` may add a line: it is given the failing line of user code where the error is of a wrong shape.
    """
    try:
        described = traceback.TracebackException.from_exception(error, compact=True, max_group_width=5)
        _trim(described, _CHAIN)
        text = cut("".join(described.format()).rstrip(), _ROOM)
    except Exception as failure:  # `str` of an exception is user code too
        text = f"{type(error).__name__} (its text failed: {type(failure).__name__})"
    if isinstance(error, _SHAPE_ERRORS):
        line = _last_user_line(error.__traceback__)
        said = note(line) if line else None
        if said:
            text += f"\nNote: {said}"
    return text


def describe_syntax(error: SyntaxError, code: str) -> str:
    """A syntax error with its line; says so where the code is another language."""
    text = "".join(traceback.format_exception_only(type(error), error)).rstrip()
    return f"{text}\nNote: this REPL takes Python." if _looks_foreign(code) else text


def _is_user(name: str) -> bool:
    return name.startswith(("<repl ", "<restored"))


def _trim(described: traceback.TracebackException, depth: int) -> None:
    frames = list(described.stack)
    kept = [frame for frame in frames if _is_user(frame.filename)]
    if frames and not _is_user(frames[-1].filename) and "aries_body" not in frames[-1].filename:
        kept.append(frames[-1])
    described.stack = traceback.StackSummary.from_list(kept)
    for name in ("__cause__", "__context__"):
        below = getattr(described, name)
        if below is not None and depth:
            _trim(below, depth - 1)
        elif below is not None:
            setattr(described, name, None)


def _last_user_line(trace: TracebackType | None) -> str:
    found = ""
    for frame, number in traceback.walk_tb(trace):
        if _is_user(frame.f_code.co_filename):
            found = linecache.getline(frame.f_code.co_filename, number)
    return found


def _looks_foreign(code: str) -> bool:
    """Whether Python cannot read it and it has the marks of JavaScript or a shell, outside strings."""
    words = code.split()
    marks = ("const", "let", "=>", "===", "function", "&&", "||", "sudo", "echo", "cd", "grep", "ls", "cat")
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        return bool(words) and any(word in marks for word in (*words[:1], *(w for w in words if not w.isalnum())))
    return False
