"""Which files ripgrep says are worth searching.

ripgrep never decides what matches: it only rules files out. Patterns go to it in a form that matches at least all
that Python's `re` matches within ASCII text; every file with any other byte, or with a NUL, is searched anyway. So the
answer with ripgrep and the answer without are the same one.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping, Sequence

from aries_tool_files._processes import run_bounded

__all__ = ["candidates", "for_ripgrep"]

_BATCH = 100_000 if os.name == "posix" else 20_000
"""Bytes of file names of one command line."""

_TOKEN = re.compile(
    r"""
    (?P<plain> [A-Za-z0-9_\ \t!"\#%&',/:;<=>@`~-] )
  | (?P<foreign> [^\x00-\x7f] )
  | (?P<brace> \{ (?! [0-9,] ) | [\]}] )
  | (?P<escaped> \\ [.^$*+?(){}\[\]|\\-] )
  | (?P<harmless> \\ [/!"#%&',:;<=>@`~\ ] )
  | (?P<type> \\ [dDwWbBt] )
  | (?P<space> \\ s )
  | (?P<no_space> \\ S )
  | (?P<edge> [\^$] | \\A | \\Z )
  | (?P<group> \(\?: | \( (?!\?) | \) | \| )
  | (?P<count> [*+?] | \{ [0-9]{1,3} (?: , [0-9]{0,3} )? \} )
  | (?P<any> \. )
  | (?P<set> \[ \^? (?: [A-Za-z0-9_\ !"\#%',/:;<=>@`.*+?(){}|$] (?: - [A-Za-z0-9] )? | \\ [.*+?(){}|$\[\]\\^dw-] )+ \] )
    """,
    re.VERBOSE,
)
_WRITTEN = {
    "space": r"[\s\x1c-\x1f]",  # Python counts the four separators of ASCII as white space.
    "no_space": r"[^\s\x1c-\x1f]",
    "foreign": ".",  # Only files that are searched anyway hold such a character.
    "edge": "(?:)",  # Python's lines end at CR too; without the edge more is let through, never less.
}
_FLAGS = (
    "--no-config", "--no-messages", "--files-with-matches", "--null", "--color=never", "--no-ignore", "--hidden",
    "--text", "--encoding=none", "--no-heading", "--no-mmap", "--case-sensitive", "--no-crlf", "--no-multiline",
)  # fmt: skip
_ALWAYS = (r"(?-u:[\x00-\x08\x0E-\x1A\x1C-\x1F\x7F-\xFF])", "%PDF-")
"""What a file holds that is not plain ASCII text, or that is taken for binary."""


def for_ripgrep(pattern: str, ignore_case: bool) -> str | None:
    """`pattern` as ripgrep is given it; None where it cannot be sure to let everything through."""
    out: list[str] = []
    if pattern.startswith("(?i)"):
        pattern, ignore_case = pattern[4:], True
    place = 0
    while place < len(pattern):
        token = _TOKEN.match(pattern, place)
        if token is None or token.lastgroup is None:
            return None
        text = token[0]
        if token.lastgroup in ("harmless", "brace"):
            text = re.escape(text[-1])
        out.append(_WRITTEN.get(token.lastgroup, text))
        place = token.end()
    return f"(?{'i' if ignore_case else '-i'}:{''.join(out)})"


async def candidates(
    ripgrep: str, pattern: str, files: Sequence[tuple[str, str]], environ: Mapping[str, str], seconds: float
) -> list[tuple[str, str]]:
    """Those of `files` (pairs of shown and real path) that have to be searched, in their order."""
    command = [ripgrep, *_FLAGS, *(word for one in (pattern, *_ALWAYS) for word in ("-e", one)), "--"]
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    kept: list[tuple[str, str]] = []
    for batch in _batches(files):
        code, answer = await run_bounded([*command, *(real for _, real in batch)], b"", environ, end - loop.time())
        named = set(answer.decode("utf-8", "surrogateescape").split("\0"))
        unread = {real for _, real in batch if real not in named and not os.access(real, os.R_OK)}
        # Exit code 2 without a file that explains it: the pattern or the program is at fault, so nothing is ruled out.
        if code in (0, 1) or (code == 2 and unread):
            kept += [pair for pair in batch if pair[1] in named or pair[1] in unread]
        else:
            kept += batch
    return kept


def _batches(files: Sequence[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    batches: list[list[tuple[str, str]]] = []
    room = 0
    for pair in files:
        size = len(os.fsencode(pair[1])) + 9
        if not batches or size > room:
            batches.append([])
            room = _BATCH
        batches[-1].append(pair)
        room -= size
    return batches
