"""What stands in what: definitions in order, with their qualified names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define

if TYPE_CHECKING:
    from aries_language_javascript.definition import Definition

__all__ = ["Entry", "outline"]

_HOLDERS = frozenset({"class", "interface", "enum", "namespace"})


@define(eq=False)
class Entry:
    """A definition in its place."""

    made: Definition
    qualified: str
    parent: Entry | None

    @property
    def symbol(self) -> Entry | None:
        """Itself, or the nearest symbol around it where it is a mere group."""
        entry: Entry | None = self
        while entry is not None and entry.made.is_group:
            entry = entry.parent
        return entry


def outline(definitions: list[Definition]) -> list[Entry]:
    """Puts definitions in order, outer ones first, and names them by what they stand in.

    Sets `place` of those that are symbols.
    """
    known: dict[str, Entry] = {}
    entries: list[Entry] = []
    around: list[Entry] = []
    count = 0
    for made in sorted(definitions, key=lambda one: (one.start, -one.end, one.head)):
        while around and around[-1].made.end <= made.start:
            around.pop()
        inside = around[-1] if around else None
        entry = _placed(made, inside, known)
        if not made.is_group:
            made.place, count = count, count + 1
            entries.append(entry)
        known.setdefault(entry.qualified, entry)
        around.append(entry)
    return entries


def _placed(made: Definition, inside: Entry | None, known: dict[str, Entry]) -> Entry:
    if not made.owner:
        parent = inside
        prefix = inside.qualified if inside is not None else ""
        if made.is_group and prefix == "" and made.name in known:
            # `Foo.prototype = { ... }`: what stands in the object belongs to Foo.
            return Entry(made, made.name, known[made.name])
        return Entry(made, f"{prefix}.{made.name}" if prefix else made.name, parent)
    first, _, rest = made.owner.partition(".")
    if first == "this":
        holder = _holder(inside)
        prefix = ".".join(filter(None, (holder.qualified if holder else "", rest)))
        return Entry(made, f"{prefix}.{made.name}" if prefix else made.name, known.get(prefix, holder))
    level = inside
    while True:
        prefix = f"{level.qualified}.{made.owner}" if level is not None else made.owner
        if prefix in known:
            return Entry(made, f"{prefix}.{made.name}", known[prefix])
        if level is None:
            break
        level = level.parent
    prefix = f"{inside.qualified}.{made.owner}" if inside is not None else made.owner
    return Entry(made, f"{prefix}.{made.name}", inside)


def _holder(inside: Entry | None) -> Entry | None:
    """Whose `this` it is: the class around it, else the function that is called as a constructor."""
    entry = inside
    while entry is not None:
        if entry.made.kind in _HOLDERS:
            return entry
        entry = entry.parent
    if inside is not None and inside.made.kind == "method" and inside.parent is not None:
        return inside.parent
    return inside
