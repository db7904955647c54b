"""Answers of many servers as stream pieces."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.errors import (
    AriesError,
    AuthRefused,
    ContextOverflow,
    EmptyAnswer,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
    StreamCut,
)
from aries_kernel.model.messages import StopReason
from aries_kernel.model.stream import Heartbeat, ReasoningPiece, Stopped, StreamPiece, TextPiece, UsageReport
from aries_kernel.model.usage import Usage
from aries_kernel.testing.provider_script import joined_calls
from aries_provider_http.answer import AnswerReader
from aries_provider_http.faults import FaultClassifier
from aries_provider_http.wire_names import ToolNames
from aries_provider_openai.decoder import ChunkDecoder

JUDGE = FaultClassifier("here", str, "Set KEY.", lambda: ("m",))
TOOLS = ("Bash", "Read", "haha", "BashOutput", "mcp.server/tool")


def reader() -> AnswerReader:
    return AnswerReader(ChunkDecoder(ToolNames(TOOLS), lambda fault: JUDGE.error(fault, "m"), {}))


def decode_bytes(*chunks: bytes) -> list[StreamPiece]:
    answer = reader()
    return [piece for chunk in chunks for piece in answer.feed(chunk)] + answer.end()


def decode(*records: object, done: bool = True) -> list[StreamPiece]:
    events = [f"data: {json.dumps(record)}\n\n" for record in records] + ["data: [DONE]\n\n"] * done
    return decode_bytes("".join(events).encode())


def delta(finish: object = None, **content: object) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": content, "finish_reason": finish}]}


STOP = delta("stop")


def calls(*deltas: Mapping[str, object]) -> list[tuple[str, str, str | None]]:
    return joined_calls(decode(*[delta(tool_calls=[one]) for one in deltas], STOP))


def call(name: str | None = None, arguments: Any = None, **rest: object) -> dict[str, object]:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return {**rest, "function": function}


def text(pieces: list[StreamPiece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, TextPiece))


def reasoning(pieces: list[StreamPiece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, ReasoningPiece))


def usage(pieces: list[StreamPiece]) -> Usage | None:
    return next((piece.usage for piece in reversed(pieces) if isinstance(piece, UsageReport)), None)


ONE, TWO = '{"a":"{1}"}', '{"a":"\\"}"}'


@pytest.mark.parametrize(
    "deltas",
    [
        [call("Bash", ONE, index=0, id="x"), call("Read", TWO, index=1, id="y")],
        [call("Bash", ONE, index=0), call("Read", TWO, index=0)],
        [call("Bash", ONE, index=0, id="x"), call("Read", TWO, index=0, id="y")],
        [call("Bash", ONE, index=0, id="x"), call("Read", TWO, index=0, id="x")],
        [call("Bash", ONE), call("Read", TWO)],
        [call("Bash", {"a": "{1}"}, index=0), call("Read", {"a": '"}'}, index=0)],
        [call("Bash", "", index=0, id="x"), call(None, ONE, index=0), call("Read", "", index=1),
         call(None, TWO, index=1)],
        [call("Bash", ONE[:5], id="x"), call(None, ONE[5:]), call("Read", TWO[:3], id="y"), call(None, TWO[3:])],
        [call("Bash", ONE[:5], index=0, id="x"), call("Read", TWO[:3], index=1), call(None, ONE[5:], index=0),
         call(None, TWO[3:], index=1)],
        [call("Bash", ONE[:5], index=0, id="x"), call("Bash", ONE[5:], index=0, id="x"),
         call("Read", TWO, index=1, id="y")],
        [call("Bash", ONE[:5], index=0, id="x"), call("Bash", ONE[5:], index=0, id="z"),
         call("Read", TWO, index=1, id="y")],
        [call("Ba", index=0, id="x"), call("sh", index=0), call(None, ONE, index=0), call("Read", TWO, index=1)],
        [call("Bash", index=0, id="x"), call("Bash", ONE, index=0, id="x"), call("Read", TWO, index="1", id="y")],
        [call("Bash", ONE, index=0, id="x"), call("Bash", ONE, index=0, id="x"), call("Read", TWO, index=1, id="y")],
        [call("Bash", ONE[:5], index=0, id="x"), call(None, ONE[5:], index=0), call("Bash", ONE, index=0, id="x"),
         call("Read", TWO, index=1, id="y")],
        [call("Bash", None, index=0, id="x"), call(None, ONE, index=0, id=""), call("Read", TWO, index=1, id=None)],
        [{"name": "Bash", "arguments": ONE}, {"name": "Read", "arguments": TWO}],
    ],
)  # fmt: skip
def test_two_calls_come_out_as_two(deltas: list[dict[str, object]]) -> None:
    got = [(name, json.loads(raw)) for name, raw, _ in calls(*deltas)]
    assert got == [("Bash", {"a": "{1}"}), ("Read", {"a": '"}'})]


def test_calls_in_one_delta_without_an_index_are_told_apart_by_their_place() -> None:
    both = [call("Bash", ONE[:4], id="x"), call("Bash", TWO[:4], id="y")]
    rest = [call(None, ONE[4:]), call(None, TWO[4:])]
    got = joined_calls(decode(delta(tool_calls=both), delta(tool_calls=rest), STOP))
    assert got == [("Bash", ONE, "x"), ("Bash", TWO, "y")]


def test_a_name_that_is_a_part_of_another_is_not_taken_for_a_repetition() -> None:
    assert calls(call("ha", index=0), call("ha", index=0), call(None, "{}", index=0))[0][0] == "haha"


def test_a_growing_name_is_not_added_up() -> None:
    assert calls(call("Bash", index=0), call("BashOutput", index=0), call(None, "{}", index=0))[0][0] == "BashOutput"


def test_two_tools_without_arguments_are_two_calls() -> None:
    assert [name for name, _, _ in calls(call("Bash", "", index=0), call("Read", "", index=0))] == ["Bash", "Read"]


def test_a_name_that_had_to_be_changed_comes_back_as_it_was() -> None:
    wire = ToolNames(TOOLS).to_wire("mcp.server/tool")
    assert calls(call(wire, "{}", index=0)) == [("mcp.server/tool", "{}", None)]


def test_the_old_field_alone_is_a_call() -> None:
    pieces = decode(
        delta(function_call={"name": "Bash", "arguments": '{"a"'}),
        delta("function_call", function_call={"arguments": ":1}"}),
    )
    assert joined_calls(pieces) == [("Bash", '{"a":1}', None)]
    assert pieces[-1] == Stopped(StopReason.END, "function_call")


def test_what_must_go_back_with_a_call_is_kept_by_its_place() -> None:
    extra = {"google": {"thought_signature": "c2ln"}}
    both = [call("Read", "{}", index=0), call("Bash", "{}", index=1, extra_content=extra)]
    [kept] = [piece.opaque for piece in decode(delta(tool_calls=both), STOP) if isinstance(piece, ReasoningPiece)]
    assert json.loads(kept or "") == {"field": None, "extra_content": {"1": extra}}


@pytest.mark.parametrize(
    "junk", [None, [], [None], "x", [3], {}, [{"function": None}], [{"index": 0}], [{"function": 4}]]
)
def test_junk_in_place_of_calls_is_no_call(junk: object) -> None:
    assert joined_calls(decode(delta(tool_calls=junk), STOP)) == []


NAMES = st.sampled_from(["Bash", "Read", "BashOutput"])
ARGUMENTS = st.dictionaries(st.text(max_size=4), st.text() | st.integers() | st.lists(st.booleans()), max_size=3)


@given(
    wanted=st.lists(st.tuples(NAMES, ARGUMENTS), min_size=1, max_size=5),
    style=st.sampled_from(["openai", "ollama", "object", "repeating", "no index", "interleaved"]),
    size=st.integers(1, 9),
)
def test_every_style_gives_the_same_calls(wanted: list[tuple[str, dict[str, object]]], style: str, size: int) -> None:
    deltas: list[dict[str, object]] = []
    queues: list[list[dict[str, object]]] = []
    for number, (name, arguments) in enumerate(wanted):
        raw = json.dumps(arguments, ensure_ascii=number % 2 == 0)
        parts = [raw[start : start + size] for start in range(0, len(raw), size)]
        match style:
            case "ollama":
                made = [call(name, raw, index=0)]
            case "object":
                made = [call(name, arguments, index=0)]
            case "repeating":
                made = [call(name, part, index=number, id=f"i{number}") for part in parts]
            case "no index":
                made = [call(name, "", id=f"i{number}"), *(call(None, part) for part in parts)]
            case _:
                made = [call(name, "", index=number, id=f"i{number}"), *(call(None, p, index=number) for p in parts)]
        deltas += made
        queues.append(made)
    if style == "interleaved":
        longest = max(map(len, queues))
        deltas = [queue[step] for step in range(longest) for queue in queues if step < len(queue)]
    assert [(name, json.loads(raw)) for name, raw, _ in calls(*deltas)] == wanted


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("stop", StopReason.END), ("tool_calls", StopReason.END), ("function_call", StopReason.END),
        ("end_turn", StopReason.END), ("eos", StopReason.END), ("tool_use", StopReason.END), ("STOP", StopReason.END),
        ("length", StopReason.LENGTH), ("max_tokens", StopReason.LENGTH), ("content_filter", StopReason.FILTERED),
        ("malformed_function_call", StopReason.OTHER), ("weird", StopReason.OTHER),
    ],
)  # fmt: skip
def test_the_reason_for_the_stop_is_translated(word: str, reason: StopReason) -> None:
    assert decode(delta(content="x"), delta(word))[-1] == Stopped(reason, word)


@pytest.mark.parametrize("word", [None, "", "null", 0, [], {}])
def test_a_reason_that_says_nothing_is_none(word: object) -> None:
    with pytest.raises(StreamCut):
        decode(delta(word, content="x"))


def test_done_alone_is_no_reason() -> None:
    with pytest.raises(StreamCut):
        decode(delta(content="All d"), done=True)


def test_the_end_of_the_body_ends_a_stopped_answer() -> None:
    assert decode(delta(content="x"), STOP, done=False)[-1] == Stopped(StopReason.END, "stop")


@pytest.mark.parametrize("word", ["error", "network_error", "insufficient_system_resource", "abort"])
def test_a_stop_by_failure_is_no_answer(word: str) -> None:
    with pytest.raises(Overloaded):
        decode(delta(content="x"), delta(word))


def test_a_limit_is_not_undone_by_a_later_stop() -> None:
    assert decode(delta("length", content="x"), STOP)[-1] == Stopped(StopReason.LENGTH, "length")


def test_a_limit_before_the_first_word_is_an_overflow() -> None:
    with pytest.raises(ContextOverflow):
        decode(delta("length"), {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 0}})


def test_a_refusal_is_text_and_a_filtered_stop() -> None:
    pieces = decode(delta(refusal="I can't."), STOP)
    assert (text(pieces), pieces[-1]) == ("I can't.", Stopped(StopReason.FILTERED, "refusal"))


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning", "reasoning_text"])
def test_reasoning_keeps_the_name_of_its_field(name: str) -> None:
    pieces = decode(delta(**{name: "hm "}), delta(**{name: "so", "content": None}), delta(content="x"), STOP)
    assert reasoning(pieces) == "hm so"
    last = [piece for piece in pieces if isinstance(piece, ReasoningPiece)][-1]
    assert json.loads(last.opaque or "") == {"field": name}


def test_reasoning_in_two_fields_is_not_added_up() -> None:
    both = delta(reasoning="hm", reasoning_content="hm", content="x")
    assert reasoning(decode(both, delta(reasoning="m"), STOP)) == "hm"


def test_reasoning_details_are_joined_and_kept() -> None:
    first = {"type": "reasoning.text", "index": 0, "text": "a"}
    pieces = decode(
        delta(reasoning="a", reasoning_details=[first]),
        delta(reasoning="b", reasoning_details=[{**first, "text": "b"}]),
        delta(reasoning_details=[{"type": "reasoning.text", "index": 0, "signature": "s"}, {"type": "e", "index": 1}]),
        STOP,
    )
    last = [piece for piece in pieces if isinstance(piece, ReasoningPiece)][-1]
    wanted = [{"type": "reasoning.text", "index": 0, "text": "ab", "signature": "s"}, {"type": "e", "index": 1}]
    assert json.loads(last.opaque or "") == {"field": "reasoning", "details": wanted}


def test_content_may_be_a_list_of_parts() -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "a"}, "b", 3]
    pieces = decode(delta(content=parts), STOP)
    assert (reasoning(pieces), text(pieces)) == ("hm", "ab")


def test_only_the_first_choice_counts() -> None:
    other = {"index": 1, "delta": {"content": "no"}, "finish_reason": "stop"}
    with pytest.raises(StreamCut):
        decode({"choices": [other, {"index": 0, "delta": {"content": "yes"}}]}, {"choices": [other]})


def test_a_message_beside_the_deltas_is_not_said_twice() -> None:
    last = {"choices": [{"index": 0, "message": {"content": "Hi"}, "finish_reason": "stop"}]}
    assert text(decode(delta(content="Hi"), last)) == "Hi"


def test_a_pair_split_between_two_pieces_is_joined() -> None:
    assert text(decode(delta(content="a\ud83d"), delta(content="\ude00b"), STOP)) == "a😀b"


def test_half_a_pair_becomes_the_replacement_character() -> None:
    assert text(decode(delta(content="a\ud83db"), delta(content="\ude00\ud83d"), STOP)) == "a\ufffdb\ufffd\ufffd"


USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        (USAGE, Usage(input=100, output=20)),
        (USAGE | {"prompt_tokens_details": {"cached_tokens": 40}}, Usage(input=60, cache_read=40, output=20)),
        (USAGE | {"prompt_tokens_details": {"cached_tokens": 40, "cache_write_tokens": 10}},
         Usage(input=50, cache_read=40, cache_write=10, output=20)),
        (USAGE | {"prompt_cache_hit_tokens": 30, "prompt_cache_miss_tokens": 70}, Usage(70, 30, 0, 20)),
        (USAGE | {"completion_tokens_details": {"reasoning_tokens": 5}}, Usage(input=100, output=20, reasoning=5)),
        (USAGE | {"total_tokens": 125, "completion_tokens_details": {"reasoning_tokens": 5}},
         Usage(input=100, output=25, reasoning=5)),
        (USAGE | {"prompt_tokens_details": {"cached_tokens": 400}}, Usage(cache_read=100, output=20)),
        (USAGE | {"prompt_tokens_details": None, "completion_tokens_details": "x"}, Usage(input=100, output=20)),
        ({"prompt_tokens": -5, "completion_tokens": True}, None),
        ({"prompt_tokens": "many"}, None),
        ({}, None),
        (None, None),
    ],
)  # fmt: skip
def test_tokens_are_counted(record: object, wanted: Usage | None) -> None:
    assert usage(decode(delta(content="x"), STOP, {"choices": [], "usage": record})) == wanted


@pytest.mark.parametrize("place", ["top", "choice", "groq"])
def test_usage_is_found_in_its_places(place: str) -> None:
    last: dict[str, Any] = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": None}
    if place == "top":
        last["usage"] = USAGE
    elif place == "choice":
        last["choices"][0]["usage"] = USAGE
    else:
        last["x_groq"] = {"id": "r", "usage": USAGE}
    assert usage(decode(delta(content="x"), last)) == Usage(input=100, output=20)


@pytest.mark.parametrize(
    ("record", "error"),
    [
        ({"error": {"message": "boom"}}, Overloaded),
        ({"error": "boom"}, Overloaded),
        ({"error": {"code": 429, "message": "slow down"}}, RateLimited),
        ({"error": {"code": 502, "message": "died"}, "choices": [{"delta": {}, "finish_reason": "error"}]}, Overloaded),
        ({"error": {"type": "insufficient_quota", "message": "x"}}, QuotaExhausted),
        ({"error": {"code": 402, "message": "credits"}}, QuotaExhausted),
        ({"error": {"code": "context_length_exceeded", "message": "x"}}, ContextOverflow),
        ({"error": {"type": "authentication_error", "message": "x"}}, AuthRefused),
        ({"error": {"type": "invalid_request_error", "message": "no such field"}}, RequestRefused),
        ({"error": {"code": "tool_use_failed", "message": "x", "failed_generation": "<f>"}}, EmptyAnswer),
        ({"x_groq": {"error": "over capacity"}}, Overloaded),
        ({"choices": [{"error": {"code": 503, "message": "x"}}]}, Overloaded),
        ({"object": "error", "message": "CUDA out of memory", "code": 500}, Overloaded),
        ({"detail": "gone"}, Overloaded),
        ([{"error": {"code": 503, "message": "x"}}], Overloaded),
    ],
)
def test_an_error_inside_a_stream_has_its_class(record: object, error: type[AriesError]) -> None:
    with pytest.raises(error) as caught:
        decode(delta(content="Partly"), record, STOP)
    assert type(caught.value) is error


def test_an_error_event_of_plain_text_is_an_error() -> None:
    with pytest.raises(Overloaded, match="it died"):
        decode_bytes(b"event: error\ndata: it died\n\n")


def test_comments_and_empty_chunks_are_heartbeats() -> None:
    assert reader().feed(b": hi\n\ndata: {}\n\ndata: ping\n\n") == [Heartbeat()] * 3


@pytest.mark.parametrize("body", [b'data: {"choices\n\n', b"data: [1,\n\n", b"data: " + b"[" * 100_000 + b"\n\n"])
def test_a_broken_piece_is_a_cut_stream(body: bytes) -> None:
    with pytest.raises(StreamCut):
        decode_bytes(body, b"data: " + json.dumps(STOP).encode() + b"\n\n")


def test_records_one_a_line_are_read_as_chunks() -> None:
    lines = "\n".join(json.dumps(one) for one in (delta(content="a"), delta(content="b"), STOP))
    assert text(decode_bytes(lines.encode())) == "ab"


def test_an_error_as_a_whole_body_is_judged() -> None:
    with pytest.raises(ContextOverflow):
        decode_bytes(b'\n {"error": {"message": "prompt is too long: 9 tokens > 8 maximum"}}')


def test_a_web_page_names_the_setting_to_look_at() -> None:
    with pytest.raises(RequestRefused, match="base_url"):
        decode_bytes(b"<!doctype html><title>Log in</title>")


def test_what_follows_done_is_not_read() -> None:
    body = b"data: " + json.dumps(delta("stop", content="a")).encode() + b'\n\ndata: [DONE]\n\ndata: {"error": "x"}\n\n'
    assert text(decode_bytes(body)) == "a"


KEYS = (
    "choices", "delta", "message", "content", "tool_calls", "function", "name", "arguments", "index", "id", "usage",
    "finish_reason", "error", "x_groq", "reasoning_details", "text", "details",
)  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
RECORDS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=25,
)


@given(RECORDS)
def test_no_record_makes_the_decoder_fail_in_another_way(record: object) -> None:
    try:
        decode(record, STOP)
    except AriesError as error:
        assert "\n" not in str(error)


@given(st.binary(max_size=300))
def test_no_bytes_make_the_reader_fail_in_another_way(body: bytes) -> None:
    with pytest.raises(AriesError):
        decode_bytes(body)
