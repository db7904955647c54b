"""A wire format on a real server: how a suite plays scripts to a provider and reads the bodies it got."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import attrs
import pytest

from aries_kernel.errors import AriesError
from aries_kernel.loop.assembly import Assembly
from aries_kernel.model.messages import (
    AssistantMessage,
    ResultsMessage,
    ResultStatus,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)
from aries_kernel.model.request import Request
from aries_kernel.model.stream import StreamPiece
from aries_kernel.testing.http_provider_suite import HttpProviderSuite
from aries_kernel.testing.provider_script import ScriptedAnswer, collect, run_limited, sample_request
from aries_kernel.testing.wire_server import RecordedRequest, Send, Stall, Step, WireReply, WireServer

__all__ = ["ScriptedWire"]


class ScriptedWire(HttpProviderSuite):
    """Answers as server-sent events; a format's suite says how they look."""

    provider_name: ClassVar[str]
    """The entry point's name, which the loop writes into answers."""
    operations: ClassVar[tuple[str, ...]] = ()
    """Ends of the addresses that answers are asked for at."""

    @abstractmethod
    def events(self, answer: ScriptedAnswer) -> list[str]:
        """The lines of each event of an answer that is not a refusal, without the blank line at its end."""

    @abstractmethod
    def fault_record(self, status: int, message: str) -> object:
        """The body of a refusal in the words of this format."""

    @abstractmethod
    def fault_event(self, status: int, message: str) -> str:
        """The lines of the event that tells a fault inside an answer."""

    @abstractmethod
    def faults(self) -> Mapping[type[AriesError], tuple[int, str]]:
        """Status and message for each error class."""

    @abstractmethod
    def tool_names(self, body: Any) -> list[str]:
        """The names of the tools in the body of a request."""

    @abstractmethod
    def tool_refusal(self, place: int, name: str) -> object:
        """The body of a refusal of the schema of one tool, 400."""

    def check_body(self, body: Any) -> None:
        """Hold a body that was sent against the vendor's published types; every body of every test comes by here."""

    def check_event(self, record: Any) -> None:
        """Hold a scripted event against the vendor's published types, so that the scripts are not our own invention."""

    def wire(self, answer: ScriptedAnswer) -> WireReply:
        fault = answer.fault
        if fault is not None and not fault.in_answer:
            status, message = self.faults()[fault.error]
            headers = {} if fault.after is None else {"retry-after": str(fault.after)}
            return self.refusal(status, message, headers)
        events = self.events(attrs.evolve(answer, stop=None) if answer.fault or answer.stalls else answer)
        for event in events:
            data = [line.removeprefix("data: ") for line in event.split("\n") if line.startswith("data: {")]
            if _is_json("\n".join(data)):
                self.check_event(json.loads("\n".join(data)))
        steps: list[Step] = [Send(f"{event}\n\n".encode()) for event in events]
        if fault is not None:
            steps.append(Send(f"{self.fault_event(*self.faults()[fault.error])}\n\n".encode()))
        if answer.stalls:
            steps.append(Stall())
        return WireReply(tuple(steps))

    def refusal(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> WireReply:
        """A refusal in this format."""
        body = json.dumps(self.fault_record(status, message)).encode()
        return WireReply((Send(body),), status, {"content-type": "application/json", **(headers or {})}, "length")

    def played(self, *replies: WireReply, request: Request | None = None) -> tuple[list[StreamPiece], list[Any]]:
        """What comes out of one request, and the bodies that reached the server for it."""

        async def work() -> tuple[list[StreamPiece], list[RecordedRequest]]:
            async with WireServer(replies) as server, self.at(server) as provider:
                pieces = await collect(provider, request or sample_request(self.model))
                return pieces, server.requests

        pieces, requests = run_limited(work())
        assert all(self._is_answer_address(one.target) for one in requests)
        bodies = [json.loads(one.body) for one in requests]
        for body in bodies:
            self.check_body(body)
        return pieces, bodies

    def _is_answer_address(self, target: str) -> bool:
        return any(one in target for one in self.operations)

    def _raised(self, reply: WireReply) -> AriesError:
        with pytest.raises(AriesError) as caught:
            self.played(reply)
        return caught.value

    @abstractmethod
    def call_ids(self, body: Any) -> list[str]:
        """The ids of the calls in the history of a body."""

    @abstractmethod
    def result_ids(self, body: Any) -> list[str]:
        """The ids that the results in the history name."""

    def without_marks(self, body: Any) -> Any:
        """`body` without what moves along with the end of the history, and with the history last."""
        return body

    def bodies(self, *requests: Request) -> list[bytes]:
        found = super().bodies(*requests)
        for body in found:
            self.check_body(json.loads(body))
        return found

    def _bodies_for(self, *requests: Request) -> list[Any]:
        return [json.loads(body) for body in self.bodies(*requests)]

    def _message_of(self, reply: WireReply, model: str = "") -> AssistantMessage:
        """The message that the loop makes of an answer."""
        made = Assembly(self.provider_name, model or self.model)
        for piece in self.played(reply)[0]:
            made.add(piece)
        return made.finish("call-{}".format)

    def _after(self, answer: AssistantMessage) -> Request:
        """The request that follows an answer with calls."""
        results = tuple(ToolResult(call.id, call.name, ResultStatus.OK, "fine") for call in answer.calls)
        return sample_request(self.model, UserMessage("Go."), answer, ResultsMessage(results))

    def _two_rounds(self, first: str | None, second: str | None) -> Request:
        def round_of(call_id: str, wire_id: str | None) -> tuple[AssistantMessage, ResultsMessage]:
            call = ToolCall(call_id, "Bash", '{"command":"ls"}', wire_id)
            answer = AssistantMessage((Text("Looking."), call), StopReason.END, "elsewhere", "other")
            return answer, ResultsMessage((ToolResult(call_id, "Bash", ResultStatus.OK, f"result {call_id}"),))

        said = (UserMessage("Go.", "Today is Monday."), *round_of("c1", first), *round_of("c2", second))
        return sample_request(self.model, *said)


def _is_json(text: str) -> bool:
    """Some scripts are broken on purpose."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
