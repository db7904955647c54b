"""Sub-questions from a language model, through a provider of aries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.exploring.asking_model import questions_in
from ori_memory.exploring.exploration import Exploration, Exploring
from ori_memory.memory import Memory
from ori_memory.vault.finding import open_vault
from ori_memory.vault.vault import CONFIG_NAME

QUESTION = "Which waterfall is in the country of the Bubye River?"


def explored(vault: Path, *answers: str, model: str = "replay/model.jsonl", is_fast: bool = False) -> Exploration:
    lines = "".join(json.dumps({"pieces": [{"text": answer}]}) + "\n" for answer in answers)
    (vault / "model.jsonl").write_text(lines, encoding="utf-8")
    (vault / CONFIG_NAME).write_text(json.dumps({"llm": {"model": model}}), encoding="utf-8")
    with Memory.open(open_vault(vault)) as memory:
        return memory.explore(Exploring(QUESTION, without=("semantic",), is_fast=is_fast))


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("What is A?\nWhere is B?", ["What is A?", "Where is B?"]),
        ("1. What is A?\n2) Where is B?\n", ["What is A?", "Where is B?"]),
        ("- **What is A?**\n\n* `Where is B?`", ["What is A?", "Where is B?"]),
        ('["What is A?", "Where is B?"]', ["What is A?", "Where is B?"]),
        ('```json\n["What is A?"]\n```', ["What is A?"]),
        ("<think>first\nlook</think>\nWhat is A?", ["What is A?"]),
        ("What is 1999?\n" * 9, ["What is 1999?"] * 3),
        ("None", []),
        ("  none \n", []),
        ("[]", []),
        ("[broken", ["[broken"]),
        ("x" * 301, []),
        ("...\n---", []),
        ("2. Fast and Furious: who made it?", ["Fast and Furious: who made it?"]),
    ],
)
def test_questions_are_read_from_whatever_form_a_model_gives_them(text: str, questions: list[str]) -> None:
    assert questions_in(text) == questions


@given(st.text(st.sampled_from('abc ?\n[]{}"\\1.-*<think>/`'), max_size=200))
def test_no_answer_breaks_the_reading(text: str) -> None:
    found = questions_in(text)
    assert len(found) <= 3 and all(one.strip() and "\n" not in one for one in found)


def test_a_model_of_the_settings_is_asked_and_what_it_says_is_answered(vault: Path) -> None:
    found = explored(vault, "Where did Livingstone go?", "NONE")
    assert [(one.text, one.reason) for one in found.sub_questions][:1] == [
        ("Where did Livingstone go?", "asked by the model")
    ]
    assert "notes/Victoria Falls.md" in [one.path for one in found.discoveries] and not found.notices


def test_a_model_that_has_nothing_to_ask_leaves_it_to_the_rules(vault: Path) -> None:
    asked = explored(vault, "NONE", "NONE", "NONE")
    by_rules = explored(vault, model="")
    assert [one.text for one in asked.sub_questions] == [one.text for one in by_rules.sub_questions]


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("nowhere/x", "nowhere"),
        ("cheap", "models.cheap.model"),
        ("replay/missing.jsonl", "missing.jsonl"),
        ("just words", "just words"),
    ],
)
def test_a_model_that_is_not_there_is_told_and_the_rules_answer(vault: Path, model: str, said: str) -> None:
    found = explored(vault, model=model)
    assert any(said in notice for notice in found.notices) and found.sub_questions and found.discoveries


def test_a_quick_exploration_asks_no_model(vault: Path) -> None:
    found = explored(vault, model="nowhere/x", is_fast=True)
    assert found.sub_questions and not any("model" in notice for notice in found.notices)


def test_what_a_model_is_asked_is_counted(vault: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    lines = [{"pieces": [{"text": "Where did Livingstone go?"}], "usage": {"input": 77, "output": 5}}]
    (vault / "paid.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    explored(vault, model="replay/paid.jsonl")
    [ledger] = (tmp_path / "state").rglob("usage/**/*.jsonl")
    [spent] = [json.loads(line) for line in ledger.read_text(encoding="utf-8").splitlines()][:1]
    assert '"input": 77' in json.dumps(spent)
