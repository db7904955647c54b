"""Rows as aligned text."""

from __future__ import annotations

from collections.abc import Sequence

import click

from aries_kernel.tools.output import escape_controls

__all__ = ["echo_table"]


def echo_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under their header; the last column is as wide as it is."""
    cells = [[escape_controls(cell).replace("\n", " ") for cell in row] for row in [header, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    for row in cells:
        padded = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        click.echo("  ".join([*padded, row[-1]]).rstrip())
