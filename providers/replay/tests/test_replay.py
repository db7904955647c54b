"""The provider keeps the contract, and a transcript that is wrong is told with its line."""

from __future__ import annotations

import json
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest

from aries_kernel import errors
from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.testing.provider_script import ScriptedAnswer, collect, sample_request
from aries_kernel.testing.provider_suite import ProviderSuite
from aries_provider_replay import Options, ReplayProvider
from aries_provider_replay.transcript import Answer, Piece, read_transcript

KINDS = {
    errors.RateLimited: "rate_limited",
    errors.Overloaded: "overloaded",
    errors.NetworkDown: "network_down",
    errors.AuthRefused: "auth_refused",
    errors.QuotaExhausted: "quota_exhausted",
    errors.ContextOverflow: "context_overflow",
    errors.RequestRefused: "request_refused",
}


def as_line(answer: ScriptedAnswer) -> dict[str, Any]:
    pieces: list[dict[str, Any]] = []
    if answer.reasoning:
        pieces.append({"reasoning": answer.reasoning})
    if answer.text:
        pieces.append({"text": answer.text})
    for call in answer.calls:
        pieces.append({"call": call.name, "arguments": call.arguments, "id": call.wire_id})
    line: dict[str, Any] = {"pieces": pieces}
    if answer.usage is not None:
        line["usage"] = attrs.asdict(answer.usage)
    if answer.fault is not None:
        line |= {"error": KINDS[answer.fault.error], "after": answer.fault.after}  # type: ignore[index]
    elif answer.stop is None:
        line["cut"] = True
    else:
        line["stop"] = answer.stop.value
    return line


def provider_on(folder: Path, lines: Sequence[dict[str, Any]]) -> ReplayProvider:
    (folder / "t.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return ReplayProvider(ProviderContext(Options(), {}, folder))


class TestReplay(ProviderSuite):
    model = "t.jsonl"

    @asynccontextmanager
    async def playing(self, *answers: ScriptedAnswer) -> AsyncIterator[Provider]:
        with tempfile.TemporaryDirectory() as folder:
            provider = provider_on(Path(folder), [as_line(answer) for answer in answers or [ScriptedAnswer("x")]])
            yield provider
            await provider.close()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "t.jsonl:2: is not JSON"),
        ('{"piece": []}', "t.jsonl:2: piece is unknown; known here: pieces, stop, "),
        ('{"pieces": [{"txt": "x"}]}', "t.jsonl:2: pieces.[0].txt is unknown; known here: text, reasoning, "),
        ('{"usage": {"in": 1}}', "t.jsonl:2: usage.in is unknown; known here: input, "),
        ('{"stop": {"x": 1}}', "stop must be one of"),
        ('{"pieces": [{}]}', "piece 1 must hold one of text, reasoning, call, wait"),
        ('{"pieces": [{"text": "a", "call": "b"}]}', "text and call"),
        ('{"pieces": [{"call": "b", "arguments": 3}]}', "object or as a raw text"),
        ('{"stop": "ended"}', "stop must be one of"),
        ('{"error": "rate_limit"}', "did you mean 'rate_limited'"),
        ("3", "must be an object with keys"),
    ],
)
def test_a_wrong_line_is_told_with_its_place(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "t.jsonl").write_text(f'{{"pieces": []}}\n{line}\n', encoding="utf-8")
    with pytest.raises(errors.UserError) as caught:
        read_transcript(tmp_path / "t.jsonl")
    assert told in str(caught.value)


def test_all_wrong_lines_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text("{\n[\n", encoding="utf-8")
    with pytest.raises(errors.UserError, match=r"(?s):1: .*:2: "):
        read_transcript(tmp_path / "t.jsonl")


def test_an_empty_a_missing_and_a_binary_file_are_told(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for name, told in (
        ("empty", "is empty"),
        ("none", "cannot be read"),
        ("binary", "not UTF-8"),
        (".", "cannot be read"),
    ):
        with pytest.raises(errors.UserError, match=told):
            read_transcript(tmp_path / name)


def test_lines_may_hold_any_character_and_end_in_crlf(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_bytes(
        '{"pieces": [{"text": "a\u2028b\x0b"}]}\r\n\r\n'.replace("\x0b", "\\u000b").encode()
    )
    assert read_transcript(tmp_path / "t.jsonl") == (Answer((Piece(text="a\u2028b\x0b"),)),)


def test_a_transcript_that_is_played_out_says_so(tmp_path: Path) -> None:
    import asyncio

    provider = provider_on(tmp_path, [{"pieces": [{"text": "only"}], "cut": True}])

    async def play() -> None:
        with pytest.raises(errors.StreamCut):
            await collect(provider, sample_request("t.jsonl"))
        with pytest.raises(errors.RequestRefused, match="no further try of answer 1"):
            await collect(provider, sample_request("t.jsonl"))

    asyncio.run(play())
