"""What is sent is what Ollama's own client would send, and what our scripted servers say is what it would read."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import attrs
from ollama import ChatResponse, Message, Tool
from ollama import Options as RunOptions
from ollama._types import ChatRequest

from aries_kernel.contracts.provider import ProviderContext
from aries_kernel.model.messages import (
    AssistantMessage,
    Reasoning,
    ResultsMessage,
    ResultStatus,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)
from aries_kernel.testing.provider_script import collect, sample_request
from aries_kernel.testing.wire_server import Send, WireReply, WireServer
from aries_provider_ollama.provider import OllamaProvider, Options

ANSWER = [
    {"model": "m", "message": {"role": "assistant", "content": "", "thinking": "hm"}, "done": False},
    {
        "model": "m",
        "message": {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"function": {"index": 0, "name": "Bash", "arguments": {"command": "ls"}}}],
        },
        "done": False,
    },
    {
        "model": "m",
        "message": {"role": "assistant", "content": ""},
        "done": True,
        "done_reason": "stop",
        "prompt_eval_count": 20,
        "eval_count": 4,
    },
]
HISTORY = (
    UserMessage("Do it.", "Today is Monday."),
    AssistantMessage(
        (
            Reasoning("I think.", "ollama", "gpt-oss:20b"),
            Text("Doing it."),
            ToolCall("call_1", "Bash", '{"command": "ls"}', "x"),
            ToolCall("call_2", "Bash", '{"command":', "x"),
        ),
        StopReason.END,
        "ollama",
        "gpt-oss:20b",
    ),
    ResultsMessage(
        (ToolResult("call_1", "Bash", ResultStatus.OK, "a b"), ToolResult("call_2", "Bash", ResultStatus.ERROR, "bad"))
    ),
    AssistantMessage((Text("Done."),), StopReason.END, "ollama", "gpt-oss:20b"),
    UserMessage("Thanks."),
)


def sent() -> dict[str, object]:
    """The body of a request with every kind of message."""

    async def work() -> bytes:
        lines = WireReply(tuple(Send(json.dumps(one).encode() + b"\n") for one in ANSWER))
        async with WireServer([lines]) as server:
            provider = OllamaProvider(ProviderContext(Options(base_url=server.url), {}, Path()))
            request = attrs.evolve(sample_request("gpt-oss:20b", *HISTORY, max_output=99), effort="high")
            await collect(provider, request)
            await provider.close()
            return server.requests[0].body

    body: dict[str, object] = json.loads(asyncio.run(work()))
    return body


def test_a_request_is_one_that_the_vendors_client_knows() -> None:
    body = sent()
    request = ChatRequest.model_validate(body)
    assert request.think == "high" and request.stream is True
    assert isinstance(body["options"], dict)
    assert set(body["options"]) <= set(RunOptions.model_fields)
    assert RunOptions.model_validate(body["options"]).num_ctx == 32_768
    assert [tool.function.name for tool in request.tools or () if isinstance(tool, Tool) and tool.function] == ["Bash"]


def test_each_message_is_one_that_the_vendors_client_knows() -> None:
    messages = sent()["messages"]
    assert isinstance(messages, list)
    read = [Message.model_validate(one) for one in messages]
    assert [one.role for one in read] == ["system", "user", "assistant", "tool", "tool", "assistant", "user"]
    assert read[2].thinking == "I think."
    assert [dict(one.function.arguments) for one in read[2].tool_calls or ()] == [{"command": "ls"}, {}]
    assert [one.tool_name for one in read[3:5]] == ["Bash", "Bash"]


def test_our_scripted_answers_are_what_the_vendors_client_reads() -> None:
    read = [ChatResponse.model_validate(one) for one in ANSWER]
    assert (read[-1].done_reason, read[-1].prompt_eval_count) == ("stop", 20)
