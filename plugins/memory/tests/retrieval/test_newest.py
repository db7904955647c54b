"""Questions for what is newest."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.newest import newest_in, present_in
from ori_memory.vault.making import init_vault


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What is the latest decision about tea?", "latest"),
        ("most recent note on the kettle", "most recent"),
        ("Welcher Tee wurde zuletzt bestellt, und was ist die neueste Sorte?", "neueste"),
        ("la decisión más reciente", "más reciente"),
        ("茶的最新决定", "最新"),
        ("the translatest page", ""),
        ("recently renewed contracts", ""),
        ("What was decided last week?", ""),
    ],
)
def test_the_words_that_ask_for_it(text: str, said: str) -> None:
    assert newest_in(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Where do I live now?", "now"),
        ("what is our current login flow", "our current"),
        ("which car does she currently drive", "currently"),
        ("Was ist der aktuelle Stand?", "aktuelle"),
        ("¿dónde vivo ahora?", "ahora"),
        ("我现在住在哪里", "现在"),
        ("今の電圧", ""),
        ("alternating current", ""),
        ("how do I now bake bread", ""),
        ("known issues", ""),
    ],
)
def test_the_words_that_ask_how_things_are(text: str, said: str) -> None:
    assert present_in(text) == said


@pytest.fixture
def decisions(tmp_path: Path) -> Iterator[Memory]:
    """Three decisions about one thing, and a newer one about another."""
    vault = init_vault(tmp_path / "vault").vault
    days = {
        "Logins keep sessions": (2024, "The decision about logins: logins keep sessions on the server."),
        "Logins sign tokens": (2025, "A decision about logins: they sign tokens."),
        "Logins go through the gateway": (2026, "The team's decision about logins: the gateway checks them."),
        "Latest": (2023, "What was read last: a book, a paper, a letter."),
        "The kettle is new": (2026, "We bought a kettle, a decision of the kitchen."),
    }
    for number, (title, (year, text)) in enumerate(days.items()):
        head = f"---\ncreated: {datetime.date(year, 3, 1 + number)}\n---\n\n# {title}\n\n"
        (vault.root / "notes" / f"{title}.md").write_text(f"{head}{text}\n", encoding="utf-8")
    with Memory.open(vault, environ={"ORI_NO_BACKGROUND": "1"}) as memory:
        yield memory


def first(memory: Memory, text: str) -> str:
    return memory.answer(Asked(text, is_fast=True)).hits[0].title


def test_the_newest_comes_first_only_where_it_is_asked_for(decisions: Memory) -> None:
    assert first(decisions, "decision about logins sessions") == "Logins keep sessions"
    assert first(decisions, "decision about logins") != "Logins go through the gateway"
    assert first(decisions, "latest decision about logins") == "Logins go through the gateway"


def test_a_note_called_so_is_named_only_where_nothing_else_is_asked(decisions: Memory) -> None:
    assert first(decisions, "latest") == "Latest"
    assert first(decisions, "the latest decision") != "Latest"


def test_the_word_that_asks_for_it_takes_no_confidence_away(decisions: Memory) -> None:
    plain, newest = (
        decisions.answer(Asked(text, is_fast=True)).confidence
        for text in ("decision about logins through the gateway", "latest decision about logins through the gateway")
    )
    assert newest >= plain - 0.1


def test_how_things_are_is_told_by_the_newer_of_notes_that_fit_about_equally(tmp_path: Path) -> None:
    vault = init_vault(tmp_path / "vault").vault
    for year, town in ((2023, "Ghent"), (2025, "Lyon"), (2024, "Turin")):
        text = f"---\ncreated: {year}-02-03\n---\n\n# Talk {year}\n\nAnna moved and lives in {town} with her cat.\n"
        (vault.root / "notes" / f"Talk {year}.md").write_text(text, encoding="utf-8")
    with Memory.open(vault, environ={"ORI_NO_BACKGROUND": "1"}) as memory:
        assert first(memory, "in which town does Anna live now?") == "Talk 2025"
        assert first(memory, "does Anna currently live in Ghent with her cat") == "Talk 2023"
