"""How much of a tool's output the model reads, and in which characters."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aries_kernel.settings.schema import OutputLimits

__all__ = ["clean_output", "escape_controls", "fit_output", "fit_stream"]

_TERMINAL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)"  # OSC and other strings: titles, links
    r"|\x1b[ -/]*[0-~]"  # two-character sequences
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_NOTICE_ROOM = 200
"""Bytes kept free for the line that says what was left out, beside the file's name."""


def escape_controls(text: str) -> str:
    """Characters that a reader does not see, or that turn text around, as `\\x1b`; newline and tab stay.

    Lone surrogates, which no request can carry, become the byte they stand for.
    """
    return _UNSEEN.sub(_escape, text)


def clean_output(text: str) -> str:
    """What a program wrote for a terminal, as plain lines: no escape sequences, one kind of line end."""
    text = _TERMINAL.sub("", text)
    return escape_controls(text.replace("\r\n", "\n").replace("\r", "\n"))


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def fit_output(text: str, limits: OutputLimits, keep: Callable[[str, bytes], Path]) -> str:
    """`text` cleaned and, where it is too long, cut to its head and tail with a line in between that says so.

    The whole of it, as it was before cleaning, then goes to a file through `keep(suffix, data)`, which is named.
    Raises: OSError where the file cannot be written.
    """
    cleaned = clean_output(text)
    lines = cleaned.count("\n") + (not cleaned.endswith("\n"))
    size = len(cleaned.encode())
    if size <= limits.max_bytes and lines <= limits.max_lines:
        return cleaned
    file = keep(
        ".txt", text.encode("utf-8", "surrogateescape") if _is_escaped(text) else text.encode("utf-8", "replace")
    )
    room = max(limits.max_bytes - _NOTICE_ROOM - len(str(file).encode()), 0)
    head = _head(cleaned, room // 2, max(limits.max_lines - 1, 0) // 2)
    tail = _tail(
        cleaned[len(head) :], room - room // 2, max(limits.max_lines - 1, 0) - max(limits.max_lines - 1, 0) // 2
    )
    gone = cleaned[len(head) : len(cleaned) - len(tail)]
    notice = f"[{gone.count(chr(10)):,} lines, {len(gone.encode()):,} bytes left out here; all of it is in {file}]"
    return f"{head}{'' if not head or head.endswith(chr(10)) else chr(10)}{notice}\n{tail}"


def fit_stream(head: str, tail: str, size: int, limits: OutputLimits, file: Path, *, is_whole: bool = True) -> str:
    """The same for output that went to `file` while it came: only its first and its last part are in memory.

    `size` is that of all of it in bytes; `is_whole` False: the file was cut too.
    """
    room = max(limits.max_bytes - _NOTICE_ROOM - len(str(file).encode()), 0)
    lines = max(limits.max_lines - 1, 0)
    first = _head(clean_output(head), room // 2, lines // 2)
    last = _tail(clean_output(tail), room - room // 2, lines - lines // 2)
    what = "all of it is in" if is_whole else "the first part of it is in"
    notice = f"[{size:,} bytes in all, the middle is left out here; {what} {file}]"
    return f"{first}{'' if not first or first.endswith(chr(10)) else chr(10)}{notice}\n{last}"


def _is_escaped(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _head(text: str, size: int, lines: int) -> str:
    """The longest beginning within both limits; whole lines where at least one fits."""
    if lines <= 0 or size <= 0:
        return ""
    part = text[:size].encode()[:size].decode("utf-8", "ignore")
    end = -1
    for _ in range(lines):
        following = part.find("\n", end + 1)
        if following < 0:
            break
        end = following
    else:
        return part[: end + 1]
    return part[: end + 1] if end >= 0 and len(part) - end < len(part) // 2 else part


def _tail(text: str, size: int, lines: int) -> str:
    """The longest end within both limits; whole lines where at least one fits."""
    if lines <= 0 or size <= 0:
        return ""
    part = text[-size:].encode()[-size:].decode("utf-8", "ignore")
    body = part.removesuffix("\n")
    start = len(body)
    for _ in range(lines):
        start = body.rfind("\n", 0, start)
        if start < 0:
            break
    else:
        return part[start + 1 :]
    first = part.find("\n")
    is_cut = len(part) < len(text) and text[len(text) - len(part) - 1] != "\n"
    return part[first + 1 :] if is_cut and 0 <= first < len(part) // 2 else part
