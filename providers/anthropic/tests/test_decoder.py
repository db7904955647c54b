"""Answers in the Messages format, whole, broken and cut."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from aries_kernel.contracts.provider import Provider
from aries_kernel.errors import AriesError, Overloaded
from aries_kernel.model.stream import CallPiece, Stopped, StreamPiece
from aries_kernel.testing.messages_suite import MessagesSuite
from aries_kernel.testing.mutations import mutated
from aries_kernel.testing.provider_suite import ScriptedAnswer, ScriptedCall, joined_calls
from aries_provider_anthropic.decoder import MessageDecoder
from aries_provider_http.answer import AnswerReader
from aries_provider_http.faults import Fault
from aries_provider_http.wire_names import ToolNames

RAW = '{"command":"echo \\"x\\" ü"}'
ANSWER = ScriptedAnswer("Grüße 👋", "Hm.", (ScriptedCall("Bash", RAW, "a"), ScriptedCall("Bash", RAW, "b")))


class Script(MessagesSuite):
    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        raise NotImplementedError


def judge(fault: Fault) -> AriesError:
    return Overloaded(fault.message)


def read(body: bytes, cuts: Sequence[int] = ()) -> list[StreamPiece]:
    """All pieces of a body that arrives cut at these places."""
    reader = AnswerReader(MessageDecoder(ToolNames(["Bash"]), judge, {}))
    found: list[StreamPiece] = []
    for start, end in pairwise(sorted({0, len(body), *(cut % (len(body) + 1) for cut in cuts)})):
        found += reader.feed(body[start:end])
    return [*found, *reader.end()]


def as_body(records: list[Any]) -> bytes:
    return "".join(f"data: {json.dumps(record)}\n\n" for record in records).encode()


RECORDS: list[Any] = list(Script().records(ANSWER))
GOOD = joined_calls(read(as_body(RECORDS)))


def outcome(work: Callable[[], list[StreamPiece]]) -> object:
    try:
        pieces = work()
    except AriesError as error:
        return type(error)
    return joined_calls(pieces), pieces[-1]


def test_the_script_is_a_good_answer() -> None:
    assert [json.loads(raw) for _, raw, _ in GOOD] == [json.loads(RAW)] * 2


@given(mutated(RECORDS), st.lists(st.integers(0, 10_000), max_size=4))
@settings(max_examples=150)
def test_a_broken_answer_gives_pieces_or_an_error_of_ours(records: list[Any], cuts: list[int]) -> None:
    try:
        pieces = read(as_body(records), cuts)
    except AriesError:
        return
    assert isinstance(pieces[-1], Stopped)
    assert all(isinstance(piece, StreamPiece) for piece in pieces)
    calls = [piece for piece in pieces if isinstance(piece, CallPiece)]
    assert all(isinstance(piece.arguments, str) and isinstance(piece.name, str) for piece in calls)


@given(st.integers(0, 100_000))
def test_an_answer_that_breaks_off_is_never_taken_for_a_whole_one(cut: int) -> None:
    body = as_body(RECORDS)
    try:
        pieces = read(body[: cut % len(body)])
    except AriesError:
        return
    assert joined_calls(pieces) == GOOD, "what ended properly is whole"


@given(mutated(RECORDS), st.lists(st.integers(0, 10_000), max_size=4))
@settings(max_examples=50)
def test_how_the_bytes_are_cut_changes_nothing(records: list[Any], cuts: list[int]) -> None:
    body = as_body(records)
    assert outcome(lambda: read(body)) == outcome(lambda: read(body, cuts))
