"""Lines of a file with what stands around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aries_body.operations.searching import cut_around
from aries_kernel.errors import BadArguments

__all__ = ["checked_lines", "windows"]

_FIRST = 40
_NEAR = 2
"""Windows with at most so many lines between them become one."""
_MOST_LINES = 400


def checked_lines(given: object, last: int, path: str) -> list[int] | None:
    """Line numbers that are in the file, sorted; None where none were asked for.

    Raises: BadArguments.
    """
    if given is None:
        return None
    if isinstance(given, int) and not isinstance(given, bool):
        given = [given]
    if not isinstance(given, Iterable) or isinstance(given, str | bytes):
        raise BadArguments(f"line_numbers is a number or a list of numbers, not {given!r}.")
    numbers = sorted(set(given))
    wrong = [
        one for one in numbers if isinstance(one, bool) or not isinstance(one, int) or not 1 <= one <= max(last, 1)
    ]
    if wrong:
        raise BadArguments(f"{path} has lines 1 to {last}; there is no line {wrong[0]!r}.")
    return numbers


def windows(path: str, lines: Sequence[str], numbers: Sequence[int] | None, window: int) -> str:
    """Blocks of numbered lines, a dotted line between them; no line longer than a screen can show."""
    last = len(lines)
    if numbers is None:
        spans = [(1, min(_FIRST, last))]
    else:
        spans = []
        for number in numbers:
            start, end = max(1, number - window), min(last, number + window)
            if spans and start <= spans[-1][1] + _NEAR:
                spans[-1] = spans[-1][0], max(end, spans[-1][1])
            else:
                spans.append((start, end))
    width = max(4, len(str(last)))
    blocks, shown = [], 0
    for start, end in spans:
        end = min(end, start + max(0, _MOST_LINES - shown) - 1)
        if end < start:
            blocks.append(f"(more than {_MOST_LINES} lines; ask for fewer)")
            break
        shown += end - start + 1
        blocks.append(
            "\n".join(f"{number:>{width}}  {cut_around(lines[number - 1])}" for number in range(start, end + 1))
        )
    head = f"=== {path} ==="
    rest = f"\n({last - _FIRST} more lines)" if numbers is None and last > _FIRST else ""
    return f"{head}\n" + f"\n{' ' * width}  ...\n".join(blocks) + rest
