"""A model on loopback that asks for one tool and then is done, in the three forms that clients speak."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from attrs import define, field

__all__ = ["ModelServer"]

DONE = "All done."


@define
class ModelServer:
    """`wanted` is the end of the tool's name, since each client puts its own beginning before it."""

    wanted: str
    arguments: dict[str, Any]
    requests: list[str] = field(factory=list)
    """Bodies, as they came."""
    offered: set[str] = field(factory=set)
    """Names of tools that the client offered."""

    def start(self) -> int:
        """Give the port."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return int(server.server_address[1])

    def call(self, names: list[str], has_result: dict[str, bool]) -> tuple[str, dict[str, Any]] | None:
        """The tool to ask for: ours, or what brings it. `has_result`: names that were answered before."""
        self.offered.update(names)
        ours = next((name for name in names if name.endswith(self.wanted)), None)
        if ours is not None:
            return None if has_result.get(ours) else (ours, self.arguments)
        if any(name.endswith(self.wanted) for name in has_result):
            return None
        waits = next((name for name in names if name == "WaitForMcpServers"), None)
        if waits is not None and not has_result.get(waits):
            return waits, {}
        searches = next((name for name in names if name in ("tool_search", "ToolSearch")), None)
        if searches is not None and not has_result.get(searches):
            return searches, {"query": self.wanted, "max_results": 5}
        if "tool_call" in names and not has_result.get("tool_call"):
            return "tool_call", {"name": f"mcp__ori__{self.wanted}", "arguments": self.arguments}
        return None


def _handler(model: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self._send(b'{"object":"list","data":[{"id":"fake-model","object":"model"}]}', "application/json")

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length", 0)))
            model.requests.append(raw.decode("utf-8", "replace"))
            try:
                body = json.loads(raw)
            except ValueError:
                body = {}
            path = self.path.partition("?")[0]
            if path.endswith("/count_tokens") or path.endswith(":countTokens"):
                self._send(b'{"input_tokens":10,"totalTokens":10}', "application/json")
            elif path.endswith("/messages"):
                self._stream(_anthropic(model, body))
            elif path.endswith("/responses"):
                self._stream(_responses(model, body))
            elif path.endswith("/chat/completions"):
                self._chat(body)
            elif "generateContent" in path.lower() or "generatecontent" in path.lower():
                answer = _gemini(model, body)
                if "stream" in path:
                    self._stream(iter([("", answer)]))
                else:
                    self._send(json.dumps(answer).encode(), "application/json")
            else:
                self._send(b"{}", "application/json")

        def _chat(self, body: dict[str, Any]) -> None:
            answer = _chat(model, body)
            if body.get("stream"):
                events = [("", one) for one in _chat_chunks(answer)]
                self._stream(iter(events), end=b"data: [DONE]\n\n")
            else:
                self._send(json.dumps(answer).encode(), "application/json")

        def _stream(self, events: Iterator[tuple[str, Any]], end: bytes = b"") -> None:
            data = b"".join(
                (f"event: {name}\n" if name else "").encode() + f"data: {json.dumps(event)}\n\n".encode()
                for name, event in events
            )
            self._send(data + end, "text/event-stream")

        def _send(self, data: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler


def _anthropic(model: ModelServer, body: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    called: dict[str, str] = {}
    answered: dict[str, bool] = {}
    for message in body.get("messages", []):
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block.get("type") == "tool_use":
                called[block["id"]] = block["name"]
            elif block.get("type") == "tool_result":
                answered[called.get(block["tool_use_id"], "")] = True
    call = model.call([tool.get("name", "") for tool in body.get("tools", [])], answered)
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model"), "content": []}
    usage = {"input_tokens": 10, "output_tokens": 5}
    yield "message_start", {"type": "message_start", "message": {**head, "stop_reason": None, "usage": usage}}
    if call is not None:
        block = {"type": "tool_use", "id": f"toolu_{len(answered) + 1}", "name": call[0], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
    else:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": DONE}
    yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": block}
    yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": 0}
    stop = {"stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": stop, "usage": usage}
    yield "message_stop", {"type": "message_stop"}


def _responses(model: ModelServer, body: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    called: dict[str, str] = {}
    answered: dict[str, bool] = {}
    for item in body.get("input", []) if isinstance(body.get("input"), list) else []:
        if item.get("type") == "function_call":
            called[item["call_id"]] = item["name"]
        elif item.get("type") == "function_call_output":
            answered[called.get(item["call_id"], "")] = True
    spaces: dict[str, str] = {}
    for tool in body.get("tools", []):
        for inner in tool.get("tools", []):
            spaces[inner.get("name", "")] = tool["name"]
        spaces.setdefault(tool.get("name", ""), "")
    call = model.call(list(spaces), answered)
    item: dict[str, Any]
    if call is not None:
        item = {"type": "function_call", "id": "fc_1", "call_id": f"call_{len(answered) + 1}", "name": call[0]}
        item |= {"arguments": json.dumps(call[1]), "status": "completed"}
        item |= {"namespace": spaces[call[0]]} if spaces[call[0]] else {}
    else:
        item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
        item |= {"content": [{"type": "output_text", "text": DONE, "annotations": []}]}
    whole = {"id": "resp_1", "object": "response", "status": "completed", "output": [item]}
    whole |= {"usage": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}}
    for number, event in enumerate(
        (
            {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": whole},
        )
    ):
        yield str(event["type"]), {**event, "sequence_number": number}


def _chat(model: ModelServer, body: dict[str, Any]) -> dict[str, Any]:
    called: dict[str, str] = {}
    answered: dict[str, bool] = {}
    for message in body.get("messages", []):
        for call in message.get("tool_calls") or []:
            called[call["id"]] = call["function"]["name"]
        if message.get("role") == "tool":
            answered[called.get(message.get("tool_call_id", ""), "")] = True
    wanted = model.call([tool.get("function", {}).get("name", "") for tool in body.get("tools") or []], answered)
    said: dict[str, Any] = {"role": "assistant", "content": DONE}
    if wanted is not None:
        function = {"name": wanted[0], "arguments": json.dumps(wanted[1])}
        said = {"role": "assistant", "content": None}
        said["tool_calls"] = [{"id": f"call_{len(answered) + 1}", "type": "function", "function": function}]
    choice = {"index": 0, "message": said, "finish_reason": "tool_calls" if wanted else "stop"}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "fake-model", "choices": [choice]} | {
        "usage": usage
    }


def _chat_chunks(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    (choice,) = answer["choices"]
    head = {**answer, "object": "chat.completion.chunk"}
    usage = head.pop("usage")
    calls = [{"index": at, **call} for at, call in enumerate(choice["message"].get("tool_calls", []))]
    delta = {**choice["message"], **({"tool_calls": calls} if calls else {})}
    yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}], "usage": usage}


def _gemini(model: ModelServer, body: dict[str, Any]) -> dict[str, Any]:
    answered = {
        part["functionResponse"]["name"]: True
        for content in body.get("contents", [])
        for part in content.get("parts", [])
        if "functionResponse" in part
    }
    names = [one["name"] for tool in body.get("tools", []) for one in tool.get("functionDeclarations", [])]
    call = model.call(names, answered)
    part: dict[str, Any] = {"text": DONE}
    if call is not None:
        part = {"functionCall": {"name": call[0], "args": call[1]}, "thoughtSignature": "c2tpcA=="}
    elif not names:
        # A question of the client itself, which wants JSON.
        part = {
            "text": json.dumps(
                {
                    "reasoning": "",
                    "complexity_reasoning": "",
                    "complexity_score": 1,
                    "model_choice": "flash",
                    "next_speaker": "user",
                }
            )
        }
    return {
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
    }
