"""The page of documentation about operations, made from their table."""

from __future__ import annotations

from collections.abc import Iterable

from aries_kernel.contracts.body import Group

__all__ = ["END", "START", "table", "with_table"]

START, END = "<!-- operations -->", "<!-- end -->"


def table(groups: Iterable[Group]) -> str:
    """A row an operation."""
    lines = ["| operation | returns | | cost | effects |", "| --- | --- | --- | --- | --- |"]
    for group in groups:
        for one in group.operations:
            call = f"`{group.full_name(one)}{one.signature}`"
            effects = ", ".join(one.effects)
            lines.append(f"| {call} | {_escaped(one.returns)} | {_escaped(one.summary)} | {one.cost} | {effects} |")
    return "\n".join(lines)


def with_table(page: str, groups: Iterable[Group]) -> str:
    """The page with the table between its two marks made anew.

    Raises: ValueError where a mark is missing.
    """
    before, found, rest = page.partition(START)
    _, ended, after = rest.partition(END)
    if not found or not ended:
        raise ValueError(f"The page has no {START} and {END}.")
    return f"{before}{START}\n{table(groups)}\n{END}{after}"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
