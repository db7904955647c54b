"""Requests as bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.model.messages import (
    AssistantMessage,
    Message,
    Reasoning,
    ResultsMessage,
    ResultStatus,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)
from aries_kernel.model.request import Request, ToolSchema
from aries_provider_http.bodies import to_bytes
from aries_provider_http.traits import with_traits
from aries_provider_http.wire_names import ToolNames
from aries_provider_openai.compat import Compat
from aries_provider_openai.encoder import Encoder

SCHEMA = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^x$"}, "b": {"anyOf": [{"enum": [1]}]}}}
TOOLS = (ToolSchema("Zeta", "z", SCHEMA), ToolSchema("Alpha", "a", {"type": "object"}))


def request(*messages: Message, **changes: Any) -> Request:
    base = Request("m", "sys", TOOLS, messages or (UserMessage("hi"),), "session-1")
    return attrs.evolve(base, **changes)


def raw(asked: Request, max_output: int | None = None, **compat: object) -> bytes:
    encoder = Encoder("openai", with_traits(Compat(), compat, "test"), max_output)
    return to_bytes(encoder.body(asked, ToolNames(tool.name for tool in asked.tools)))


def body(asked: Request, max_output: int | None = None, **compat: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(raw(asked, max_output, **compat))
    return found


def answer(*parts: Text | Reasoning | ToolCall, model: str = "m", provider: str = "openai") -> AssistantMessage:
    return AssistantMessage(parts, StopReason.END, provider, model)


def result(call: str, text: str = "out", status: ResultStatus = ResultStatus.OK) -> ToolResult:
    return ToolResult(call, "Zeta", status, text)


def test_a_plain_request_has_these_bytes() -> None:
    asked = request(UserMessage("hi", "It is Monday."), tools=())
    assert raw(asked) == (
        b'{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":'
        b'[{"role":"system","content":"sys"},{"role":"user","content":"hi\\n\\nIt is Monday."}]}'
    )


def test_tools_keep_the_order_they_were_given_in() -> None:
    assert [tool["function"]["name"] for tool in body(request())["tools"]] == ["Zeta", "Alpha"]
    assert body(request())["tools"][1]["function"]["parameters"] == {"type": "object", "properties": {}}


def test_a_longer_history_keeps_the_bytes_of_the_shorter_one() -> None:
    history = (
        UserMessage("one", "v1"),
        answer(Text("t"), ToolCall("c1", "Zeta", "{}", "w"), ToolCall("c2", "Zeta", "{}", "w")),
        ResultsMessage((result("c1"), result("c2"))),
        answer(ToolCall("c3", "Zeta", "{}", "w")),
        ResultsMessage((result("c3"),)),
        UserMessage("two", "v2"),
    )
    bodies = [raw(request(*history[:length])) for length in (1, 3, 5, 6)]
    for shorter, longer in pairwise(bodies):
        assert longer.startswith(shorter.removesuffix(b"]}"))


def test_the_first_call_keeps_the_id_of_the_server() -> None:
    calls = [
        ToolCall(f"c{number}", "Zeta", "{}", wire) for number, wire in enumerate(["w", "w", "x" * 41, "a:0", None])
    ]
    made = body(request(answer(*calls), ResultsMessage(tuple(result(f"c{n}") for n in range(5)))))["messages"]
    ids = [call["id"] for call in made[1]["tool_calls"]]
    assert ids == ["w", "c1", "c2", "c3", "c4"]
    assert [message["tool_call_id"] for message in made[2:]] == ids


def test_an_id_of_ours_that_a_server_used_before_is_replaced() -> None:
    made = body(request(answer(ToolCall("c0", "Zeta", "{}", "c1"), ToolCall("c1", "Zeta", "{}", "c1"))))["messages"]
    ids = [call["id"] for call in made[1]["tool_calls"]]
    assert ids[0] == "c1" and ids[1].startswith("call_") and len(ids[1]) <= 40


@pytest.mark.parametrize("rule", ["standard", "nine", "any"])
@given(wires=st.lists(st.none() | st.sampled_from(["functions.Bash:0", "abcdefghi", "ok", "", "ü"]), max_size=6))
def test_ids_fit_the_rule_and_are_unique(rule: str, wires: list[str | None]) -> None:
    calls = [ToolCall(f"ours {number} long" * 9, "Zeta", "{}", wire) for number, wire in enumerate(wires)]
    made = body(request(answer(Text("x"), *calls)), tool_id_rule=rule)["messages"]
    ids = [call["id"] for call in made[1].get("tool_calls", ())]
    assert len(set(ids)) == len(wires)
    longest = {"standard": 40, "nine": 9, "any": 64}[rule]
    assert all(0 < len(one) <= longest and one.isascii() and " " not in one for one in ids)


@pytest.mark.parametrize("arguments", ['{"a":', "", "[1]", "3", "null", '{"a":NaN}', "[" * 100_000])
def test_arguments_that_are_no_object_go_back_as_an_empty_one(arguments: str) -> None:
    made = body(request(answer(ToolCall("c", "Zeta", arguments)), ResultsMessage((result("c"),))))["messages"]
    assert made[1]["tool_calls"][0]["function"]["arguments"] == "{}"


def test_arguments_go_back_as_they_were_written() -> None:
    made = body(request(answer(ToolCall("c", "Zeta", '{ "a" : "\\u00fc" }'))))["messages"]
    assert made[1]["tool_calls"][0]["function"]["arguments"] == '{ "a" : "\\u00fc" }'


def test_results_follow_in_the_order_of_the_calls_and_say_what_went_wrong() -> None:
    calls = [ToolCall(f"c{number}", "Zeta", "{}") for number in range(6)]
    statuses = [
        ResultStatus.OK,
        ResultStatus.ERROR,
        ResultStatus.REFUSED,
        ResultStatus.NOT_RUN,
        ResultStatus.INTERRUPTED,
    ]
    results = [result(f"c{number}", "t", status) for number, status in enumerate(statuses)]
    made = body(request(answer(*calls), ResultsMessage(tuple(reversed(results)))))["messages"]
    assert [message["content"] for message in made[2:]] == [
        "t",
        "[error] t",
        "[refused] t",
        "[not run] t",
        "[interrupted: it may have had effects] t",
        "[interrupted: no result was recorded, it may have had effects]",
    ]


def test_calls_without_results_get_one_before_the_next_message() -> None:
    made = body(request(answer(ToolCall("c", "Zeta", "{}")), UserMessage("go on")))["messages"]
    assert [message["role"] for message in made] == ["system", "assistant", "tool", "user"]


def test_a_result_without_its_call_becomes_text() -> None:
    made = body(request(ResultsMessage((result("lost", "found"),))))["messages"]
    assert made[1] == {"role": "user", "content": "Result of an earlier call of Zeta:\nfound"}


def test_no_text_is_ever_empty() -> None:
    made = body(
        request(
            UserMessage("", ""),
            answer(Text(""), ToolCall("c", "Zeta", "{}")),
            ResultsMessage((result("c", ""),)),
            answer(Text(" \n")),
            answer(),
            system="",
        )
    )["messages"]
    assert [(message["role"], message["content"]) for message in made] == [
        ("user", "(no text)"),
        ("assistant", None),
        ("tool", "(no output)"),
    ]


THOUGHT = Reasoning("hm", "openai", "m", '{"field": "reasoning"}')


def test_reasoning_goes_back_in_its_field_to_the_model_that_made_it() -> None:
    assert body(request(answer(THOUGHT, Text("x"))))["messages"][1] == {
        "role": "assistant",
        "content": "x",
        "reasoning": "hm",
    }


def test_reasoning_details_go_back_unchanged() -> None:
    opaque = json.dumps({"field": "reasoning", "details": [{"type": "e", "data": "=="}]})
    made = body(request(answer(attrs.evolve(THOUGHT, opaque=opaque), Text("x"))))["messages"][1]
    assert made["reasoning_details"] == [{"type": "e", "data": "=="}]


def test_what_belongs_to_a_call_goes_back_with_it_to_the_same_model_only() -> None:
    part = Reasoning("", "openai", "m", '{"field": null, "extra_content": {"1": {"google": {"s": "x"}}}}')
    calls = (ToolCall("c1", "Zeta", "{}"), ToolCall("c2", "Zeta", "{}"))
    made = body(request(answer(part, *calls)))["messages"][1]["tool_calls"]
    assert "extra_content" not in made[0] and made[1]["extra_content"] == {"google": {"s": "x"}}
    other = body(request(answer(attrs.evolve(part, model="x"), *calls)))["messages"][1]["tool_calls"]
    assert all("extra_content" not in one for one in other)


@pytest.mark.parametrize(
    "part",
    [
        attrs.evolve(THOUGHT, model="other"),
        attrs.evolve(THOUGHT, provider="other"),
        attrs.evolve(THOUGHT, opaque=None),
        attrs.evolve(THOUGHT, opaque="{"),
        attrs.evolve(THOUGHT, opaque="[1]"),
        attrs.evolve(THOUGHT, opaque='{"field": "messages"}'),
    ],
)
def test_other_reasoning_is_left_out(part: Reasoning) -> None:
    assert body(request(answer(part, Text("x"))))["messages"][1] == {"role": "assistant", "content": "x"}


def test_names_that_no_server_takes_are_changed_and_stay_apart() -> None:
    names = ["mcp.a/tool", "mcp_a_tool", "x" * 70, "x" * 71, "ü", "", "Bash(ls)"]
    tools = tuple(ToolSchema(name, "", {"type": "object"}) for name in names)
    wire = [tool["function"]["name"] for tool in body(request(tools=tools))["tools"]]
    assert len(set(wire)) == len(names) and wire[1] == "mcp_a_tool"
    assert all(
        0 < len(name) <= 64 and name.replace("_", "").replace("-", "").isalnum() and name.isascii() for name in wire
    )
    back = ToolNames(names)
    assert [back.to_ours(name) for name in wire] == names


def test_halves_of_surrogate_pairs_are_replaced_and_whole_pairs_joined() -> None:
    assert body(request(UserMessage("a\ud800b\udc00 \ud83d\ude00")))["messages"][1]["content"] == "a\ufffdb\ufffd 😀"


@given(st.text(alphabet=st.characters(), max_size=40))
def test_any_text_can_be_sent_and_sent_again(text: str) -> None:
    asked = request(UserMessage(text), answer(Text(text)), system=text)
    assert raw(asked) == raw(asked)
    json.loads(raw(asked))


def test_the_output_limit_is_cut_to_the_model_s_own() -> None:
    assert body(request(max_output=900), max_output=500)["max_tokens"] == 500
    assert "max_tokens" not in body(request(), max_output=500)


BASE: dict[str, Any] = {"max_output": 9, "effort": "max"}


@pytest.mark.parametrize(
    ("field", "value", "gone", "came"),
    [
        ("max_tokens_field", "max_completion_tokens", {"max_tokens": 9}, {"max_completion_tokens": 9}),
        ("supports_store", True, {}, {"store": False}),
        ("supports_reasoning_effort", True, {}, {"reasoning_effort": "high"}),
        ("thinking_format", "openrouter", {}, {"reasoning": {"effort": "high"}}),
        ("thinking_format", "deepseek", {}, {"thinking": {"type": "enabled"}}),
        ("thinking_format", "zai", {}, {"thinking": {"type": "enabled"}}),
        ("thinking_format", "qwen", {}, {"enable_thinking": True}),
        ("thinking_format", "chat-template", {}, {"chat_template_kwargs": {"enable_thinking": True}}),
        ("states_parallel_calls", True, {}, {"parallel_tool_calls": True}),
        ("usage_in_stream", False, {"stream_options": {"include_usage": True}}, {}),
        ("session_affinity", "prompt_cache_key", {}, {"prompt_cache_key": "session-1"}),
    ],
)
def test_a_compat_field_changes_the_request(
    field: str, value: object, gone: Mapping[str, object], came: Mapping[str, object]
) -> None:
    before, after = body(request(**BASE)), body(request(**BASE), **{field: value})
    assert {key: val for key, val in before.items() if key not in after or after[key] != val} == gone
    assert {key: val for key, val in after.items() if key not in before or before[key] != val} == came


def test_efforts_have_the_server_s_names() -> None:
    made = body(request(effort="max"), supports_reasoning_effort=True, effort_names={"max": "xhigh"})
    assert made["reasoning_effort"] == "xhigh"
    deepseek = body(request(effort="low"), thinking_format="deepseek", supports_reasoning_effort=True)
    assert (deepseek["thinking"], deepseek["reasoning_effort"]) == ({"type": "enabled"}, "low")


def test_compat_fields_of_messages_change_them() -> None:
    history = (answer(Text("x"), ToolCall("c", "Zeta", "{}")), ResultsMessage((result("c"),)), UserMessage("on"))
    assert body(request(), supports_developer_role=True)["messages"][0]["role"] == "developer"
    made = body(request(*history), requires_reasoning_content_on_assistant=True)["messages"]
    assert made[1]["reasoning_content"] == ""
    assert body(request(*history), requires_tool_result_name=True)["messages"][2]["name"] == "Zeta"
    roles = [one["role"] for one in body(request(*history), requires_assistant_after_tool_result=True)["messages"]]
    assert roles == ["system", "assistant", "tool", "assistant", "user"]


def test_compat_fields_of_tools_change_them() -> None:
    assert body(request(), supports_strict=True)["tools"][0]["function"]["strict"] is False
    grammar = body(request(), schema_flavour="grammar")["tools"][0]["function"]["parameters"]
    assert grammar["properties"]["a"] == {"type": "string"}
    moonshot = body(request(), schema_flavour="moonshot")["tools"][0]["function"]["parameters"]
    assert moonshot["required"] == []
    assert moonshot["properties"]["b"] == {"anyOf": [{"enum": [1], "type": "integer"}]}


def test_cache_marks_stand_on_the_stable_parts_and_do_not_change_the_shape_of_others() -> None:
    history = (UserMessage("one"), answer(ToolCall("c", "Zeta", "{}")), ResultsMessage((result("c"),)))
    made = body(request(*history), cache_control_format="anthropic")
    mark = {"type": "ephemeral"}
    assert made["tools"][-1]["cache_control"] == mark and "cache_control" not in made["tools"][0]
    assert made["messages"][0]["content"] == [{"type": "text", "text": "sys", "cache_control": mark}]
    assert made["messages"][1]["content"] == [{"type": "text", "text": "one"}]
    assert made["messages"][3]["content"] == [{"type": "text", "text": "out", "cache_control": mark}]


def test_every_compat_field_is_read_by_a_test_above_or_belongs_to_responses() -> None:
    tested = {
        "max_tokens_field", "supports_developer_role", "supports_store", "supports_reasoning_effort", "thinking_format",
        "effort_names", "requires_reasoning_content_on_assistant", "requires_tool_result_name",
        "requires_assistant_after_tool_result", "supports_strict", "states_parallel_calls", "usage_in_stream",
        "cache_control_format", "session_affinity", "tool_id_rule", "schema_flavour",
            "wire", "shows_reasoning", "distrusted", "cached_includes_written",
    }  # fmt: skip
    assert {attribute.name for attribute in attrs.fields(Compat)} == tested
