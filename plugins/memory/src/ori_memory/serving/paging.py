"""Answers within a budget: as many items as fit, where to go on, and nothing that is lost without a word."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from aries_kernel.errors import UserError

__all__ = ["MOST", "Page", "page_of", "written"]

MOST = 16_000
"""Characters of a whole answer, about 4,000 tokens."""
_PIECE = 200
_SHORTEST = 200
"""What is left of a text of which a whole answer has no room."""


@frozen
class Page:
    """A part of a document."""

    data: Any
    cursor: str = ""
    """Where the next part begins; empty: this is the last."""
    totals: dict[str, int] | None = None
    """How much there is of each list that is not whole here."""


def written(document: object) -> str:
    """JSON without air. Half characters, which no client takes, are replaced."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode("utf-8")


def page_of(data: Any, lists: Sequence[str], cursor: str = "", most: int = MOST) -> Page:
    """As much of `data` as fits: `lists` names the parts that may be long, lists or texts, in their order.

    They count as one sequence, of which a page is a stretch; a single item that is too long is cut.
    Raises: UserError for a cursor that is none of this answer.
    """
    if not isinstance(data, dict):
        return Page(data)
    names = [name for name in lists if isinstance(data.get(name), list | str) and data[name]]
    items = [(name, item) for name in names for item in _items(data[name])]
    start = _place(cursor, len(items))
    if not start and len(written(data)) <= most:
        return Page(data)
    rest = {name: value for name, value in data.items() if name not in names}
    left = most - len(written({**rest, **{name: [] for name in names}}))
    if left < _SHORTEST * 2:
        rest = _shortened(rest, max(_SHORTEST, most // 4))
        left = max(min(_SHORTEST * 4, most // 3), most - len(written(rest)))
    end = start
    while end < len(items):
        cost = len(written(items[end][1])) + 1
        if cost > left:
            break
        left, end = left - cost, end + 1
    shown = items[start:end]
    if end == start and start < len(items):
        shown, end = [(items[start][0], _fitting(items[start][1], left))], start + 1
    return Page(_put_together(data, rest, names, shown), str(end) if end < len(items) else "", _totals(items, names))


def _items(value: list[Any] | str) -> list[Any]:
    if isinstance(value, list):
        return value
    lines = value.splitlines(keepends=True)
    return [line[at : at + _PIECE] for line in lines for at in range(0, len(line), _PIECE)]


def _place(cursor: str, count: int) -> int:
    if not cursor.strip():
        return 0
    try:
        place = int(cursor)
    except ValueError as error:
        raise UserError(f"'{cursor[:40]}' is no cursor; take the one of the answer before.") from error
    if not 0 <= place < max(count, 1):
        raise UserError(f"The cursor {place} is past the end; there are {count} items. Begin again without a cursor.")
    return place


def _put_together(data: dict[str, Any], rest: dict[str, Any], names: Sequence[str], shown: Sequence[Any]) -> Any:
    parts: dict[str, list[Any]] = {name: [item for one, item in shown if one == name] for name in names}
    # The keys in the order in which they were.
    return {
        name: (("".join(parts[name]) if isinstance(data[name], str) else parts[name]) if name in parts else rest[name])
        for name in data
    }


def _totals(items: Sequence[tuple[str, Any]], names: Sequence[str]) -> dict[str, int]:
    return {name: sum(1 for one, _ in items if one == name) for name in names}


def _fitting(item: Any, left: int) -> Any:
    length = max(_SHORTEST, left // 2)
    while len(written(item)) > left and length > 20:
        item = _shortened(item, length)
        length //= 2
    return item


def _shortened(value: Any, length: int) -> Any:
    """The value with texts of `length` characters at most, and lists of as many items as that leaves room for."""
    if isinstance(value, str):
        return value if len(value) <= length else value[: length - 1] + "…"
    if isinstance(value, dict):
        return {name: _shortened(one, length) for name, one in value.items()}
    if isinstance(value, list):
        kept = value[: max(1, length // 40)]
        return [_shortened(one, length) for one in kept]
    return value
