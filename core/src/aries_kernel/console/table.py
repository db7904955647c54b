"""Rows as aligned text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from aries_kernel.console.width import cut, display_width
from aries_kernel.tools.output import escape_controls

__all__ = ["table"]

_GAP = "  "
_LEAST = 8
"""Columns that free text keeps, however narrow the terminal is."""


def table(
    header: Sequence[str], rows: Sequence[Sequence[object]], *, free: Collection[str] = (), width: int | None = None
) -> str:
    """Rows aligned under their header, each on one line; the last column is as wide as it is.

    Where they take more than `width` columns (None: any number), those named in `free` are cut, the widest first.
    """
    cells = [[escape_controls(str(cell)).replace("\n", " ") for cell in row] for row in [header, *rows]]
    widths = [max(display_width(row[place]) for row in cells) for place in range(len(header))]
    if width is not None:
        _narrow(widths, [place for place, name in enumerate(header) if name in free], width)
    return "\n".join(_GAP.join(_fitted(row, widths)).rstrip() for row in cells)


def _narrow(widths: list[int], free: Sequence[int], width: int) -> None:
    room = width - len(_GAP) * (len(widths) - 1)
    while sum(widths) > room and (places := [place for place in free if widths[place] > _LEAST]):
        widest = max(places, key=lambda place: widths[place])
        others = [widths[place] for place in places if place != widest]
        down_to = max([_LEAST, *others, widths[widest] - (sum(widths) - room)])
        widths[widest] = down_to if down_to < widths[widest] else widths[widest] - 1


def _fitted(row: Sequence[str], widths: Sequence[int]) -> Iterable[str]:
    for text, width in zip(row, widths, strict=False):
        shown = cut(text, width)
        yield shown + " " * (width - display_width(shown))
