"""Rows as aligned text."""

from __future__ import annotations

from collections.abc import Sequence

from aries_kernel.tools.output import escape_controls

__all__ = ["table"]


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Rows aligned under their header, each on one line; the last column is as wide as it is."""
    cells = [[escape_controls(str(cell)).replace("\n", " ") for cell in row] for row in [header, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    padded = ([cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)] + [row[-1]] for row in cells)
    return "\n".join("  ".join(row).rstrip() for row in padded)
