"""Everything that is paid for is recorded: hidden and failed requests too, cached tokens apart from fresh ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aries_kernel import errors
from aries_kernel.model.spending import CacheUse
from aries_kernel.model.stream import UsageReport
from aries_kernel.model.usage import Price, Usage
from aries_kernel.router.ledger import Ledger, read_spendings
from aries_kernel.testing.fakes import call, end, text

ONE = {"primary": {"model": "one/main"}}
PRICE = Price(10.0, 20.0, cache_read=1.0, cache_write=12.5)


def said(words: str, usage: Usage, cost: float | None = None) -> list[Any]:
    return [text(words), UsageReport(usage, cost), end()]


def test_each_request_is_one_line_with_its_tokens_apart(sessions: Any) -> None:
    usages = [Usage(100, 0, 900, 10), Usage(50, 1000, 40, 20, 5)]
    one = sessions.named(*[said("ok", usage) for usage in usages], price=PRICE)
    agent, outcomes = sessions.play({"one": one}, ONE, "a", "b")
    first, second = sessions.spent
    assert [(one.turn, one.usage, one.slot, one.model) for one in (first, second)] == [
        (1, usages[0], "primary", "one/main"),
        (2, usages[1], "primary", "one/main"),
    ]
    assert first.cost == pytest.approx((100 * 10 + 900 * 12.5 + 10 * 20) / 1e6)
    assert second.cost == pytest.approx((50 * 10 + 1000 * 1 + 40 * 12.5 + 20 * 20) / 1e6)
    assert [outcome.cost for outcome in outcomes] == [first.cost, second.cost]
    assert {one.session for one in (first, second)} == {agent.session.id}


def test_an_attempt_that_failed_is_recorded_as_one_where_it_cost_something(sessions: Any) -> None:
    paid = UsageReport(Usage(input=7))
    one = sessions.named(
        [text("x"), paid, errors.Overloaded("busy")], [errors.Overloaded("busy")], said("ok", Usage(9))
    )
    _, [outcome] = sessions.play({"one": one}, ONE, "a")
    assert [(one.usage.input, one.failed) for one in sessions.spent] == [(7, True), (9, False)]
    assert outcome.usage == Usage(input=16)


def test_what_the_server_says_it_charges_counts_before_any_price(sessions: Any) -> None:
    one = sessions.named(said("ok", Usage(1000), 0.25), price=PRICE)
    _, [outcome] = sessions.play({"one": one}, ONE, "a")
    assert (outcome.cost, sessions.spent[0].cost) == (0.25, 0.25)


def test_a_cost_that_is_not_known_is_not_called_nothing(sessions: Any) -> None:
    one = sessions.named(said("ok", Usage(1000)))
    _, [outcome] = sessions.play({"one": one}, ONE, "a")
    assert (outcome.cost, sessions.spent[0].cost) == (None, None)


def test_the_limit_in_money_ends_a_turn(sessions: Any) -> None:
    steps = [[call("Peek", path="x"), UsageReport(Usage(input=60_000)), end()], said("never", Usage())]
    one = sessions.named(*steps, price=PRICE)
    _, [outcome] = sessions.play({"one": one}, ONE, "a", budget={"max_cost": 0.5})
    assert "budget.max_cost" in outcome.reason


def test_what_was_read_and_missed_of_the_cache_is_recorded(sessions: Any) -> None:
    usages = [Usage(10, 0, 2000), Usage(10, 2000, 500), Usage(2600, 0, 0)]
    one = sessions.named(*[said("ok", usage) for usage in usages])
    sessions.play({"one": one}, ONE, "a", "b", "c")
    assert [one.cache for one in sessions.spent] == [CacheUse(0, 2000), CacheUse(2000, 500), CacheUse(0, 0, 2510)]


def test_a_server_that_never_tells_of_a_cache_misses_nothing(sessions: Any) -> None:
    one = sessions.named(*[said("ok", Usage(2000))] * 2)
    sessions.play({"one": one}, ONE, "a", "b")
    assert [one.cache for one in sessions.spent] == [CacheUse(), CacheUse()]


def cached(words: str = "ok") -> list[Any]:
    return said(words, Usage(10, 0, 2000))


@pytest.mark.parametrize(
    ("switch", "reason"),
    [("one/other", "the model changed from one/main"), ("high", "the effort changed from none to high")],
)
def test_a_miss_that_was_ours_to_avoid_says_why(sessions: Any, switch: str, reason: str) -> None:
    one = sessions.named(cached(), cached())
    sessions.play({"one": one}, ONE, "a", lambda agent: agent.switch(switch), "b")
    assert sessions.spent[1].cache == CacheUse(0, 2000, 2010, reason)


def test_a_miss_after_the_tools_changed_names_them(sessions: Any) -> None:
    widening = [call("Note", path="x"), UsageReport(Usage(10, 0, 2000)), end()]
    one = sessions.named(widening, cached())
    sessions.play({"one": one}, ONE, "a", phase="few", phases={"few": {"tools": ["Peek"]}})
    assert sessions.spent[1].cache.reason == "the tools changed: +Note"


def test_a_miss_after_the_conversation_was_shortened_says_so(sessions: Any) -> None:
    big = [text("long " * 300), UsageReport(Usage(10, 0, 900)), end()]
    one = sessions.named(big, [text("Sum."), end()], said("ok", Usage(400)), context_window=1000)
    sessions.play({"one": one}, ONE, "a", "b")
    assert sessions.spent[-1].cache.reason == "the conversation was shortened or changed"


def test_nothing_of_our_doing_is_in_a_conversation_that_just_goes_on(sessions: Any) -> None:
    one = sessions.named([call("Peek", path="x"), *cached()], cached(), cached())
    sessions.play({"one": one}, ONE, "a", "b")
    assert [one.cache.reason for one in sessions.spent] == ["", "", ""]


def test_a_ledger_torn_by_a_crash_keeps_its_other_lines(sessions: Any, tmp_path: Path) -> None:
    one = sessions.named(said("ok", Usage(1)), said("ok", Usage(2)))
    agent, _ = sessions.play({"one": one}, ONE, "a", "b")
    path = tmp_path / "state" / "usage" / f"{agent.session.id}.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    ledger = Ledger(path)
    ledger.add(sessions_line(path))
    ledger.close()
    problems: list[str] = []
    assert [one.usage.input for one in read_spendings(path.parent, problems)] == [1, 1]
    assert len(problems) == 1 and f"{path}:2" in problems[0]


def sessions_line(path: Path) -> Any:
    return next(iter(read_spendings(path.parent, [])))


def test_a_folder_that_cannot_be_written_is_told_once_and_ends_nothing(sessions: Any, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "usage").write_text("in the way", encoding="utf-8")
    one = sessions.named(said("ok", Usage(1)), said("ok", Usage(1)))
    _, outcomes = sessions.play({"one": one}, ONE, "a", "b")
    assert [outcome.text for outcome in outcomes] == ["ok", "ok"]
    assert sessions.notices.count("cannot be recorded") == 1
