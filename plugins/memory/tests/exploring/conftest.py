"""A small vault about rivers and films, among notes about other things."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from ori_memory.memory import Memory
from ori_memory.vault.making import adopt_vault

DAY = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
Write = Callable[..., None]
Open = Callable[..., Memory]

NOTES: Mapping[str, str] = {
    "Bubye River": "The Bubye River is a tributary of the Limpopo. It rises in Matabeleland, far from [[Old maps]].",
    "Old maps": "Drawn by hand; see [[Sextants]].",
    "Sextants": "Brass instruments in a box.",
    "Matabeleland": "A region of Zimbabwe.",
    "Victoria Falls": "The largest waterfall of Zimbabwe; Livingstone saw it first.",
    "Ed Wood": "Ed Wood is a film by Tim Burton.",
    "Sinister": "Sinister is a film by Scott Derrickson.",
    "Tim Burton": "He comes from Burbank in California.",
    "Scott Derrickson": "He comes from Denver in Colorado.",
}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a note of that title, which is its id too."""

    def one(title: str, text: str = "", **properties: str) -> None:
        (tmp_path / "notes").mkdir(exist_ok=True)
        lines = "".join(f"{name}: {value}\n" for name, value in properties.items())
        head = f"---\nid: {title.lower().replace(' ', '-')}\ncreated: 2020-01-01\n{lines}---\n"
        (tmp_path / "notes" / f"{title}.md").write_text(head + text, encoding="utf-8")

    return one


@pytest.fixture
def vault(tmp_path: Path, write: Write) -> Path:
    for title, text in NOTES.items():
        write(title, text)
    for number, (plant, colour) in enumerate(itertools.product(("Moss", "Fern", "Reed"), ("green", "grey", "red"))):
        write(f"{plant} {number}", f"{plant.lower()} that is {colour} where it stands in the shade.")
    adopt_vault(tmp_path)
    return tmp_path


@pytest.fixture
def open_memory(vault: Path) -> Iterator[Open]:
    """Opens the vault at an hour after `DAY`."""
    opened: list[Memory] = []

    def one(hours: float = 0) -> Memory:
        from ori_memory.vault.finding import open_vault

        memory = Memory.open(open_vault(vault), now=lambda: DAY + datetime.timedelta(hours=hours))
        opened.append(memory)
        return memory

    yield one
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_memory: Open) -> Memory:
    return open_memory()
