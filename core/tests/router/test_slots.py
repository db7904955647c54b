"""Slots: each has its own model, and switching in the middle of a session."""

from __future__ import annotations

from typing import Any

import pytest

from aries_kernel.errors import MissingKey, UserError
from aries_kernel.model.messages import AssistantMessage
from aries_kernel.model.session import OutcomeStatus
from aries_kernel.model.stream import ReasoningPiece, UsageReport
from aries_kernel.model.usage import Price, Usage
from aries_kernel.testing.fakes import end, text

OK = [text("ok"), end()]
PAID = UsageReport(Usage(input=10, output=5))


@pytest.mark.parametrize("slot", ["primary", "reasoning", "cheap", "bulk"])
def test_a_slot_has_its_own_model_effort_and_limit(sessions: Any, slot: str) -> None:
    own = {"model": "two/own", "effort": "max", "max_output": 9, "context_window": 4000}
    one, two = sessions.named(OK, OK), sessions.named(OK, OK)
    models = {"primary": {"model": "one/main"}, slot: own}

    def errand(agent: Any) -> None:
        agent.switch(slot)

    agent, _ = sessions.play({"one": one, "two": two}, models, errand, "go")
    [asked] = two.requests
    assert (asked.model, asked.effort, asked.max_output, agent.route.window) == ("own", "max", 9, 4000)


@pytest.mark.parametrize(
    ("configured", "asked"),
    [
        ({}, {"reasoning": "main", "cheap": "main", "bulk": "main"}),
        ({"cheap": {"model": "one/small"}}, {"reasoning": "main", "cheap": "small", "bulk": "small"}),
        ({"bulk": {"model": "one/mass"}}, {"reasoning": "main", "cheap": "main", "bulk": "mass"}),
        ({"reasoning": {"model": "one/deep"}}, {"reasoning": "deep", "cheap": "main", "bulk": "main"}),
    ],
)
def test_a_slot_without_a_model_has_another_slot_stand_in(
    sessions: Any, configured: dict[str, Any], asked: dict[str, str]
) -> None:
    one = sessions.named()
    agent, _ = sessions.play({"one": one}, {"primary": {"model": "one/main"}, **configured})
    assert {slot: agent.router.route(slot).current.model.name for slot in asked} == asked


def test_a_provider_is_made_once_for_all_its_models(sessions: Any) -> None:
    one = sessions.named()
    models = {"primary": {"model": "one/a"}, "cheap": {"model": "one/b"}}
    sessions.play({"one": one}, models, lambda agent: agent.router.route("cheap"))
    assert len(one.contexts) == 1


def test_a_shortname_of_the_settings_names_a_model(sessions: Any) -> None:
    one = sessions.named(OK)
    models = {"primary": {"model": "mine"}, "shortnames": {"mine": "one/large"}}
    agent, _ = sessions.play({"one": one}, models, "go")
    assert (one.requests[0].model, agent.info.model) == ("large", "one/large")


def test_the_summary_is_written_by_the_slot_that_the_settings_name(sessions: Any) -> None:
    full = UsageReport(Usage(input=900))
    one = sessions.named([text("long " * 300), full, end()], OK, context_window=1000)
    two = sessions.named([text("Goal: tea."), PAID, end()], price=Price(1.0, 1.0))
    models = {"primary": {"model": "one/main"}, "cheap": {"model": "two/small"}}
    sessions.play({"one": one, "two": two}, models, "make tea", "and now?", compact={"slot": "cheap"})
    assert [(one.slot, one.purpose, one.model) for one in sessions.spent] == [
        ("primary", "answer", "one/main"),
        ("cheap", "summary", "two/small"),
        ("primary", "answer", "one/main"),
    ]


def test_a_session_goes_on_with_another_model_and_none_of_the_old_ones_secrets(sessions: Any) -> None:
    thought = ReasoningPiece("I think.", 0, '{"signature": "s"}')
    one, two = sessions.named([thought, text("first"), end()], OK), sessions.named([text("second"), end()])
    models = {"primary": {"model": "one/main"}}
    there, back = (lambda agent: agent.switch("two/other")), (lambda agent: agent.switch("one/main"))
    agent, outcomes = sessions.play({"one": one, "two": two}, models, "a", there, "b", back, "c")
    assert [outcome.text for outcome in outcomes] == ["first", "second", "ok"]
    seen = two.requests[0].messages[1]
    assert isinstance(seen, AssistantMessage) and seen.text == "I think.\n\nfirst"
    assert one.requests[1].messages[1] == agent.session.messages[1]
    assert (two.requests[0].system, two.requests[0].tools) == (one.requests[0].system, one.requests[0].tools)


def test_a_switched_session_is_resumed_with_the_model_it_was_switched_to(sessions: Any) -> None:
    one, two = sessions.named(OK), sessions.named(OK)
    models = {"primary": {"model": "one/main"}}
    agent, _ = sessions.play({"one": one, "two": two}, models, "a", lambda agent: agent.switch("two/other high"), "b")
    assert two.requests[0].effort == "high"
    assert sessions.host.store.history(agent.session.id).model == "two/other"


def test_an_effort_is_changed_alone(sessions: Any) -> None:
    one = sessions.named(OK, OK)
    sessions.play({"one": one}, {"primary": {"model": "one/main"}}, "a", lambda agent: agent.switch("low"), "b")
    assert [request.effort for request in one.requests] == [None, "low"]


@pytest.mark.parametrize(
    ("words", "error"),
    [("two/other", MissingKey), ("nonsense", UserError), ("three/x", UserError), ("a b c", UserError), ("", UserError)],
)
def test_a_switch_that_cannot_be_changes_nothing(sessions: Any, words: str, error: type[Exception]) -> None:
    one, two = sessions.named(OK, OK), sessions.named(key="")

    def switch(agent: Any) -> None:
        with pytest.raises(error):
            agent.switch(words)

    agent, outcomes = sessions.play({"one": one, "two": two}, {"primary": {"model": "one/main"}}, "a", switch, "b")
    assert [outcome.status for outcome in outcomes] == [OutcomeStatus.DONE] * 2
    assert agent.info.model == "one/main"


@pytest.mark.parametrize("figures", [{"has_tools": False}, {"context_window": 200}])
def test_a_model_that_cannot_do_the_work_is_named_before_it_is_asked(sessions: Any, figures: dict[str, Any]) -> None:
    one = sessions.named(OK, **figures)
    with pytest.raises(UserError, match=r"providers\.one\.models\.main"):
        sessions.play({"one": one}, {"primary": {"model": "one/main"}}, "go")
    assert one.requests == []
    assert sessions.host.store.summaries() == []


def test_a_switch_to_a_model_without_a_price_is_refused_where_money_is_limited(sessions: Any) -> None:
    one, two = sessions.named(OK, price=Price(1.0, 1.0)), sessions.named()

    def switch(agent: Any) -> None:
        with pytest.raises(UserError, match="price of two/other"):
            agent.switch("two/other")

    models = {"primary": {"model": "one/main"}}
    agent, _ = sessions.play({"one": one, "two": two}, models, switch, "go", budget={"max_cost": 1.0})
    assert agent.info.model == "one/main"
