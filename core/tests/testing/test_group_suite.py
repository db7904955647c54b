"""The suite passes a group that keeps the contract and catches those that do not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from aries_kernel.contracts.body import Group, GroupContext, GroupProvider, Operation, absent, as_rows
from aries_kernel.errors import BadArguments
from aries_kernel.testing.group_suite import GroupSuite, call


class Weather:
    """A small honest group."""

    group = Group(
        "weather",
        "what it will be like",
        (
            Operation("days", "(place, count=2)", "[{day, rain}]", "The next days of a place."),
            Operation("today", "(place)", "{day, rain}", "Today at a place."),
            Operation("place", "()", "str", "Where this is."),
        ),
    )

    def __init__(self, context: GroupContext) -> None:
        self.closed = 0

    def stale(self) -> None:
        return

    async def close(self) -> None:
        self.closed += 1

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        if operation == "place":
            return "Rome"
        if operation == "today":
            return {"day": 1, "rain": True}
        if operation == "days":
            return as_rows([{"day": day, "rain": False} for day in range(arguments["count"])], 30, "dry")
        raise BadArguments(f"weather has no operation {operation!r}.")


class TestAnHonestGroup(GroupSuite):
    samples: ClassVar[Mapping[str, Mapping[str, object]]] = {
        "days": {"place": "Rome"},
        "today": {"place": "Rome"},
        "place": {},
    }

    @pytest.fixture
    def provider(self, tmp_path: Path) -> GroupProvider:
        return Weather(GroupContext(tmp_path, {}, tmp_path))


def _with(**more: Any) -> GroupProvider:
    """A group that is honest but for what is given."""
    operation = {"name": "today", "signature": "()", "returns": "str", "summary": "Today."}
    group = Group("weather", "x", (Operation(**{**operation, **more}),))
    return type("Odd", (Weather,), {"group": group})(GroupContext(Path(), {}, Path()))


def _answering(returns: str, answer: Any) -> GroupProvider:
    provider = _with(returns=returns)

    async def call(operation: str, arguments: Mapping[str, Any]) -> Any:
        return answer

    provider.call = call  # type: ignore[method-assign]
    return provider


SHAPE = GroupSuite.test_every_operation_gives_what_its_definition_says


@pytest.mark.parametrize(
    ("provider", "test"),
    [
        (lambda: _with(name="class"), GroupSuite.test_its_operations_have_names_and_signatures_that_python_reads),
        (lambda: _with(signature="(*all)"), GroupSuite.test_its_operations_have_names_and_signatures_that_python_reads),
        (lambda: _with(summary=" "), GroupSuite.test_each_says_what_it_does_in_a_line_and_what_it_costs),
        (lambda: _with(effects=("wishes",)), GroupSuite.test_each_says_what_it_does_in_a_line_and_what_it_costs),
        (lambda: _answering("str", 3), SHAPE),
        (lambda: _answering("{day, rain}", {"day": 1}), SHAPE),
        (lambda: _answering("[{day}]", as_rows([])), SHAPE),
        (lambda: _answering("[{day}]", as_rows([{"night": 1}])), SHAPE),
        (lambda: _answering("[str]", {"__rows__": ["a"]}), SHAPE),
    ],
)
def test_a_group_that_breaks_the_contract_is_caught(provider: Callable[[], GroupProvider], test: Any) -> None:
    suite: Any = type("Suite", (GroupSuite,), {"samples": {"today": {}}})()
    made = provider()
    given = {"provider": made, "group": made.group}
    names = test.__code__.co_varnames[1 : test.__code__.co_argcount]
    with pytest.raises((AssertionError, ValueError)):
        test(suite, **{name: given[name] for name in names})


def test_an_answer_that_is_no_json_is_caught() -> None:
    suite: Any = type("Suite", (GroupSuite,), {"samples": {"today": {}}})()
    provider = _answering("str", object())
    with pytest.raises(TypeError):
        SHAPE(suite, provider, provider.group)


def test_a_group_that_is_not_there_is_told_with_its_reason() -> None:
    with pytest.raises(AssertionError, match="no vault"):
        GroupSuite().test_it_is_there_under_a_name_that_code_can_write(absent("vault", "notes", "no vault here"))


def test_a_call_gets_the_defaults_that_code_in_the_body_would_send(tmp_path: Path) -> None:
    provider = Weather(GroupContext(tmp_path, {}, tmp_path))
    assert len(call(provider, "days", place="Rome")["__rows__"]) == 2
    assert len(call(provider, "days", place="Rome", count=3)["__rows__"]) == 3
    assert provider.closed == 0
    asyncio.run(provider.close())
