"""The lines of a file that a person sees and anybody may read: no frontmatter, comments, empty sections, secrets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ori_memory.notes.block import find_block
from ori_memory.notes.lines import normalise
from ori_memory.notes.text import decode_note

__all__ = ["MOST_BYTES", "heading_level", "read_part", "visible_lines", "without_secrets"]

MOST_BYTES = 1 << 18
"""Of each file no more than this is looked at, so that a brief takes the same time over any vault."""

_LONGEST_LINE = 400
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_SECRET = re.compile(
    r"\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9_-]{16,}"
    r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}|\bglpat-[A-Za-z0-9_-]{16,}"
    r"|\bxox[abeprs]-[A-Za-z0-9-]{10,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[A-Za-z0-9_-]{30,}|\bhf_[A-Za-z0-9]{20,}"
    r"|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
    r"|(?<=://)[^\s/:@]*:[^\s/@]+(?=@)"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*"
)
_NAMED_SECRET = re.compile(
    r"(?i)((?<![a-z])(?:(?:password|passwd|passphrase)\b[\"'`*]*\s*(?:[:=]|\bis\b)"
    r"|(?:[a-z]+[_-])*(?:password|passphrase|secret|token|(?:api|access|private)[_ -]?key)[\"'`*]*\s*[:=])"
    r"[\s\"'`*]*)(?!\[secret left out\])([^\s\"'`*]{4,})"
)
_LEFT_OUT = "[secret left out]"


def read_part(path: Path, *, from_end: bool = False) -> str:
    """The beginning or the end of a file as text with LF line ends.

    Raises: OSError.
    """
    with path.open("rb") as file:
        if from_end:
            size = file.seek(0, 2)
            file.seek(max(size - MOST_BYTES, 0))
            data = file.read(MOST_BYTES)
            # The first line of a part is half a line.
            return decode_note(data if size <= MOST_BYTES else _whole(data).partition(b"\n")[2]).text
        data = file.read(MOST_BYTES + 1)
        return decode_note(data if len(data) <= MOST_BYTES else data.rpartition(b"\n")[0]).text


def _whole(data: bytes) -> bytes:
    """From the first byte on that begins a character."""
    start = next((at for at in range(min(4, len(data))) if data[at] & 0xC0 != 0x80), 0)
    return data[start:]


def visible_lines(text: str) -> list[str]:
    """The lines that hold something, headings only where something stands below them."""
    block = find_block(text)
    body = normalise(text[block.end if block is not None and block.is_readable else 0 :])
    shown = [line for line in _without_comments(body.split("\n")) if line.strip()]
    return [_shortened(line) for line in without_secrets(_with_content(shown))]


def heading_level(line: str) -> int:
    """Of a heading with number signs; 0 for any other line."""
    found = _HEADING.match(line)
    return len(found[1]) if found else 0


def without_secrets(lines: Iterable[str]) -> Iterator[str]:
    """The lines with keys, tokens and passwords left out, and nothing of a private key's block."""
    inside_key = False
    for line in lines:
        begins = "PRIVATE KEY-----" in line and "BEGIN" in line
        if inside_key:
            inside_key = "-----END" not in line
            continue
        inside_key = begins and "-----END" not in line
        yield _NAMED_SECRET.sub(rf"\1{_LEFT_OUT}", _SECRET.sub(_LEFT_OUT, line))


def _without_comments(lines: Iterable[str]) -> Iterator[str]:
    fence = ""
    is_inside = False
    for line in lines:
        found = None if is_inside else _FENCE.match(line)
        if found and (not fence or (found[1][0] == fence[0] and len(found[1]) >= len(fence))):
            fence = "" if fence else found[1]
            yield line
        elif fence:
            yield line
        else:
            shown, is_inside = _cut_comments(line, is_inside)
            yield shown


def _cut_comments(line: str, is_inside: bool) -> tuple[str, bool]:
    """What of a line is outside of `<!-- -->`, and whether the comment goes on; in code it is none."""
    kept = ""
    while line:
        if is_inside:
            _, end, line = line.partition("-->")
            is_inside = not end
            continue
        start = _comment_start(line)
        if start < 0:
            return kept + line, False
        kept, line, is_inside = kept + line[:start], line[start + 4 :], True
    return kept, is_inside


def _comment_start(line: str) -> int:
    code = [found.span() for found in _CODE.finditer(line)]
    at = line.find("<!--")
    while at >= 0 and any(start <= at < end for start, end in code):
        at = line.find("<!--", at + 1)
    return at


def _with_content(lines: list[str]) -> list[str]:
    kept: list[str] = []
    for line in reversed(lines):
        found = _HEADING.match(line)
        below = _HEADING.match(kept[-1]) if kept else None
        if found is None or (kept and (below is None or len(below[1]) > len(found[1]))):
            kept.append(line)
    return kept[::-1]


def _shortened(line: str) -> str:
    line = line.rstrip()
    return line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "…"
