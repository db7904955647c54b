"""What fills the window: parts by length, the whole as the server counts it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from attrs import define, field

from aries_kernel.errors import RetriableError
from aries_kernel.loop.occupancy import Occupancy
from aries_kernel.model.request import Request
from aries_kernel.model.stream import UsageReport
from aries_kernel.model.usage import Usage
from aries_kernel.session.entries import PrefixSet
from aries_kernel.testing.fakes import ScriptedProvider, end, make_host, text


@define
class Counting(ScriptedProvider):
    """A provider whose server counts."""

    answer: int | Exception = 0
    counted: list[Request] = field(factory=list)

    async def count_tokens(self, request: Request) -> int:
        self.counted.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def measure(folder: Path, provider: ScriptedProvider, *prompts: str) -> tuple[Occupancy, list[object]]:
    host = make_host(folder, provider)

    async def work() -> tuple[Occupancy, list[object]]:
        agent = host.open()
        for prompt in prompts:
            await agent.run(prompt)
        found = await agent.occupancy()
        log = [agent.session.history.prefix]
        await host.close()
        return found, log

    return asyncio.run(work())


def test_without_a_server_that_counts_the_parts_are_estimated(tmp_path: Path) -> None:
    script = [[text("word " * 400), UsageReport(Usage(input=300, output=500)), end()]]
    found, _ = measure(tmp_path, ScriptedProvider(script), "go")
    assert found.window == 1000 and found.tool_count == 2 and found.rules > 0 and found.tools > 0
    assert found.conversation > 400
    assert (found.last, found.best, found.counted, found.problem) == (800, 800, None, "")


def test_a_server_that_counts_is_asked_what_would_be_sent(tmp_path: Path) -> None:
    provider = Counting([[text("yes"), end()]], answer=123)
    found, _ = measure(tmp_path, provider, "go")
    assert (found.counted, found.best) == (123, 123)
    [request] = provider.counted
    assert request.system == provider.requests[0].system and request.tools == provider.requests[0].tools
    assert [type(message).__name__ for message in request.messages] == ["UserMessage", "AssistantMessage"]


def test_measuring_a_session_that_has_not_begun_writes_nothing_and_sends_a_word(tmp_path: Path) -> None:
    provider = Counting([], answer=70)
    found, [prefix] = measure(tmp_path, provider)
    assert (found.counted, found.last, found.conversation) == (70, None, 0)
    assert len(provider.counted[0].messages) == 1 and not isinstance(prefix, PrefixSet)


@pytest.mark.parametrize(("error", "said"), [(RetriableError("too busy"), "too busy"), (ValueError("odd"), "odd")])
def test_a_count_that_fails_is_told_and_the_estimate_stays(tmp_path: Path, error: Exception, said: str) -> None:
    found, _ = measure(tmp_path, Counting([[text("yes"), end()]], answer=error), "go")
    assert found.counted is None and said in found.problem and found.best > 0
