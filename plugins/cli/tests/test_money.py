"""`aries models` and `aries usage`, and what a session says before it asks a model that cannot do the work."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from aries_kernel.testing.wire_server import RecordedRequest, Send, WireReply, WireServer


@frozen
class Done:
    code: int
    out: str
    err: str
    requests: tuple[RecordedRequest, ...]

    @property
    def document(self) -> Any:
        return json.loads(self.out)


def reply(record: RecordedRequest) -> WireReply:
    """An answer that was cached in part, or the server's list of models."""
    if record.method == "GET":
        listed = {"data": [{"id": "gpt-5-mini"}, {"id": "fresh-1", "context_length": 64000}]}
        return WireReply((Send(json.dumps(listed).encode()),), headers={"content-type": "application/json"})
    usage = {"prompt_tokens": 1000, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 400}}
    events = [
        {"choices": [{"index": 0, "delta": {"content": "hi"}, "finish_reason": "stop"}]},
        {"choices": [], "usage": usage},
    ]
    return WireReply(tuple(Send(f"data: {json.dumps(one)}\n\n".encode()) for one in events))


@pytest.fixture
def aries(tmp_path: Path) -> Callable[..., list[Done]]:
    """Runs several command lines after each other, with one server for all; they may begin with `VARIABLE=value`."""

    def run(*lines: Sequence[str], config: str = "") -> list[Done]:
        async def play() -> list[Done]:
            found = []
            async with WireServer(reply) as server:
                for line in lines:
                    known = len(server.requests)
                    words = [word.replace("=URL", f"={server.url}") for word in line]
                    code, out, err = await _process(tmp_path, words, config.replace("URL", server.url))
                    found.append(Done(code, out, err, tuple(server.requests[known:])))
            return found

        return asyncio.run(asyncio.wait_for(play(), 60))

    return run


