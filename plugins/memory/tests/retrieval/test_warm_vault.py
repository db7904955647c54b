"""A vault in which nearly everything is a little warm, as after months of use."""

from __future__ import annotations

from typing import Any

NOTES = 1_200


def test_warmth_of_thousands_decides_between_what_fits_and_brings_nothing_else_in(shelf: Any) -> None:
    shelf.fill({f"Note {number}": f"about thing{number}" for number in range(NOTES)})
    shelf.fill({"Kettle one": "kettle boils", "Kettle two": "kettle boils", "Unused": "nothing"})
    shelf.uses("keyword", "warmth")
    assert shelf.titles("kettle boils")[:2] == ["Kettle one", "Kettle two"]
    with shelf.memory() as memory:
        warm = {note.id: 0.01 for note in memory.index.notes() if note.title not in ("Kettle one", "Unused")}
        memory.learned.add_boosts(warm, "s")
    assert shelf.titles("kettle boils") == ["Kettle two", "Kettle one"]


def test_the_few_that_are_warmest_still_come_in(shelf: Any) -> None:
    shelf.fill({f"Note {number}": f"about thing{number}" for number in range(NOTES)} | {"Kettle": "kettle boils"})
    shelf.uses("keyword", "warmth")
    with shelf.memory() as memory:
        warm = {note.id: 0.05 if note.title == "Note 7" else 0.01 for note in memory.index.notes()}
        memory.learned.add_boosts(warm, "s")
    assert shelf.titles("kettle boils") == ["Kettle", "Note 7"]
