"""Questions for what is newest."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.newest import newest_in
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
