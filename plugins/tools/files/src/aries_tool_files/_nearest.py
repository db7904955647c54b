"""What to say when the text to be replaced is not there: where something like it is, and what differs."""

from __future__ import annotations

import difflib
import heapq
import re

from aries_kernel.tools.output import escape_controls

__all__ = ["describe_nearest"]

_SCANNED = 20_000
_REGIONS = 3
_SHOWN = 160
_QUOTES = str.maketrans({"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "−": "-"})
_SPACES = re.compile(r"[\s\u00a0\u200b\ufeff]+")
_LEAST = 0.6
_NUMBERED = re.compile(r"\s*\d+\t")


def describe_nearest(lines: list[str], old: list[str]) -> str:
    """Lines for the model about the regions of `lines` most like `old`; empty where nothing is like it."""
    if all(_NUMBERED.match(line) for line in old if line):
        return "It begins with line numbers as Read shows them; leave number and tab out."
    for difference, fold in (
        ("control characters: send the characters, not \\x..", escape_controls),
        ("trailing spaces", str.rstrip),
        ("indentation or tabs", str.strip),
        ("spaces", lambda line: _SPACES.sub("", line)),
        ("quotes or dashes (curly or straight)", lambda line: line.translate(_QUOTES)),
        ("quotes and spaces", lambda line: _SPACES.sub("", line.translate(_QUOTES))),
        ("upper and lower case", lambda line: _SPACES.sub("", line).lower()),
    ):
        places = _same_after([fold(line) for line in lines], [fold(line) for line in old])
        if places:
            shown = [_region(lines, old, place) for place in places[:_REGIONS]]
            return f"It differs from these only in {difference}:\n" + "\n".join(shown)
    places = _similar(lines, old)
    return "Nearest:\n" + "\n".join(_region(lines, old, place) for place in places) if places else ""


def _same_after(lines: list[str], old: list[str]) -> list[int]:
    """Where folded `old` lies in folded `lines`; its first and last line may be parts of lines."""
    if not any(old):
        return []
    width = len(old)
    if width == 1:
        return [number for number, line in enumerate(lines) if old[0] in line]
    middle = old[1:-1]
    return [
        place
        for place in range(len(lines) - width + 1)
        if lines[place].endswith(old[0])
        and lines[place + width - 1].startswith(old[-1])
        and lines[place + 1 : place + width - 1] == middle
    ]


def _similar(lines: list[str], old: list[str]) -> list[int]:
    anchor, text = max(enumerate(old), key=lambda pair: len(pair[1].strip()))
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(text.strip()[:_SHOWN])
    scored = []
    for number, line in enumerate(lines[:_SCANNED]):
        matcher.set_seq1(line.strip()[:_SHOWN])
        if matcher.real_quick_ratio() >= _LEAST and matcher.quick_ratio() >= _LEAST:
            scored.append((matcher.quick_ratio(), -number))
    best = []
    for _, negative in heapq.nlargest(3 * _REGIONS, scored):
        matcher.set_seq1(lines[-negative].strip()[:_SHOWN])
        if matcher.ratio() >= _LEAST:
            best.append((matcher.ratio(), negative))
    return sorted(max(-negative - anchor, 0) for _, negative in heapq.nlargest(_REGIONS, best))


def _region(lines: list[str], old: list[str], place: int) -> str:
    """The first line of the region that differs, as the file has it and as it was given."""
    for offset, wanted in enumerate(old):
        there = lines[place + offset] if place + offset < len(lines) else None
        if there is None:
            return f"  line {place + offset + 1}: the file ends here, not {_quote(wanted)}"
        if there != wanted and not (wanted in there and offset in (0, len(old) - 1) and wanted.strip()):
            return f"  line {place + offset + 1}: file has {_quote(there)}, not {_quote(wanted)}"
    return f"  line {place + 1}: {_quote(lines[place])}"


def _quote(text: str) -> str:
    """With tabs and odd spaces made visible."""
    shown = (
        escape_controls(text[:_SHOWN]).replace("\t", "\\t").replace("\u00a0", "\\u00a0").replace("\u200b", "\\u200b")
    )
    return f"|{shown}{'…' if len(text) > _SHOWN else ''}|"
