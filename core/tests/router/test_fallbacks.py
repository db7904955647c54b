"""Going on with another model when a server fails, and never because of what the person has to mend."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import attrs
import pytest
from attrs import define, field

from aries_kernel import errors
from aries_kernel.contracts.provider import Outlook
from aries_kernel.errors import UserError
from aries_kernel.model.messages import AssistantMessage
from aries_kernel.model.request import ModelInfo
from aries_kernel.model.session import OutcomeStatus
from aries_kernel.model.stream import UsageReport
from aries_kernel.model.usage import Price, Usage
from aries_kernel.testing.fakes import ScriptedProvider, call, end, make_host, text

OK = [text("ok"), end()]
TWO = {"primary": {"model": "one/main", "fallbacks": ["two/other"]}}


@pytest.mark.parametrize(
    "error",
    [
        errors.RateLimited("slow"),
        errors.Overloaded("busy"),
        errors.NetworkDown("gone"),
        errors.StreamCut("cut"),
        errors.QuotaExhausted("no money"),
        errors.RateLimited("come back tomorrow", after=80_000),
    ],
)
def test_a_server_that_fails_is_replaced_by_the_fallback(sessions: Any, error: Exception) -> None:
    one, two = sessions.named(*[[text("half"), error]] * 4), sessions.named(OK)
    agent, [outcome] = sessions.play({"one": one, "two": two}, TWO, "go")
    assert (outcome.status, outcome.text) == (OutcomeStatus.DONE, "ok")
    answer = agent.session.messages[-1]
    assert isinstance(answer, AssistantMessage) and (answer.provider, answer.model) == ("two", "other")
    assert "one/main failed" in sessions.notices and "Going on with two/other" in sessions.notices


@pytest.mark.parametrize(
    "error",
    [
        errors.AuthRefused("wrong key"),
        errors.RequestRefused("no such model"),
        errors.ContextOverflow("too long"),
        errors.StoreCorrupt("broken"),
        errors.PluginError("defect", distribution="", entry_point=""),
    ],
)
def test_what_the_person_has_to_mend_is_told_and_not_worked_around(sessions: Any, error: Exception) -> None:
    one, two = sessions.named([error]), sessions.named(OK)
    _, [outcome] = sessions.play({"one": one, "two": two}, TWO, "go")
    assert (outcome.status, two.requests) == (OutcomeStatus.FAILED, [])
    assert str(error) in outcome.reason


def test_the_first_model_is_asked_again_in_the_next_turn_and_not_before(sessions: Any) -> None:
    down = [errors.NetworkDown("gone")]
    one = sessions.named(*[down] * 4, OK)
    two = sessions.named([call("Peek", path="x"), end()], OK)
    sessions.play({"one": one, "two": two}, TWO, "a", "b")
    assert (len(one.requests), len(two.requests)) == (5, 2)


def test_a_model_without_quota_is_not_asked_again_in_this_session(sessions: Any) -> None:
    one, two = sessions.named([errors.QuotaExhausted("no money")]), sessions.named(OK, OK)
    sessions.play({"one": one, "two": two}, TWO, "a", "b")
    assert (len(one.requests), len(two.requests)) == (1, 2)


def test_fallbacks_are_tried_in_order_and_the_last_error_is_told(sessions: Any) -> None:
    one, two, three = (sessions.named([errors.QuotaExhausted(f"{name} is empty")]) for name in ("a", "b", "c"))
    models = {"primary": {"model": "one/main", "fallbacks": ["two/x", "three/y"]}}
    _, [outcome] = sessions.play({"one": one, "two": two, "three": three}, models, "go")
    assert (outcome.status, outcome.reason) == (OutcomeStatus.FAILED, "c is empty")
    assert [len(provider.requests) for provider in (one, two, three)] == [1, 1, 1]


def test_a_fallback_that_cannot_be_used_is_named_at_the_start(sessions: Any) -> None:
    one, two = sessions.named(OK), sessions.named(key="")
    sessions.play({"one": one, "two": two}, TWO, "go")
    assert "models.primary.fallbacks: two/other cannot be used. There is no key." in sessions.notices


@pytest.mark.parametrize("slot", ["reasoning", "cheap", "bulk"])
def test_every_slot_has_its_own_fallbacks(sessions: Any, slot: str) -> None:
    one, two = sessions.named([errors.QuotaExhausted("no money")]), sessions.named(OK)
    models = {"primary": {"model": "one/main"}, slot: {"model": "one/own", "fallbacks": ["two/x"]}}
    sessions.play({"one": one, "two": two}, models, lambda agent: agent.switch(slot), "go")
    assert [request.model for request in one.requests + two.requests] == ["own", "x"]


def test_money_is_counted_at_each_models_own_price(sessions: Any) -> None:
    paid = UsageReport(Usage(input=1_000_000))
    one = sessions.named([text("half"), paid, errors.QuotaExhausted("no money")], price=Price(3.0, 0.0))
    two = sessions.named([text("ok"), paid, end()], price=Price(5.0, 0.0))
    _, [outcome] = sessions.play({"one": one, "two": two}, TWO, "go")
    assert outcome.cost == pytest.approx(8.0)
    assert [(one.model, one.cost, one.failed) for one in sessions.spent] == [
        ("one/main", 3.0, True),
        ("two/other", 5.0, False),
    ]


def test_a_limit_in_money_needs_the_price_of_every_fallback(sessions: Any) -> None:
    one, two = sessions.named(OK, price=Price(1.0, 1.0)), sessions.named(OK)
    with pytest.raises(UserError, match="price of two/other"):
        sessions.play({"one": one, "two": two}, TWO, "go", budget={"max_cost": 1.0})


def test_a_fallback_with_a_smaller_window_has_the_conversation_shortened_for_it(sessions: Any) -> None:
    one = sessions.named([text("word " * 2000), end()], [errors.QuotaExhausted("no money")], context_window=100_000)
    two = sessions.named([errors.ContextOverflow("too long")], [text("Summary."), end()], OK, context_window=1000)
    _, outcomes = sessions.play({"one": one, "two": two}, TWO, "a", "b")
    assert [outcome.status for outcome in outcomes] == [OutcomeStatus.DONE] * 2
    assert "shortened" in sessions.notices


@pytest.mark.parametrize("figures", [{"has_tools": False}, {"context_window": 200}])
def test_a_fallback_that_cannot_do_the_work_is_named_at_the_start_and_never_asked(
    sessions: Any, figures: dict[str, Any]
) -> None:
    one, two = sessions.named([errors.QuotaExhausted("no money")]), sessions.named(OK, **figures)
    _, [outcome] = sessions.play({"one": one, "two": two}, TWO, "go")
    assert (outcome.status, two.requests) == (OutcomeStatus.FAILED, [])
    assert "models.primary.fallbacks: two/other cannot be used." in sessions.notices


@define
class Local(ScriptedProvider):
    """Tells only when it is asked how small its window is."""

    outlook: Outlook = field(factory=lambda: Outlook(ModelInfo("")))
    looks: int = 0

    async def look_ahead(self, model: str) -> Outlook:
        self.looks += 1
        return attrs.evolve(self.outlook, model=attrs.evolve(self.outlook.model, name=model))


def test_a_fallback_that_turns_out_too_small_gives_way_to_the_next_one(sessions: Any) -> None:
    small = Local([OK], outlook=Outlook(ModelInfo("", context_window=200)))
    one, three = sessions.named([errors.QuotaExhausted("no money")]), sessions.named(OK)
    models = {"primary": {"model": "one/main", "fallbacks": ["two/small", "three/big"]}}
    _, [outcome] = sessions.play({"one": one, "two": small, "three": three}, models, "go")
    assert (outcome.status, small.requests, len(three.requests)) == (OutcomeStatus.DONE, [], 1)


def test_a_server_is_looked_at_once_before_the_first_request_and_its_warnings_are_told(sessions: Any) -> None:
    local = Local([OK, OK], outlook=Outlook(ModelInfo("", context_window=5000), ("It is slow.",)))
    agent, _ = sessions.play({"one": local}, {"primary": {"model": "one/main"}}, "a", "b")
    assert (local.looks, agent.route.window, sessions.notices.count("It is slow.")) == (1, 5000, 1)


def test_a_model_that_turns_out_too_small_ends_the_turn_with_the_cure(sessions: Any) -> None:
    local = Local([OK], outlook=Outlook(ModelInfo("", context_window=200)))
    _, [outcome] = sessions.play({"one": local}, {"primary": {"model": "one/main"}}, "a")
    assert (outcome.status, local.requests) == (OutcomeStatus.FAILED, [])
    assert "providers.one.models" in outcome.reason


@pytest.mark.parametrize(
    ("settings", "asked", "waited"),
    [({}, 1, []), ({"fallback_wait": 40}, 2, [30.0]), ({"fallback_wait": 1}, 1, [])],
)
def test_a_server_that_asks_for_a_long_wait_is_not_waited_for_where_another_model_can_go_on(
    tmp_path: Path, settings: dict[str, Any], asked: int, waited: list[float]
) -> None:
    one, two = ScriptedProvider([[errors.RateLimited("slow", after=30)], OK]), ScriptedProvider([OK])
    waits: list[float] = []
    host = make_host(
        tmp_path,
        None,
        others={"one": one, "two": two},
        settings={"models": TWO, "retry": settings},
        waits=waits,
    )

    async def play() -> None:
        assert (await host.open().run("go")).text == "ok"
        await host.close()

    asyncio.run(play())
    assert (len(one.requests), waits) == (asked, waited)
