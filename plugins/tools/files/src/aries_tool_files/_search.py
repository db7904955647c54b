"""The search itself, run as a process of its own so that it can be stopped at any time. Standard library only.

Reads one JSON object from standard input and writes one to standard output; see `Job` and `Found`.
"""

from __future__ import annotations

import codecs
import faulthandler
import json
import os
import re
import stat
import sys
import warnings
from collections.abc import Iterator
from typing import BinaryIO, TypedDict

from aries_tool_files._documents import LINE_END, binary_kind, decode_line, split_bom

__all__ = ["Found", "Job", "main", "search"]

_PROBE = 8_192
_BLOCK = 4 << 20
_LONGEST_LINE = 64 << 20
_WIDTH = 400
"""Characters of a line that are shown, around the match."""
_LISTED = 3


class Job(TypedDict):
    """What to look for, and in which files: pairs of the name to show and the real path."""

    pattern: str
    ignore_case: bool
    context: int
    files_only: bool
    files: list[tuple[str, str]]
    max_lines: int
    max_bytes: int
    seconds: int


class Found(TypedDict):
    """`lines` are ready to show; the figures count everything, shown or not."""

    error: str | None
    lines: list[str]
    matches: int
    shown: int
    files: int
    binary: int
    unreadable: int
    examples: list[str]


class _Unsearchable(Exception):
    """A file that cannot be searched, and why."""


class _Answer:
    """Collects lines until they no longer fit; goes on counting."""

    def __init__(self, job: Job) -> None:
        self.found = Found(error=None, lines=[], matches=0, shown=0, files=0, binary=0, unreadable=0, examples=[])
        self._lines, self._bytes = job["max_lines"], job["max_bytes"]

    def add(self, line: str, *, is_match: bool) -> None:
        size = len(line.encode("utf-8", "surrogatepass")) + 1
        if self._lines <= 0 or size > self._bytes:
            self._lines = 0
            return
        self._lines -= 1
        self._bytes -= size
        self.found["lines"].append(line)
        self.found["shown"] += is_match

    @property
    def is_full(self) -> bool:
        return self._lines <= 0


def search(job: Job) -> Found:
    """Look through the files in their order."""
    answer = _Answer(job)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            pattern = re.compile(job["pattern"], re.IGNORECASE if job["ignore_case"] else 0)
    except (re.error, Warning, OverflowError, RecursionError) as error:
        answer.found["error"] = str(error) or type(error).__name__
        return answer.found
    for shown, real in job["files"]:
        try:
            _search_file(shown, real, pattern, job, answer)
        except (OSError, _Unsearchable) as error:
            answer.found["unreadable"] += 1
            if len(answer.found["examples"]) < _LISTED:
                reason = error.strerror or str(error) if isinstance(error, OSError) else str(error)
                answer.found["examples"].append(f"{shown}: {reason}")
    return answer.found


def _search_file(shown: str, real: str, pattern: re.Pattern[str], job: Job, answer: _Answer) -> None:
    with _open(real) as file:
        head = file.read(_PROBE)
        if binary_kind(head) is not None:
            answer.found["binary"] += 1
            return
        file.seek(0)
        before = answer.found["matches"]
        if job["files_only"]:
            if any(pattern.search(line) for _, line in _lines(file, head)):
                answer.found["matches"] += 1
                answer.add(shown, is_match=True)
        else:
            _search_lines(shown, _lines(file, head), pattern, job["context"], answer)
        answer.found["files"] += answer.found["matches"] > before


def _search_lines(
    shown: str, lines: Iterator[tuple[int, str]], pattern: re.Pattern[str], context: int, answer: _Answer
) -> None:
    held: list[tuple[int, str]] = []
    """Lines before a match that may come."""
    after = last = 0
    for number, line in lines:
        match = pattern.search(line)
        if match:
            answer.found["matches"] += 1
            first = held[0][0] if held else number
            if context and answer.found["lines"] and not answer.is_full and (not last or first != last + 1):
                answer.add("--", is_match=False)
            for earlier, text in held:
                answer.add(f"{shown}-{earlier}-{_cut(text, 0)}", is_match=False)
            answer.add(f"{shown}:{number}:{_cut(line, match.start())}", is_match=True)
            held.clear()
            after, last = context, number
        elif after:
            answer.add(f"{shown}-{number}-{_cut(line, 0)}", is_match=False)
            after, last = after - 1, number
        elif context:
            held.append((number, line))
            del held[:-context]


def _cut(line: str, start: int) -> str:
    if len(line) <= _WIDTH:
        return line
    begin = max(min(start - _WIDTH // 4, len(line) - _WIDTH), 0)
    return f"{'…' if begin else ''}{line[begin : begin + _WIDTH]}{'…' if begin + _WIDTH < len(line) else ''}"


def _lines(file: BinaryIO, head: bytes) -> Iterator[tuple[int, str]]:
    """Lines with their numbers; only what an end was found for is held, a block at a time."""
    bom, codec = split_bom(head)
    file.seek(len(bom))
    is_wide = codec not in (None, "utf-8")
    # 8-bit text travels as Latin-1, a character a byte, until its lines are known.
    decoder = codecs.getincrementaldecoder(codec if is_wide and codec else "latin-1")("replace")
    number, held = 0, ""
    while True:
        block = file.read(_BLOCK)
        text = held + decoder.decode(block, not block)
        if block:
            stop = max(text.rfind("\n"), text.rfind("\r", 0, len(text) - 1)) + 1
            text, held = text[:stop], text[stop:]
            if len(held) > _LONGEST_LINE:
                raise _Unsearchable("a line is longer than 64 MB")
        lines = LINE_END.split(_decoded(text) if not is_wide else text) if text else [""]
        if not lines[-1]:
            lines.pop()
        for line in lines:
            number += 1
            yield number, line
        if not block:
            return


def _decoded(text: str) -> str:
    """Whole lines of an 8-bit file: UTF-8, or line by line where they are not all that."""
    data = text.encode("latin-1")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "\n".join(decode_line(line.encode("latin-1"))[0] for line in LINE_END.split(text))


def _open(real: str) -> BinaryIO:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(real, flags)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _Unsearchable("no longer a regular file")
    return os.fdopen(descriptor, "rb")


def main() -> None:
    """One job from standard input to standard output. Ends by itself when nobody is left to stop it."""
    job: Job = json.load(sys.stdin.buffer)
    # A watchdog thread in C: it fires even while a pattern runs away.
    faulthandler.dump_traceback_later(job["seconds"] + 5, exit=True)
    answer = json.dumps(search(job))
    faulthandler.cancel_dump_traceback_later()
    sys.stdout.write(answer)
    sys.stdout.flush()
