"""The provider suite on a provider without a wire, and on one that tells lies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest

from aries_kernel.contracts.provider import Provider
from aries_kernel.errors import AriesError, RetriableError, StreamCut
from aries_kernel.model.messages import StopReason
from aries_kernel.model.request import ModelInfo
from aries_kernel.model.stream import CallPiece, ReasoningPiece, Stopped, TextPiece, UsageReport
from aries_kernel.testing.fakes import ScriptedProvider, Step
from aries_kernel.testing.provider_script import ScriptedAnswer, ScriptedFault
from aries_kernel.testing.provider_suite import ProviderSuite


def steps(answer: ScriptedAnswer) -> list[Step]:
    found: list[Step] = [ReasoningPiece(answer.reasoning)] if answer.reasoning else []
    found += [TextPiece(char) for char in answer.text]
    for place, call in enumerate(answer.calls):
        found += [CallPiece(str(place), call.name, call.arguments[:4], call.wire_id)]
        found += [CallPiece(str(place), arguments=call.arguments[4:])]
    if answer.usage is not None:
        found.append(UsageReport(answer.usage))
    if answer.fault is not None:
        return [*found, error_of(answer.fault)]
    if answer.stalls:
        return [*found, asyncio.Event()]
    return [*found, StreamCut("cut") if answer.stop is None else Stopped(answer.stop, answer.stop.value)]


def error_of(fault: ScriptedFault) -> AriesError:
    made = fault.error("as scripted")
    if isinstance(made, RetriableError):
        made.after = fault.after
    return made


class TestScriptedProvider(ProviderSuite):
    """Passes without a server."""

    model = "scripted"

    @asynccontextmanager
    async def playing(self, *answers: ScriptedAnswer) -> AsyncIterator[Provider]:
        provider = ScriptedProvider([steps(answer) for answer in answers], ModelInfo("scripted"))
        yield provider
        await provider.close()


LIES: dict[str, Any] = {
    "test_text_that_breaks_off_is_a_cut_stream": lambda a: attrs.evolve(a, stop=StopReason.END),
    "test_two_calls_stay_two_whatever_their_ids": lambda a: attrs.evolve(a, calls=a.calls[:1]),
    "test_usage_keeps_cached_tokens_apart_from_fresh_ones": lambda a: attrs.evolve(a, usage=None),
    "test_reasoning_arrives_apart_from_the_text": lambda a: attrs.evolve(a, text=a.reasoning + a.text, reasoning=""),
}


@pytest.mark.parametrize("name", LIES)
def test_the_suite_catches_a_provider_that_does_not_tell_the_truth(name: str) -> None:
    class Liar(TestScriptedProvider):
        __test__ = False

        @asynccontextmanager
        async def playing(self, *answers: ScriptedAnswer) -> AsyncIterator[Provider]:
            told = [LIES[name](answer) for answer in answers]
            async with super().playing(*told) as provider:
                yield provider

    arguments = (("a", "b"),) if "two_calls" in name else ()
    with pytest.raises((AssertionError, pytest.fail.Exception, ValueError)):
        getattr(Liar(), name)(*arguments)
