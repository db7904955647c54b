"""The stable prefix: the same bytes in every turn, on every day and branch, in whatever order plugins are found."""

from __future__ import annotations

import asyncio
import datetime
import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from aries_kernel.host import Host
from aries_kernel.router.ledger import read_spendings
from aries_kernel.testing.fakes import FakePlugins, NoteTool, PeekTool, make_host
from aries_kernel.testing.wire_server import RecordedRequest, Send, WireReply, WireServer
from aries_provider_openai.provider import OpenAIProvider

SETTINGS = {"models": {"primary": {"model": "openai/gpt-4.1"}}, "permissions": {"mode": "all"}}


def server(cached: bool = True) -> Any:
    """Calls a tool at each first question and answers at each second; what was sent before is cached."""
    known: list[bytes] = []

    def reply(request: RecordedRequest) -> WireReply:
        has_result = json.loads(request.body)["messages"][-1]["role"] == "tool"
        call = {"index": 0, "id": "x", "function": {"name": "Peek", "arguments": '{"path": "a"}'}}
        delta = {"content": "done"} if has_result else {"tool_calls": [call]}
        read = max((len(_common(one, request.body)) for one in known), default=0) // 4 if cached else 0
        known.append(request.body)
        usage = {
            "prompt_tokens": len(request.body) // 4,
            "completion_tokens": 5,
            "prompt_tokens_details": {"cached_tokens": read},
        }
        events = [
            {"choices": [{"index": 0, "delta": delta, "finish_reason": "stop"}]},
            {"choices": [], "usage": usage},
        ]
        return WireReply(tuple(Send(f"data: {json.dumps(one)}\n\n".encode()) for one in events))

    return reply


def _common(one: bytes, other: bytes) -> bytes:
    size = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[:size]


def bodies(folder: Path, *sessions: Sequence[Any]) -> list[list[bytes]]:
    """The bodies that each session sends; a session is a function that changes the host, then its prompts."""

    async def play() -> list[list[bytes]]:
        found = []
        async with WireServer(server()) as wire:
            for change, *prompts in sessions:
                start = len(wire.requests)
                host = make_host(
                    folder,
                    None,
                    settings={**SETTINGS, "providers": {"openai": {"base_url": wire.url}}},
                    others={"openai": OpenAIProvider},
                    environ={"OPENAI_API_KEY": "none"},
                )
                (folder / "work" / "a").write_text("x", encoding="utf-8")
                change(host)
                agent = host.open()
                for prompt in prompts:
                    outcome = await agent.run(prompt)
                    assert outcome.text == "done", outcome.reason
                await host.close()
                found.append([request.body for request in wire.requests[start:]])
        return found

    return asyncio.run(asyncio.wait_for(play(), 30))


def as_it_is(host: Host) -> None:
    """Changes nothing."""


def another_day(host: Host) -> None:
    host.surroundings = attrs.evolve(
        host.surroundings, now=lambda: datetime.datetime(2027, 12, 31, 23, 59, tzinfo=datetime.UTC)
    )


def another_branch(host: Host) -> None:
    head = host.cwd / ".git" / "HEAD"
    head.parent.mkdir(exist_ok=True)
    head.write_text("ref: refs/heads/elsewhere\n", encoding="utf-8")


def another_order(host: Host) -> None:
    plugins: Any = host.plugins
    host.plugins = attrs.evolve(plugins, factories=dict(reversed(plugins.factories.items())))
    assert isinstance(host.plugins, FakePlugins)


def test_each_request_of_a_session_begins_with_all_of_the_one_before(tmp_path: Path) -> None:
    [sent] = bodies(tmp_path, (as_it_is, "one", "two", "three"))
    assert len(sent) == 6
    for before, after in itertools.pairwise(sent):
        assert before.endswith(b"]}")
        assert after.startswith(before.removesuffix(b"]}"))


@pytest.mark.parametrize("change", [another_day, another_branch, another_order])
def test_another_session_begins_with_the_same_rules_and_tools(tmp_path: Path, change: Any) -> None:
    [first], [second] = ([one[0]] for one in bodies(tmp_path, (as_it_is, "one"), (change, "one")))
    heads = [{**json.loads(body), "prompt_cache_key": "", "messages": []} for body in (first, second)]
    systems = [json.loads(body)["messages"][0] for body in (first, second)]
    assert json.dumps(heads[0]) == json.dumps(heads[1])
    assert json.dumps(systems[0]) == json.dumps(systems[1])
    assert (
        [tool["function"]["name"] for tool in heads[0]["tools"]]
        == ["Note", "Peek"]
        == sorted(tool.name for tool in (NoteTool, PeekTool))
    )


def test_a_cache_that_keeps_what_it_saw_is_missed_by_nothing_of_ours(tmp_path: Path) -> None:
    bodies(tmp_path, (as_it_is, "one", "two", "three"))
    problems: list[str] = []
    spent = list(read_spendings(tmp_path / "state" / "usage", problems))
    assert len(spent) == 6 and problems == []
    assert [(one.cache.missed, one.cache.reason) for one in spent] == [(0, "")] * 6
    assert all(one.cache.read > 0 for one in spent[1:])
