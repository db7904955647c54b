"""Questions to a small model: counted, limited, paid for."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from aries_body.services import small_model
from aries_body.services.small_model import MOST_CALLS, SmallModelCalls
from aries_kernel.contracts.tool import ModelSaid
from aries_kernel.errors import EmptyAnswer, RateLimited, Refused


class _Model:
    """Answers with the prompt; remembers how many were asked at once."""

    def __init__(self, text: str | None = None) -> None:
        self.text, self.prompts, self.now, self.most = text, list[tuple[str, int]](), 0, 0

    async def ask(self, prompt: str, *, max_output: int) -> ModelSaid:
        self.prompts.append((prompt, max_output))
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self.now -= 1
        if "fail" in prompt:
            raise RateLimited("Too many requests.")
        if "empty" in prompt:
            raise EmptyAnswer("The model gave an empty answer.")
        if "refuse" in prompt:
            raise Refused("The limit of 1 US dollars is used up.")
        return ModelSaid(prompt if self.text is None else self.text, tokens=10, cost=0.01)


def _ask(calls: SmallModelCalls, count: int = 1, **given: Any) -> list[dict[str, Any]]:
    async def all_of_them() -> list[dict[str, Any]]:
        return list(await asyncio.gather(*(calls.answer({"question": "why?", **given}) for _ in range(count))))

    return asyncio.run(all_of_them())


def test_question_and_text_are_one_message_and_the_answer_is_ok() -> None:
    model = _Model()
    [answer] = _ask(SmallModelCalls(model), context="the text", budget=1000)
    assert answer["ok"] and "why?" in answer["text"] and "the text" in answer["text"] and "250 words" in answer["text"]


def test_an_output_limit_is_never_so_small_that_thinking_uses_it_up() -> None:
    model = _Model()
    _ask(SmallModelCalls(model), budget=10)
    _ask(SmallModelCalls(model), budget=10**9)
    assert [limit for _, limit in model.prompts] == [250, 8_000]


def test_an_execution_may_ask_fifteen_times_and_no_more_than_five_at_once() -> None:
    model = _Model()
    calls = SmallModelCalls(model)
    answers = _ask(calls, 20)
    assert [one["ok"] for one in answers] == [True] * MOST_CALLS + [False] * 5
    assert {one["kind"] for one in answers if not one["ok"]} == {"limit"} and model.most == 5
    calls.begin()
    assert _ask(calls)[0]["ok"]


def test_money_is_counted_and_ends_the_questions_of_an_execution() -> None:
    calls = SmallModelCalls(_Model(), max_cost=0.025)
    kinds = [_ask(calls)[0].get("kind", "ok") for _ in range(5)]
    assert kinds == ["ok", "ok", "ok", "limit", "limit"]
    assert round(calls.total_cost, 6) == 0.03 and calls.total_tokens == 30 and calls.total_calls == 3
    calls.begin()
    assert _ask(calls)[0]["ok"]


def test_money_that_ran_out_while_others_waited_ends_their_questions_too() -> None:
    answers = _ask(SmallModelCalls(_Model(), max_cost=0.025), 15)
    assert sum(one["ok"] for one in answers) == 5, "those that were under way at once"
    assert {one["kind"] for one in answers if not one["ok"]} == {"limit"}


def test_what_costs_nobody_knows_how_much_ends_the_questions_where_money_is_limited() -> None:
    class Unpriced(_Model):
        async def ask(self, prompt: str, *, max_output: int) -> ModelSaid:
            return ModelSaid("x")

    calls = SmallModelCalls(Unpriced(), max_cost=1.0)
    assert [_ask(calls)[0]["ok"] for _ in range(2)] == [True, False]
    assert [_ask(SmallModelCalls(Unpriced()))[0]["ok"] for _ in range(2)] == [True, True]


def test_how_many_questions_there_may_be_is_a_setting() -> None:
    answers = _ask(SmallModelCalls(_Model(), most_calls=2), 4)
    assert [one["ok"] for one in answers] == [True, True, False, False] and "body.model_calls" in answers[2]["reason"]


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({"question": " "}, "refused"),
        ({"context": "x" * 200_000}, "too-large"),
        ({"question": "fail"}, "failed"),
        ({"question": "empty"}, "empty"),
        ({"question": "refuse"}, "refused"),
    ],
)
def test_what_gives_no_answer_is_a_failure_with_its_kind(given: dict[str, Any], kind: str) -> None:
    [answer] = _ask(SmallModelCalls(_Model()), **given)
    assert (answer["ok"], answer["kind"]) == (False, kind) and answer["reason"]


def test_an_empty_answer_and_no_model_are_failures() -> None:
    assert _ask(SmallModelCalls(_Model(" \n")))[0]["kind"] == "empty"
    assert _ask(SmallModelCalls(None))[0]["kind"] == "absent"


def test_a_model_that_does_not_answer_in_time_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent:
        async def ask(self, prompt: str, *, max_output: int) -> ModelSaid:
            await asyncio.Event().wait()
            raise AssertionError("never")

    monkeypatch.setattr(small_model, "_SECONDS", 0.01)
    assert _ask(SmallModelCalls(Silent()))[0]["kind"] == "timeout"
