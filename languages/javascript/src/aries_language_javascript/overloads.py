"""Several signatures of one function: all but one are marked."""

from __future__ import annotations

from aries_language_javascript.outline import Entry

__all__ = ["mark"]


def mark(entries: list[Entry]) -> None:
    """Marks signatures that stand beside the implementation, or before the last signature where there is none."""
    last: dict[tuple[int, str, str, bool], Entry] = {}
    for entry in entries:
        if entry.made.kind not in ("function", "method"):
            continue
        parent = -1 if entry.parent is None else entry.parent.made.place
        key = (parent, entry.made.name, entry.made.kind, "static" in entry.made.modifiers)
        before = last.get(key)
        if before is not None and before.made.is_signature:
            before.made.modifiers = f"{before.made.modifiers} overload".strip()
        last[key] = entry
