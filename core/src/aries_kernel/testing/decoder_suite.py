"""What every decoder of server-sent records keeps, whatever the server sends; needs hypothesis.

class TestDecoder(DecoderSuite):
    def records(self, answer: ScriptedAnswer) -> list[Any]: ...
    def reader(self) -> PieceReader: ...
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, Protocol

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aries_kernel.errors import AriesError
from aries_kernel.model.stream import CallPiece, Stopped, StreamPiece
from aries_kernel.testing.mutations import mutated
from aries_kernel.testing.provider_script import ScriptedAnswer, ScriptedCall, joined_calls

__all__ = ["DecoderSuite", "PieceReader"]

_RAW = '{"command":"echo \\"x\\" ü"}'
_ANSWER = ScriptedAnswer("Grüße 👋", "Hm.", (ScriptedCall("Bash", _RAW, "a"), ScriptedCall("Bash", _RAW, "b")))
_CUTS = st.lists(st.integers(0, 10_000), max_size=4)
# The same test runs for several formats, each a class of its own.
_shared = settings(suppress_health_check=[HealthCheck.differing_executors], deadline=None)


class PieceReader(Protocol):
    """Turns the bytes of one answer into pieces."""

    def feed(self, data: bytes) -> Iterable[StreamPiece]:
        """What these bytes complete. Raises: AriesError."""
        ...

    def end(self) -> Iterable[StreamPiece]:
        """What is left. Raises: AriesError."""
        ...


class DecoderSuite(ABC):
    """One wire format."""

    @abstractmethod
    def records(self, answer: ScriptedAnswer) -> list[Any]:
        """A good answer as the records of its events."""

    @abstractmethod
    def reader(self) -> PieceReader:
        """A new one, which knows the tool Bash."""

    def read(self, records: list[Any], cuts: Sequence[int] = ()) -> list[StreamPiece]:
        """All pieces of records whose bytes arrive cut at these places."""
        return self._pieces(_body(records), cuts)

    def _pieces(self, body: bytes, cuts: Sequence[int] = ()) -> list[StreamPiece]:
        reader = self.reader()
        found: list[StreamPiece] = []
        for start, end in pairwise(sorted({0, len(body), *(cut % (len(body) + 1) for cut in cuts)})):
            found += reader.feed(body[start:end])
        return [*found, *reader.end()]

    def test_the_script_is_a_good_answer(self) -> None:
        calls = joined_calls(self.read(self.records(_ANSWER)))
        assert [json.loads(raw) for _, raw, _ in calls] == [json.loads(_RAW)] * 2

    @given(st.data(), _CUTS)
    @settings(_shared, max_examples=150)
    def test_a_broken_answer_gives_pieces_or_an_error_of_ours(self, data: st.DataObject, cuts: list[int]) -> None:
        records = data.draw(mutated(self.records(_ANSWER)))
        try:
            pieces = self.read(records, cuts)
        except AriesError:
            return
        assert isinstance(pieces[-1], Stopped)
        assert all(isinstance(piece, StreamPiece) for piece in pieces)
        calls = [piece for piece in pieces if isinstance(piece, CallPiece)]
        assert all(isinstance(piece.arguments, str) and isinstance(piece.name, str) for piece in calls)

    @given(st.integers(0, 100_000))
    @settings(_shared)
    def test_an_answer_that_breaks_off_is_never_taken_for_a_whole_one(self, cut: int) -> None:
        records = self.records(_ANSWER)
        body = _body(records)
        try:
            pieces = self._pieces(body[: cut % len(body)])
        except AriesError:
            return
        assert joined_calls(pieces) == joined_calls(self.read(records)), "what ended properly is whole"

    @given(st.data(), _CUTS)
    @settings(_shared, max_examples=50)
    def test_how_the_bytes_are_cut_changes_nothing(self, data: st.DataObject, cuts: list[int]) -> None:
        records = data.draw(mutated(self.records(_ANSWER)))
        assert _outcome(lambda: self.read(records)) == _outcome(lambda: self.read(records, cuts))


def _body(records: list[Any]) -> bytes:
    return "".join(f"data: {json.dumps(record)}\n\n" for record in records).encode()


def _outcome(work: Callable[[], list[StreamPiece]]) -> object:
    try:
        pieces = work()
    except AriesError as error:
        return type(error)
    return joined_calls(pieces), pieces[-1]
