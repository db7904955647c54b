"""A short unified diff of two lists of lines."""

from __future__ import annotations

import difflib

from aries_kernel.tools.output import escape_controls

__all__ = ["short_diff"]

_CONTEXT = 2
_COMPARED = 2_000
_LINES = 60
_WIDTH = 200


def short_diff(old: list[str], new: list[str]) -> str:
    """Changed lines with a little around them; bounded, and says so where it leaves something out."""
    start, stop = _common(old, new)
    first = max(start - _CONTEXT, 0)
    old_part = old[first : len(old) - max(stop - _CONTEXT, 0)]
    new_part = new[first : len(new) - max(stop - _CONTEXT, 0)]
    if len(old_part) > _COMPARED or len(new_part) > _COMPARED:
        return f"[{len(old_part):,} lines from line {first + 1} on became {len(new_part):,}; too many to show]"
    shown: list[str] = []
    for group in difflib.SequenceMatcher(None, old_part, new_part, autojunk=False).get_grouped_opcodes(_CONTEXT):
        old_span, new_span = (group[0][1], group[-1][2]), (group[0][3], group[-1][4])
        shown.append(f"@@ -{_span(first, *old_span)} +{_span(first, *new_span)} @@")
        for kind, i1, i2, j1, j2 in group:
            if kind == "equal":
                shown += [" " + _cut(line) for line in old_part[i1:i2]]
            else:
                shown += ["-" + _cut(line) for line in old_part[i1:i2]]
                shown += ["+" + _cut(line) for line in new_part[j1:j2]]
    if len(shown) > _LINES:
        shown = [*shown[:_LINES], f"[{len(shown) - _LINES} more lines of the diff left out]"]
    return "\n".join(shown)


def _common(old: list[str], new: list[str]) -> tuple[int, int]:
    """Lines that are the same at the start and at the end."""
    most = min(len(old), len(new))
    start = next((index for index in range(most) if old[index] != new[index]), most)
    stop = next((index for index in range(most - start) if old[-1 - index] != new[-1 - index]), most - start)
    return start, stop


def _span(first: int, start: int, stop: int) -> str:
    return f"{first + start + (stop > start)},{stop - start}"


def _cut(line: str) -> str:
    return escape_controls(line[:_WIDTH]) + ("…" if len(line) > _WIDTH else "")
