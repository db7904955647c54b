"""What a provider must survive of a server that cannot be trusted, whatever its wire format.

`WireSuite` knows no format: the suites of the formats (`chat_suite`, `messages_suite`, `gemini_suite`,
`responses_suite`) say how answers and refusals look, and a provider's tests subclass one of those.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
import pytest

from aries_kernel.errors import (
    ContextOverflow,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
    RetriableError,
    StreamCut,
)
from aries_kernel.model.messages import (
    AssistantMessage,
    Image,
    StopReason,
    ToolCall,
    UserMessage,
)
from aries_kernel.model.request import ToolSchema
from aries_kernel.model.stream import Remark, StreamPiece, TextPiece, UsageReport
from aries_kernel.model.usage import Usage
from aries_kernel.testing.overflow_texts import OVERFLOWS
from aries_kernel.testing.provider_script import (
    ScriptedAnswer,
    ScriptedCall,
    collect,
    joined_calls,
    run_limited,
    sample_request,
)
from aries_kernel.testing.scripted_wire import ScriptedWire
from aries_kernel.testing.wire_server import Cut, Pause, RecordedRequest, Send, Step, WireReply, WireServer

__all__ = ["WireSuite", "text_of"]

_CALL = ScriptedCall("Bash", '{"command":"echo one"}', "call_1")
_DATE = "Mon, 30 Nov 2026 10:00:00 GMT"


def text_of(pieces: Sequence[StreamPiece]) -> str:
    """The text of an answer."""
    return "".join(piece.text for piece in pieces if isinstance(piece, TextPiece))


class WireSuite(ScriptedWire):
    """The contract of a provider whose answers are server-sent events."""

    @pytest.mark.parametrize("style", ["comments", "crlf", "cr", "tight", "no last blank line", "blank lines"])
    def test_every_form_of_events_gives_the_same_answer(self, style: str) -> None:
        answer = ScriptedAnswer("Grüße 👋", calls=(_CALL,), usage=Usage(input=3, output=4))
        text = "".join(f"{event}\n\n" for event in self.events(answer))
        match style:
            case "comments":
                text = ": keep-alive\n\n" + text.replace("\n\n", "\n\n: PROCESSING\n\n:\n\n")
            case "crlf":
                text = text.replace("\n", "\r\n")
            case "cr":
                text = text.replace("\n", "\r")
            case "tight":
                text = text.replace("data: ", "data:").replace("event: ", "event:")
            case "no last blank line":
                text = text[:-1]
            case _:
                text = text.replace("\n\n", "\n\n\n\n")
        pieces, _ = self.played(WireReply((Send(text.encode()),)))
        assert text_of(pieces) == "Grüße 👋"
        assert [(name, json.loads(raw)) for name, raw, _ in joined_calls(pieces)] == [("Bash", {"command": "echo one"})]
        assert [one.usage for one in pieces if isinstance(one, UsageReport)][-1:] == [Usage(input=3, output=4)]

    def test_comments_keep_a_slow_answer_alive(self) -> None:
        events = [f"{event}\n\n".encode() for event in self.events(ScriptedAnswer("Slowly."))]
        waiting = [step for _ in range(6) for step in (Send(b": alive\n\n"), Pause(0.15))]

        async def work() -> str:
            reply = WireReply((Send(events[0]), *waiting, *map(Send, events[1:])))
            async with WireServer([reply]) as server, self.at(server, idle_seconds=0.5) as provider:
                return text_of(await collect(provider, sample_request(self.model)))

        assert run_limited(work()) == "Slowly."

    @pytest.mark.parametrize(
        ("headers", "after"),
        [
            ({}, None),
            ({"retry-after": "2"}, 2.0),
            ({"retry-after": "0.25"}, 0.25),
            ({"retry-after-ms": "1500"}, 1.5),
            ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
            ({"retry-after": "Mon, 30 Nov 2026 10:00:07 GMT", "date": _DATE}, 7.0),
            ({"retry-after": "Mon, 30 Nov 2026 09:00:00 GMT", "date": _DATE}, 0.0),
            ({"retry-after": "soon"}, None),
            ({"retry-after": "-3"}, None),
            ({"retry-after": ""}, None),
        ],
    )
    @pytest.mark.parametrize("error", [RateLimited, Overloaded])
    def test_every_kind_of_retry_header_is_understood(
        self, error: type[RetriableError], headers: Mapping[str, str], after: float | None
    ) -> None:
        status, message = self.faults()[error]
        raised = self._raised(self.refusal(status, message, headers))
        assert type(raised) is error
        assert isinstance(raised, RetriableError) and raised.after == after

    def test_a_server_that_says_whether_to_try_again_is_believed(self) -> None:
        status, message = self.faults()[RateLimited]
        assert isinstance(self._raised(self.refusal(status, message, {"x-should-retry": "false"})), RequestRefused)
        assert isinstance(self._raised(self.refusal(500, "internal", {"x-should-retry": "true"})), Overloaded)

    @pytest.mark.parametrize("status", [500, 502, 503, 504, 529])
    def test_a_server_in_trouble_is_asked_again(self, status: int) -> None:
        assert isinstance(self._raised(self.refusal(status, "internal error")), Overloaded)

    def test_a_request_that_is_too_large_is_too_long_a_conversation(self) -> None:
        assert isinstance(self._raised(self.refusal(413, "Request exceeds the maximum size")), ContextOverflow)

    @pytest.mark.parametrize("message", OVERFLOWS)
    def test_every_way_to_say_that_the_conversation_is_too_long_is_understood(self, message: str) -> None:
        assert type(self._raised(self.refusal(400, message))) is ContextOverflow

    def test_a_limit_of_tokens_a_minute_is_no_overflow(self) -> None:
        message = "Rate limit reached: too many input tokens per minute, your request exceeds the limit of 30000 TPM."
        assert isinstance(self._raised(self.refusal(429, message)), RateLimited)

    def test_an_error_before_the_first_word_of_a_good_answer_has_its_class(self) -> None:
        for error in (Overloaded, RateLimited, QuotaExhausted):
            event = f"{self.fault_event(*self.faults()[error])}\n\n"
            assert type(self._raised(WireReply((Send(event.encode()),)))) is error

    def test_an_error_as_plain_json_under_a_good_status_has_its_class(self) -> None:
        reply = attrs.evolve(self.refusal(*self.faults()[Overloaded]), status=200)
        assert type(self._raised(reply)) is Overloaded

    @pytest.mark.parametrize("breaks", [Cut(), None])
    def test_a_connection_that_breaks_inside_a_call_leaves_no_call(self, breaks: Cut | None) -> None:
        half = ScriptedAnswer(calls=(ScriptedCall("Bash", '{"command":"touch X', "c"),), stop=None)
        steps: tuple[Step, ...] = tuple(Send(f"{event}\n\n".encode()) for event in self.events(half))
        reply = WireReply((*steps, *([breaks] if breaks else [])), framing="chunked" if breaks else "close")
        assert isinstance(self._raised(reply), StreamCut)

    def test_a_piece_that_is_no_json_is_a_cut_stream(self) -> None:
        events = [f"{event}\n\n" for event in self.events(ScriptedAnswer("All done."))]
        broken = "".join([*events[:2], 'data: {"type":\n\n', *events[2:]])
        assert isinstance(self._raised(WireReply((Send(broken.encode()),))), StreamCut)

    @pytest.mark.parametrize("count", [10**400, 10**30])
    def test_a_count_of_tokens_that_cannot_be_ruins_neither_answer_nor_sums(self, count: int) -> None:
        pieces, _ = self.played(self.wire(ScriptedAnswer("Hi.", usage=Usage(input=count, output=count))))
        assert text_of(pieces) == "Hi."
        assert sum(piece.usage.total for piece in pieces if isinstance(piece, UsageReport)) < 10**6

    def test_one_refused_tool_does_not_cost_the_others(self) -> None:
        request = attrs.evolve(sample_request(self.model), tools=(_tool("Good"), _tool("Bad"), _tool("Last")))
        refused = WireReply((Send(json.dumps(self.tool_refusal(1, "Bad")).encode()),), 400)
        pieces, bodies = self.played(refused, self.wire(ScriptedAnswer("ok")), request=request)
        assert [self.tool_names(body) for body in bodies] == [["Good", "Bad", "Last"], ["Good", "Last"]]
        assert ["Bad" in piece.text for piece in pieces if isinstance(piece, Remark)] == [True]
        assert text_of(pieces) == "ok"

    def test_a_tool_that_was_refused_is_not_offered_again(self) -> None:
        request = attrs.evolve(sample_request(self.model), tools=(_tool("Bad"), _tool("Good")))
        refused = WireReply((Send(json.dumps(self.tool_refusal(0, "Bad")).encode()),), 400)

        async def work() -> list[RecordedRequest]:
            replies = [refused, self.wire(ScriptedAnswer("one")), self.wire(ScriptedAnswer("two"))]
            async with WireServer(replies) as server, self.at(server) as provider:
                await collect(provider, request)
                again = await collect(provider, request)
                assert not any(isinstance(piece, Remark) for piece in again)
                return server.requests

        assert [self.tool_names(json.loads(one.body)) for one in run_limited(work())] == [
            ["Bad", "Good"],
            ["Good"],
            ["Good"],
        ]

    def test_a_picture_is_shown_to_a_model_that_sees_and_told_to_one_that_does_not(self) -> None:
        request = sample_request(self.model, UserMessage("Look.", images=(_PICTURE,)), UserMessage("Well?"))
        pieces, [body] = self.played(self.wire(ScriptedAnswer("ok")), request=request)
        remarks = [piece.text for piece in pieces if isinstance(piece, Remark)]
        if self._sees():
            assert (self.pictures(body), remarks) == ([_PICTURE.data], [])
        else:
            assert self.pictures(body) == []
            assert "[image shot.png, 2x1: not shown" in json.dumps(body)
            assert len(remarks) == 1 and "reads text only" in remarks[0]

    def test_a_refused_picture_costs_the_picture_and_not_the_session(self) -> None:
        said = "messages.0.content.0.image.source.base64: image dimensions exceed max allowed size: 8000 pixels"
        request = sample_request(self.model, UserMessage("Look.", images=(_PICTURE,)))
        refusals = [self.refusal(400, said)] if self._sees() else []  # A model that does not see is never shown one.
        pieces, bodies = self.played(*refusals, self.wire(ScriptedAnswer("ok")), request=request)
        assert [self.pictures(body) for body in bodies] == [*([_PICTURE.data] for _ in refusals), []]
        remarks = [piece.text for piece in pieces if isinstance(piece, Remark) and "refuses an image" in piece.text]
        assert len(remarks) == len(refusals)
        assert text_of(pieces) == "ok"

    def _sees(self) -> bool:
        return self.provider_at("http://127.0.0.1:9", "key-of-the-suite", 1.0).model_info(self.model).has_images

    def pictures(self, body: Any) -> list[str]:
        """The data of all pictures in a body, base64; whatever carries it holds it as one text."""
        found: list[str] = []
        for value in _texts_in(body):
            if value.removeprefix("data:image/png;base64,") == _PICTURE.data:
                found.append(_PICTURE.data)
        return found

    def test_ids_that_a_server_repeats_are_told_apart_in_the_history(self) -> None:
        [body] = self._bodies_for(self._two_rounds("dup", "dup"))
        ids = self.call_ids(body)
        assert len(set(ids)) == 2
        assert self.result_ids(body) == ids

    def test_calls_without_ids_get_some(self) -> None:
        [body] = self._bodies_for(self._two_rounds(None, None))
        ids = self.call_ids(body)
        assert len({*ids, ""}) == 3
        assert self.result_ids(body) == ids

    def test_a_call_without_a_result_gets_one(self) -> None:
        history = (
            UserMessage("Go."),
            AssistantMessage((ToolCall("c1", "Bash", "{}", "x"),), StopReason.END, "elsewhere", "other"),
            UserMessage("What happened?"),
        )
        [body] = self._bodies_for(sample_request(self.model, *history))
        assert self.result_ids(body) == self.call_ids(body)
        assert "no result was recorded" in json.dumps(body)

    def test_a_longer_history_begins_with_the_same_bytes(self) -> None:
        longer = self._two_rounds("a", "b")
        shorter = attrs.evolve(longer, messages=longer.messages[:3])
        bodies = [self.without_marks(body) for body in self._bodies_for(shorter, longer)]
        first, second = (json.dumps(body, ensure_ascii=False).rstrip("]}") for body in bodies)
        assert second.startswith(first)


_PICTURE = Image(
    "image/png",
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAAAAADRSSBWAAAADElEQVR4nGNgYPgPAAECAQCGV1EVAAAAAElFTkSuQmCC",
    2, 1, "shot.png",
)  # fmt: skip


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(one)


def _tool(name: str) -> ToolSchema:
    return ToolSchema(name, f"Does {name}.", {"type": "object", "properties": {"path": {"type": "string"}}})
