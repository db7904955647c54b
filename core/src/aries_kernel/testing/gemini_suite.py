"""The wire format of Google's Gemini, and the streams of it that cannot be trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import pytest

from aries_kernel.errors import (
    AriesError,
    AuthRefused,
    ContextOverflow,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
    StreamCut,
)
from aries_kernel.model.messages import (
    AssistantMessage,
    Reasoning,
    ResultsMessage,
    ResultStatus,
    StopReason,
    ToolCall,
    ToolResult,
    UserMessage,
)
from aries_kernel.model.stream import Stopped
from aries_kernel.model.usage import Usage
from aries_kernel.testing.bad_server_suite import WireSuite, text_of
from aries_kernel.testing.provider_script import ScriptedAnswer, ScriptedCall, sample_request
from aries_kernel.testing.wire_server import Send, WireReply

__all__ = ["GeminiSuite"]

_STATUS = {
    400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
}  # fmt: skip
_WORDS = {StopReason.END: "STOP", StopReason.LENGTH: "MAX_TOKENS", StopReason.FILTERED: "SAFETY"}
_SIGNED = ("c2lnbmF0dXJlIG9uZQ==", "c2lnbmF0dXJlIHR3bw==", "c2lnbmF0dXJlIDM=")
SKIPPED = "skip_thought_signature_validator"

Part = dict[str, Any]


class GeminiSuite(WireSuite):
    """Subclasses say which provider and which model; the model is one that wants signatures."""

    operations: ClassVar[tuple[str, ...]] = (":streamGenerateContent?alt=sse",)

    def events(self, answer: ScriptedAnswer) -> list[str]:
        return [f"data: {raw}" for raw in self.records(answer)]

    def records(self, answer: ScriptedAnswer) -> Iterator[str]:
        """Each response as JSON; a call whose arguments are no JSON makes the response as broken as they are."""
        parts = [json.dumps({"text": char, "thought": True}) for char in answer.reasoning]
        parts += [json.dumps({"text": char}, ensure_ascii=False) for char in answer.text]
        parts += [self._call(call) for call in answer.calls]
        for part in parts or ['{"text": ""}']:
            yield f'{{"candidates": [{{"index": 0, "content": {{"role": "model", "parts": [{part}]}}}}]}}'
        usage = answer.usage
        counts = usage and {
            "promptTokenCount": usage.input + usage.cache_read,
            "cachedContentTokenCount": usage.cache_read,
            "candidatesTokenCount": usage.output,
        }
        if answer.stop is not None:
            last = {"candidates": [{"index": 0, "finishReason": _WORDS[answer.stop]}]}
            yield json.dumps(last | ({"usageMetadata": counts} if counts else {}))

    def _call(self, call: ScriptedCall) -> str:
        wire_id = f'"id": {json.dumps(call.wire_id)}, ' if call.wire_id else ""
        return f'{{"functionCall": {{{wire_id}"name": {json.dumps(call.name)}, "args": {call.arguments}}}}}'

    def faults(self) -> Mapping[type[AriesError], tuple[int, str]]:
        return {
            AuthRefused: (400, "API key not valid. Please pass a valid API key."),
            ContextOverflow: (400, "The input token count (2000000) exceeds the maximum number of tokens allowed."),
            Overloaded: (503, "The model is overloaded. Please try again later."),
            QuotaExhausted: (429, "Quota exceeded for metric: generate_content_free_tier_requests, limit: 0"),
            RateLimited: (429, "Resource has been exhausted: too many requests per minute."),
            RequestRefused: (400, "Invalid value at 'generation_config.temperature'"),
        }

    def fault_record(self, status: int, message: str) -> object:
        return {"error": {"code": status, "message": message, "status": _STATUS.get(status, "UNKNOWN")}}

    def fault_event(self, status: int, message: str) -> str:
        return f"data: {json.dumps(self.fault_record(status, message))}"

    def tool_names(self, body: Any) -> list[str]:
        return [one["name"] for tool in body["tools"] for one in tool["functionDeclarations"]]

    def tool_refusal(self, place: int, name: str) -> object:
        where = f"tools[0].function_declarations[{place}].parameters.properties[path].items"
        return self.fault_record(400, f"* GenerateContentRequest.{where}: missing field.")

    def call_ids(self, body: Any) -> list[str]:
        return [_known_by(part["functionCall"]) for part in _parts(body) if "functionCall" in part]

    def result_ids(self, body: Any) -> list[str]:
        return [_known_by(part["functionResponse"]) for part in _parts(body) if "functionResponse" in part]

    def test_arguments_cut_by_the_output_limit_are_not_repaired(self) -> None:
        calls = (ScriptedCall("Bash", '{"command":"rm -rf x', "c"),)
        self.fails(ScriptedAnswer(calls=calls, stop=StopReason.LENGTH), StreamCut)

    def test_ids_that_a_server_repeats_are_told_apart_in_the_history(self) -> None:
        [body] = self._bodies_for(self._two_rounds("dup", "dup"))
        assert self.call_ids(body) == self.result_ids(body) == ["dup", "Bash"]

    def test_calls_without_ids_get_some(self) -> None:
        """Here they need none: results are told by name and order."""
        [body] = self._bodies_for(self._two_rounds(None, None))
        assert self.call_ids(body) == self.result_ids(body) == ["Bash", "Bash"]

    def test_all_results_of_a_step_are_in_one_content_in_the_order_of_the_calls(self) -> None:
        calls = (ToolCall("c1", "Read", '{"a":1}'), ToolCall("c2", "Bash", "{}"), ToolCall("c3", "Read", '{"a":2}'))
        results = (
            ToolResult("c3", "Read", ResultStatus.OK, "three"),
            ToolResult("c1", "Read", ResultStatus.OK, "one"),
        )
        answer = AssistantMessage(calls, StopReason.END, "elsewhere", "other")
        said = (UserMessage("Go."), answer, ResultsMessage(results), UserMessage("On."))
        [body] = self._bodies_for(sample_request(self.model, *said))
        given = [part["functionResponse"] for part in body["contents"][2]["parts"]]
        assert [(one["name"], *one["response"]) for one in given] == [
            ("Read", "output"), ("Bash", "error"), ("Read", "output"),
        ]  # fmt: skip
        assert [one["response"].get("output") for one in given] == ["one", None, "three"]

    def test_signatures_go_back_on_the_part_they_came_on(self) -> None:
        parts: list[Part] = [
            {"text": "Hm. ", "thought": True},
            {"text": "First. ", "thoughtSignature": _SIGNED[0]},
            {"text": "Second."},
            {"functionCall": {"name": "Bash", "args": {"command": "a"}}, "thoughtSignature": _SIGNED[1]},
            {"functionCall": {"name": "Bash", "args": {"command": "b"}}},
            {"text": "", "thoughtSignature": _SIGNED[2]},
        ]
        [body] = self._bodies_for(self._after(self._answered(*parts)))
        assert body["contents"][1] == {"role": "model", "parts": parts[1:]}

    def test_a_signature_on_a_thought_keeps_the_thought(self) -> None:
        parts: list[Part] = [
            {"text": "Gründe", "thought": True, "thoughtSignature": _SIGNED[0]},
            {"functionCall": {"name": "Bash", "args": {}}, "thoughtSignature": _SIGNED[1]},
        ]
        [body] = self._bodies_for(self._after(self._answered(*parts)))
        assert body["contents"][1]["parts"] == parts

    def test_the_first_call_that_another_model_made_says_that_it_has_no_signature(self) -> None:
        calls = (ToolCall("c1", "Bash", "{}"), ToolCall("c2", "Bash", "{}"))
        mark = Reasoning("", self.provider_name, "other-model", '{"place": "next", "signature": "c2ln"}')
        answer = AssistantMessage((mark, *calls), StopReason.END, self.provider_name, "other-model")
        [body] = self._bodies_for(self._after(answer))
        assert [part.get("thoughtSignature") for part in body["contents"][1]["parts"]] == [SKIPPED, None]

    def test_refused_signatures_cost_the_signatures_and_not_the_session(self) -> None:
        answer = self._answered({"functionCall": {"name": "Bash", "args": {}}, "thoughtSignature": _SIGNED[0]})
        replies = (self.refusal(400, "Corrupted thought signature."), self.wire(ScriptedAnswer("ok")))
        pieces, bodies = self.played(*replies, request=self._after(answer))
        assert [body["contents"][1]["parts"][0]["thoughtSignature"] for body in bodies] == [_SIGNED[0], SKIPPED]
        assert text_of(pieces) == "ok"

    @pytest.mark.parametrize(
        ("word", "reason"),
        [
            ("STOP", StopReason.END), ("MAX_TOKENS", StopReason.LENGTH), ("SAFETY", StopReason.FILTERED),
            ("RECITATION", StopReason.FILTERED), ("PROHIBITED_CONTENT", StopReason.FILTERED),
            ("BLOCKLIST", StopReason.FILTERED), ("SPII", StopReason.FILTERED), ("OTHER", StopReason.OTHER),
            ("SOMETHING_NEW", StopReason.OTHER),
        ],
    )  # fmt: skip
    def test_each_word_for_a_stop_has_its_reason(self, word: str, reason: StopReason) -> None:
        pieces, _ = self.played(
            _stream({"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": word}]})
        )
        assert isinstance(pieces[-1], Stopped) and pieces[-1].reason is reason

    @pytest.mark.parametrize(
        "word",
        [
            "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE",
            "MALFORMED_RESPONSE",
        ],
    )  # fmt: skip
    def test_an_answer_that_the_server_calls_unusable_is_asked_for_again(self, word: str) -> None:
        call = {"functionCall": {"name": "Bash", "args": {"command": "rm x"}}}
        reply = _stream({"candidates": [{"content": {"parts": [call]}, "finishReason": word, "finishMessage": "why"}]})
        error = self._raised(reply)
        assert isinstance(error, StreamCut) and word in str(error) and "why" in str(error)

    def test_a_blocked_prompt_is_filtered_and_says_why(self) -> None:
        pieces, _ = self.played(_stream({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}))
        assert isinstance(pieces[-1], Stopped)
        assert (pieces[-1].reason, "PROHIBITED_CONTENT" in pieces[-1].wire_reason) == (StopReason.FILTERED, True)

    def test_the_last_counts_win_and_thoughts_are_part_of_the_output(self) -> None:
        counts = [
            {"promptTokenCount": 100, "candidatesTokenCount": 5},
            {
                "promptTokenCount": 100,
                "cachedContentTokenCount": 60,
                "candidatesTokenCount": 7,
                "thoughtsTokenCount": 20,
            },
        ]
        ends: list[Part] = [{}, {"finishReason": "STOP"}]
        records = [
            {"candidates": [{"content": {"parts": [{"text": "x"}]}} | end], "usageMetadata": one}
            for one, end in zip(counts, ends, strict=True)
        ]
        pieces, _ = self.played(_stream(*records))
        usages = [piece.usage for piece in pieces if hasattr(piece, "usage")]
        assert usages[-1] == Usage(input=40, cache_read=60, output=27, reasoning=20)

    def test_a_call_in_pieces_that_nobody_asked_for_is_a_cut_stream(self) -> None:
        call = {"functionCall": {"name": "Bash", "partialArgs": [{"jsonPath": "$.command"}], "willContinue": True}}
        reply = _stream({"candidates": [{"content": {"parts": [call]}, "finishReason": "STOP"}]})
        assert isinstance(self._raised(reply), StreamCut)

    def test_a_list_of_responses_in_place_of_events_is_read_all_the_same(self) -> None:
        records = [json.loads(one) for one in self.records(ScriptedAnswer("Hi.", usage=Usage(3, output=1)))]
        pieces, _ = self.played(WireReply((Send(json.dumps(records, indent=1).encode()),), framing="length"))
        assert text_of(pieces) == "Hi."

    @pytest.mark.parametrize(
        ("details", "expected", "after"),
        [
            ([{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}], RateLimited, 34.0),
            ([{"violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel"}]}], QuotaExhausted, None),
            ([{"violations": [{"quotaId": "RequestsPerMinute"}]}, {"retryDelay": "0.5s"}], RateLimited, 0.5),
            ([{"reason": "MODEL_CAPACITY_EXHAUSTED"}], Overloaded, None),
        ],
    )  # fmt: skip
    def test_the_details_of_a_refusal_tell_a_passing_limit_from_a_final_one(
        self, details: list[Part], expected: type[AriesError], after: float | None
    ) -> None:
        record = {"error": {"code": 429, "message": "Too busy.", "status": "RESOURCE_EXHAUSTED", "details": details}}
        for body in (record, [record]):
            error = self._raised(WireReply((Send(json.dumps(body).encode()),), 429, framing="length"))
            assert (type(error), getattr(error, "after", None)) == (expected, after)

    def test_the_words_of_a_refusal_tell_how_long_to_wait(self) -> None:
        message = "You exceeded your current quota. Quota exceeded for metric: x, limit: 15\nPlease retry in 34.07s."
        error = self._raised(self.refusal(429, message))
        assert isinstance(error, RateLimited) and error.after == 34.07

    def _answered(self, *parts: Part) -> AssistantMessage:
        """The message that the loop makes of these parts, one response each."""
        records: list[Part] = [{"candidates": [{"content": {"parts": [part]}}]} for part in parts]
        for record in records:
            self.check_event(record)
        return self._message_of(_stream(*records, {"candidates": [{"finishReason": "STOP"}]}))


def _stream(*records: Part) -> WireReply:
    return WireReply((Send("".join(f"data: {json.dumps(one)}\n\n" for one in records).encode()),))


def _parts(body: Any) -> list[Part]:
    return [part for content in body["contents"] for part in content["parts"]]


def _known_by(record: Part) -> str:
    return str(record.get("id") or record["name"])