async def _process(folder: Path, line: Sequence[str], config: str) -> tuple[int, str, str]:
    work, home = folder / "work", folder / "home"
    work.mkdir(exist_ok=True)
    (home / ".aries").mkdir(parents=True, exist_ok=True)
    (home / ".aries" / "config.yaml").write_text(config, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ARIES_", "OPENAI_"))}
    given = dict(word.split("=", 1) for word in itertools.takewhile(lambda word: "=" in word, line))
    home_of = {"HOME": str(home), "USERPROFILE": str(home)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "aries_cli", *line[len(given):],
        cwd=work, env={**kept, **home_of, "OPENAI_API_KEY": "k-123456789", **given},
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()


PRICED = """
providers:
  openai:
    base_url: URL/v1
    models:
      gpt-5-mini: {price: {input: 10, output: 100, cache_read: 1}}
models:
  shortnames: {mini: openai/gpt-5-mini}
"""
COST = (600 * 10 + 400 * 1 + 10 * 100) / 1e6


@pytest.mark.parametrize("by", ["day", "session", "turn", "slot", "model", "purpose"])
def test_usage_sums_what_sessions_spent(aries: Any, by: str) -> None:
    *_, last = aries(["-p", "a", "-m", "mini"], ["-c", "-p", "b"], ["usage", "--by", by, "--json"], config=PRICED)
    document = last.document
    total = document["total"]
    assert (total["requests"], total["input"], total["cache_read"], total["output"]) == (2, 1200, 800, 20)
    assert total["cost_usd"] == pytest.approx(2 * COST)
    keys = [row["key"] for row in document["rows"]]
    assert len(keys) == (2 if by == "turn" else 1)
    expected = {"slot": "primary", "model": "openai/gpt-5-mini", "purpose": "answer"}
    assert by not in expected or keys == [expected[by]]


def test_usage_is_a_table_for_people(aries: Any) -> None:
    _, empty_days, shown = aries(["-p", "a"], ["usage", "--session", "2"], ["usage", "--by", "model"], config=PRICED)
    assert empty_days.code == 0
    header, row = shown.out.strip().splitlines()
    assert header.split() == ["MODEL", "REQUESTS", "FRESH", "CACHED", "STORED", "MISSED", "OUTPUT", "US$"]
    assert row.split() == ["openai/gpt-5-mini", "1", "600", "400", "0", "0", "10", f"{COST:.4f}"]


def test_usage_without_any_session_says_so(aries: Any) -> None:
    [shown] = aries(["usage"])
    assert (shown.code, shown.out) == (0, "Nothing was spent yet.\n")


def test_usage_of_an_unknown_session_is_a_mistake(aries: Any) -> None:
    [shown] = aries(["usage", "--session", "nope"])
    assert shown.code == 2 and "There is no session 'nope'" in shown.err


def test_a_cost_that_nobody_knows_is_null(aries: Any) -> None:
    config = PRICED.replace("gpt-5-mini: {price: {input: 10, output: 100, cache_read: 1}}", "other: {}")
    config = config.replace("openai/gpt-5-mini", "openai/other")
    _, shown = aries(["-p", "a", "-m", "mini"], ["usage", "--json"], config=config)
    assert (shown.document["total"]["cost_usd"], shown.document["total"]["requests_of_unknown_cost"]) == (None, 1)


def test_models_shows_slots_shortnames_and_figures(aries: Any) -> None:
    config = "models: {cheap: {model: mine, fallbacks: [gpt4o]}, shortnames: {mine: openai/gpt-4.1}}"
    [shown] = aries(["models", "--json"], config=config)
    document = shown.document
    slots = {one["slot"]: (one["model"], one["settings_of"], one["fallbacks"]) for one in document["slots"]}
    assert slots["cheap"] == ("openai/gpt-4.1", "cheap", ["gpt4o"])
    assert slots["bulk"][:2] == ("openai/gpt-4.1", "cheap")
    assert slots["reasoning"][1] == "primary"
    assert document["shortnames"]["mine"] == "openai/gpt-4.1" and "opus" in document["shortnames"]
    openai = next(one for one in document["providers"] if one["provider"] == "openai")
    figures = next(one for one in openai["models"] if one["name"] == "gpt-5-mini")
    assert figures["context_window"] and figures["price"]["input"] and figures["has_tools"]


def test_models_makes_no_request_unless_it_is_to_refresh(aries: Any) -> None:
    shown, refreshed, again = aries(
        ["models", "openai"], ["models", "openai", "--refresh"], ["models", "openai"], config=PRICED
    )
    assert shown.requests == () and again.requests == ()
    assert [request.method for request in refreshed.requests] == ["GET"]
    assert "fresh-1" not in shown.out
    assert "fresh-1" in refreshed.out and "fresh-1" in again.out and "64,000" in again.out


def test_the_list_of_one_server_is_not_taken_for_that_of_another(aries: Any) -> None:
    relay = "OPENAI_BASE_URL=URL/v1"
    there, here, again = aries(
        [relay, "models", "openai", "--refresh"], ["models", "openai"], [relay, "models", "openai"]
    )
    assert "fresh-1" in there.out and "fresh-1" not in here.out and "fresh-1" in again.out


def test_a_window_that_only_the_servers_list_has_counts_in_sessions(aries: Any) -> None:
    _, shown = aries(["models", "openai", "--refresh"], ["-m", "openai/fresh-1", "doctor"], config=PRICED)
    assert "window 64,000 tokens" in shown.out


def test_an_unknown_provider_lists_the_known_ones(aries: Any) -> None:
    [shown] = aries(["models", "opnai"])
    assert shown.code == 2 and "Did you mean 'openai'" in shown.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-m", "opsu"], "Did you mean 'opus'"),
        (["-m", "openai/gpt-5-chat"], "cannot call tools"),
        (["-m", "openai/tiny"], "window of openai/tiny is too small"),
        (["-m", "mini", "--effort", "hihg"], "'hihg' is not one of"),
    ],
)
def test_what_cannot_work_is_said_before_anything_is_sent(aries: Any, arguments: list[str], said: str) -> None:
    config = PRICED.replace("    models:\n", "    models:\n      tiny: {context_window: 500}\n")
    [shown] = aries(["-p", "hi", *arguments], config=config)
    assert (shown.code, shown.requests) == (2, ())
    assert said in shown.err


def test_the_effort_of_the_flag_reaches_the_server(aries: Any) -> None:
    [shown] = aries(["-p", "hi", "-m", "mini", "--effort", "high"], config=PRICED)
    assert json.loads(shown.requests[0].body)["reasoning_effort"] == "high"
