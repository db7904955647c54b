"""Answers in the Messages format, whole, broken and cut."""

from __future__ import annotations

from typing import Any

from aries_kernel.contracts.provider import Provider
from aries_kernel.errors import AriesError, Overloaded
from aries_kernel.testing.decoder_suite import DecoderSuite
from aries_kernel.testing.messages_suite import MessagesSuite
from aries_kernel.testing.provider_script import ScriptedAnswer
from aries_provider_anthropic.decoder import MessageDecoder
from aries_provider_http.answer import AnswerReader
from aries_provider_http.faults import Fault
from aries_provider_http.wire_names import ToolNames


class Script(MessagesSuite):
    def provider_at(self, url: str, key: str, idle_seconds: float) -> Provider:
        raise NotImplementedError


def judge(fault: Fault) -> AriesError:
    return Overloaded(fault.message)


class TestDecoder(DecoderSuite):
    def records(self, answer: ScriptedAnswer) -> list[Any]:
        return list(Script().records(answer))

    def reader(self) -> AnswerReader:
        return AnswerReader(MessageDecoder(ToolNames(["Bash"]), judge, {}))
