"""The conformance suite for groups of operations that code in the body may call.

    class TestWeather(GroupSuite):
        samples = {"forecast": {"place": "Rome", "days": 2}}

        @pytest.fixture
        def provider(self, tmp_path: Path) -> GroupProvider:
            return Weather(GroupContext(tmp_path, {}, tmp_path))

Every operation is called with a sample, and its answer compared with the shape that its definition promises.
"""

from __future__ import annotations

import ast
import asyncio
import json
import keyword
import re
from collections.abc import Mapping
from typing import Any, ClassVar, get_args

import pytest

from aries_kernel.contracts.body import ROWS, Cost, Effect, Group, GroupProvider, Operation
from aries_kernel.errors import UserError

__all__ = ["GroupSuite", "call", "parameters"]

_RECORD = re.compile(r"\{([a-z_, ]+)\}")
_KINDS: Mapping[str, type] = {"str": str, "int": int, "float": float, "bool": bool, "None": type(None)}
_PATIENCE = 60.0


def parameters(operation: Operation) -> ast.arguments:
    """What a signature says, as Python reads it."""
    told = ast.parse(f"def f{operation.signature}: ...").body[0]
    assert isinstance(told, ast.FunctionDef)
    return told.args


def call(provider: GroupProvider, operation: str, **given: object) -> Any:
    """Ask as code in the body does: what is not given has its default."""
    known = next(one for one in provider.group.operations if one.name == operation)
    told = parameters(known)
    names = [one.arg for one in told.args]
    defaults = [ast.literal_eval(one) for one in told.defaults]
    whole = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True)) | given
    # On its way it is JSON.
    return asyncio.run(asyncio.wait_for(provider.call(operation, json.loads(json.dumps(whole))), _PATIENCE))


class GroupSuite:
    """What every provider of a group must keep; see the module for how to use it."""

    samples: ClassVar[Mapping[str, Mapping[str, object]]] = {}
    """For each operation, arguments of a call that works and whose rows, where it gives rows, are not none."""

    @pytest.fixture
    def provider(self) -> GroupProvider:
        """The provider under test, with something to ask."""
        raise NotImplementedError("override the fixture `provider`")

    @pytest.fixture
    def group(self, provider: GroupProvider) -> Group:
        """Its group."""
        return provider.group

    def test_it_is_there_under_a_name_that_code_can_write(self, group: Group) -> None:
        assert group.absent is None, group.absent
        assert group.name.isidentifier() and not keyword.iskeyword(group.name) and group.summary

    def test_its_operations_have_names_and_signatures_that_python_reads(self, group: Group) -> None:
        names = [one.name for one in group.operations]
        assert names and len(set(names)) == len(names)
        for one in group.operations:
            assert one.name.isidentifier() and not one.name.startswith("_") and not keyword.iskeyword(one.name)
            told = parameters(one)
            assert not told.vararg and not told.kwarg and not told.kwonlyargs, f"{one.name}: plain arguments only"
            for default in told.defaults:
                json.dumps(ast.literal_eval(default))

    def test_each_says_what_it_does_in_a_line_and_what_it_costs(self, group: Group) -> None:
        for one in group.operations:
            assert one.summary.strip() and "\n" not in one.summary
            assert one.cost in get_args(Cost) and one.effects and set(one.effects) <= set(get_args(Effect))

    def test_every_operation_has_a_sample(self, group: Group) -> None:
        assert sorted(self.samples) == sorted(one.name for one in group.operations)

    def test_every_operation_gives_what_its_definition_says(self, provider: GroupProvider, group: Group) -> None:
        for one in group.operations:
            answer = call(provider, one.name, **self.samples[one.name])
            json.dumps(answer)
            _check_shape(one, answer)

    def test_it_answers_again_after_files_may_have_changed(self, provider: GroupProvider, group: Group) -> None:
        reading = [one.name for one in group.operations if set(one.effects) == {"reads"}]
        for name in reading[:1]:
            call(provider, name, **self.samples[name])
            provider.stale()
            call(provider, name, **self.samples[name])

    def test_an_unknown_operation_is_refused_by_name(self, provider: GroupProvider) -> None:
        with pytest.raises(UserError, match="no_such_operation"):
            asyncio.run(provider.call("no_such_operation", {}))

    def test_it_can_be_closed_before_and_after_it_was_asked(self, provider: GroupProvider, group: Group) -> None:
        async def ask_and_close() -> None:
            first = next(one for one in group.operations if "reads" in one.effects)
            told = parameters(first)
            names = [one.arg for one in told.args]
            defaults = [ast.literal_eval(one) for one in told.defaults]
            given = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
            await provider.call(first.name, {**given, **self.samples[first.name]})
            await provider.close()

        asyncio.run(asyncio.wait_for(ask_and_close(), _PATIENCE))


def _check_shape(one: Operation, answer: Any) -> None:
    shape = one.returns
    if shape.startswith("["):
        rows = answer[ROWS] if isinstance(answer, dict) else answer
        assert isinstance(rows, list), f"{one.name}: {shape}"
        if isinstance(answer, dict):
            assert set(answer) == {ROWS, "total", "note"} and answer["total"] >= len(rows)
        record = _RECORD.fullmatch(shape[1:-1])
        if record is not None:
            assert rows, f"{one.name}: the sample finds nothing"
            assert {tuple(row) for row in rows} == {tuple(record[1].split(", "))}, f"{one.name}: {shape}"
    elif (record := _RECORD.fullmatch(shape)) is not None:
        assert tuple(answer) == tuple(record[1].split(", ")), f"{one.name}: {shape}"
    elif shape in _KINDS:
        assert isinstance(answer, _KINDS[shape]), f"{one.name}: {shape}"
