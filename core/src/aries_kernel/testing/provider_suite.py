"""What every provider must do, as tests: subclass `ProviderSuite`; `HttpProviderSuite` is for those that speak HTTP.

A provider's author says how an answer looks on the wire (the dialect); the suite plays answers and checks what comes
out. Class names of subclasses start with `Test`.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager
from typing import ClassVar

import pytest

from aries_kernel.contracts.provider import Provider
from aries_kernel.errors import (
    AriesError,
    AuthRefused,
    ContextOverflow,
    Overloaded,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
    RetriableError,
    StreamCut,
)
from aries_kernel.model.messages import (
    StopReason,
)
from aries_kernel.model.stream import CallPiece, ReasoningPiece, Stopped, StreamPiece
from aries_kernel.model.usage import Usage
from aries_kernel.testing.provider_script import (
    COMMANDS,
    ScriptedAnswer,
    ScriptedCall,
    ScriptedFault,
    collect,
    joined_calls,
    joined_text,
    last_usage,
    run_limited,
    sample_request,
)

__all__ = ["ProviderSuite"]


class ProviderSuite(ABC):
    """The contract of every provider."""

    model: ClassVar[str]
    """A model the provider can be asked for."""
    has_wire_ids: ClassVar[bool] = True
    """False where the wire has no ids for calls."""

    @abstractmethod
    def playing(self, *answers: ScriptedAnswer) -> AbstractAsyncContextManager[Provider]:
        """A provider that gives these answers, one a request, and is closed at the end."""

    async def _pieces(self, answer: ScriptedAnswer) -> list[StreamPiece]:
        async with self.playing(answer) as provider:
            return await collect(provider, sample_request(self.model))

    def pieces(self, answer: ScriptedAnswer) -> list[StreamPiece]:
        """What comes out for `answer`."""
        return run_limited(self._pieces(answer))

    def fails(self, answer: ScriptedAnswer, error: type[AriesError]) -> AriesError:
        """The error that comes out for `answer`, which must be of this class exactly."""
        with pytest.raises(error) as caught:
            self.pieces(answer)
        assert type(caught.value) is error
        return caught.value

    def test_text_arrives_whole_and_ends_with_one_stop(self) -> None:
        pieces = self.pieces(ScriptedAnswer("Grüße 👋\n\nbye"))
        assert joined_text(pieces) == "Grüße 👋\n\nbye"
        assert [piece.reason for piece in pieces if isinstance(piece, Stopped)] == [StopReason.END]
        assert isinstance(pieces[-1], Stopped)

    def test_a_call_arrives_with_its_arguments_as_they_were_written(self) -> None:
        pieces = self.pieces(ScriptedAnswer("Running.", calls=(ScriptedCall("Bash", COMMANDS[1], "call_1"),)))
        [(name, arguments, _)] = joined_calls(pieces)
        assert (name, json.loads(arguments)) == ("Bash", json.loads(COMMANDS[1]))
        assert joined_text(pieces) == "Running."

    def test_the_name_of_a_call_is_told_once(self) -> None:
        pieces = self.pieces(ScriptedAnswer(calls=(ScriptedCall("Bash", COMMANDS[0], "call_1"),)))
        assert [piece.name for piece in pieces if isinstance(piece, CallPiece) and piece.name] == ["Bash"]

    @pytest.mark.parametrize("ids", [("a1", "a2"), ("same", "same"), (None, None)])
    def test_two_calls_stay_two_whatever_their_ids(self, ids: tuple[str | None, str | None]) -> None:
        calls = tuple(ScriptedCall("Bash", raw, one) for raw, one in zip(COMMANDS, ids, strict=True))
        got = joined_calls(self.pieces(ScriptedAnswer(calls=calls)))
        assert [(name, json.loads(raw)) for name, raw, _ in got] == [("Bash", json.loads(raw)) for raw in COMMANDS]

    def test_a_call_without_arguments_arrives(self) -> None:
        [(name, arguments, _)] = joined_calls(self.pieces(ScriptedAnswer(calls=(ScriptedCall("Bash", "{}", "c"),))))
        assert (name, json.loads(arguments or "{}")) == ("Bash", {})

    def test_reasoning_arrives_apart_from_the_text(self) -> None:
        pieces = self.pieces(ScriptedAnswer("Hi.", reasoning="They greet."))
        assert "".join(piece.text for piece in pieces if isinstance(piece, ReasoningPiece)) == "They greet."
        assert joined_text(pieces) == "Hi."

    @pytest.mark.parametrize("stop", [StopReason.LENGTH, StopReason.FILTERED])
    def test_another_reason_for_the_stop_is_told(self, stop: StopReason) -> None:
        pieces = self.pieces(ScriptedAnswer("So far", stop=stop))
        assert isinstance(pieces[-1], Stopped)
        assert pieces[-1].reason is stop

    def test_arguments_cut_by_the_output_limit_are_not_repaired(self) -> None:
        calls = (ScriptedCall("Bash", '{"command":"rm -rf x', "c"),)
        pieces = self.pieces(ScriptedAnswer(calls=calls, stop=StopReason.LENGTH))
        assert joined_calls(pieces)[0][1] == '{"command":"rm -rf x'
        assert isinstance(pieces[-1], Stopped)
        assert pieces[-1].reason is StopReason.LENGTH

    def test_an_empty_answer_is_told_as_what_it_is(self) -> None:
        pieces = self.pieces(ScriptedAnswer())
        assert joined_text(pieces) == ""
        assert joined_calls(pieces) == []
        assert isinstance(pieces[-1], Stopped)

    def test_text_that_breaks_off_is_a_cut_stream(self) -> None:
        self.fails(ScriptedAnswer("All d", stop=None), StreamCut)

    def test_a_call_that_breaks_off_is_a_cut_stream(self) -> None:
        self.fails(ScriptedAnswer(calls=(ScriptedCall("Bash", '{"command":"touch X', "c"),), stop=None), StreamCut)

    def test_a_whole_call_without_a_reason_for_the_stop_is_a_cut_stream(self) -> None:
        self.fails(ScriptedAnswer(calls=(ScriptedCall("Bash", COMMANDS[0], "c"),), stop=None), StreamCut)

    def test_usage_keeps_cached_tokens_apart_from_fresh_ones(self) -> None:
        usage = Usage(input=70, cache_read=30, output=12)
        assert last_usage(self.pieces(ScriptedAnswer("Hi.", usage=usage))) == usage

    def test_no_usage_is_reported_where_the_server_gave_none(self) -> None:
        assert last_usage(self.pieces(ScriptedAnswer("Hi."))) is None

    @pytest.mark.parametrize(
        "error", [AuthRefused, ContextOverflow, Overloaded, QuotaExhausted, RateLimited, RequestRefused]
    )
    def test_a_refusal_has_its_class(self, error: type[AriesError]) -> None:
        assert "\n" not in str(self.fails(ScriptedAnswer(fault=ScriptedFault(error)), error))

    @pytest.mark.parametrize("error", [RateLimited, Overloaded])
    def test_the_wait_a_server_asks_for_is_passed_on(self, error: type[RetriableError]) -> None:
        raised = self.fails(ScriptedAnswer(fault=ScriptedFault(error, after=2.0)), error)
        assert isinstance(raised, RetriableError)
        assert raised.after == 2.0

    @pytest.mark.parametrize("error", [Overloaded, RateLimited])
    def test_a_refusal_inside_an_answer_has_its_class(self, error: type[AriesError]) -> None:
        self.fails(ScriptedAnswer("Partly", fault=ScriptedFault(error, in_answer=True)), error)

    def test_one_request_is_one_attempt(self) -> None:
        async def work() -> list[StreamPiece]:
            async with self.playing(ScriptedAnswer(fault=ScriptedFault(Overloaded)), ScriptedAnswer("ok")) as provider:
                with pytest.raises(Overloaded):
                    await collect(provider, sample_request(self.model))
                return await collect(provider, sample_request(self.model))

        assert joined_text(run_limited(work())) == "ok"

    def test_an_answer_may_be_left_after_its_first_piece(self) -> None:
        async def work() -> None:
            async with self.playing(ScriptedAnswer("First", stalls=True)) as provider:
                pieces = provider.stream(sample_request(self.model))
                await anext(pieces)
                await pieces.aclose()
                with pytest.raises(StopAsyncIteration):
                    await anext(pieces)

        run_limited(work())

    def test_figures_of_a_model_are_given(self) -> None:
        async def work() -> None:
            async with self.playing() as provider:
                assert provider.model_info(self.model).name == self.model
                assert all(isinstance(name, str) for name in provider.known_models())
                provider.check(self.model)

        run_limited(work())
