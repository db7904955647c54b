"""One question and how its answer is read: what a wire format gives to the provider that carries it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from attrs import field, frozen

from aries_kernel.errors import AriesError
from aries_kernel.model.stream import StreamPiece
from aries_provider_http.faults import Fault

__all__ = ["Decoder", "Exchange", "Judge", "Reader", "Record"]

Record = Mapping[str, object]
Judge = Callable[[Fault], AriesError]
"""Makes the error for a fault inside an answer."""


class Decoder(Protocol):
    """Makes pieces out of the records of one answer."""

    @property
    def has_stop(self) -> bool:
        """Whether the server said why the answer ended."""
        ...

    @property
    def is_done(self) -> bool:
        """Whether the server said that nothing will follow."""
        ...

    def chunk(self, record: Record, kind: str = "") -> list[StreamPiece]:
        """Decode one record; `kind` is the name of its event, where it had one.

        Raises: the error for a fault it holds.
        """
        ...

    def end(self, why_cut: str) -> list[StreamPiece]:
        """The answer is over; the last piece is Stopped.

        Raises: StreamCut where the server never said why it ended.
        """
        ...

    def may_hold_call(self, damaged: str) -> bool:
        """Whether a text that holds bytes which are not UTF-8 may belong to a call."""
        ...


class Reader(Protocol):
    """Cuts the bytes of a body into records and has them decoded."""

    @property
    def has_stop(self) -> bool:
        """Whether the server said why the answer ended."""
        ...

    @property
    def is_done(self) -> bool:
        """Whether the server said that nothing will follow."""
        ...

    def feed(self, chunk: bytes) -> list[StreamPiece]:
        """Decode what `chunk` completes.

        Raises: StreamCut, RequestRefused, and the error for a fault in the stream.
        """
        ...

    def end(self) -> list[StreamPiece]:
        """The bytes are over; the last piece is Stopped.

        Raises: what `feed` and `Decoder.end` raise.
        """
        ...


@frozen
class Exchange:
    """A request that is ready to be sent."""

    operation: str
    """Path below the base URL, with its query."""
    body: bytes
    decoder: Callable[[Judge, Mapping[str, str]], Decoder]
    """Made when the head of the response is there, from the judge of faults and the response's headers."""
    headers: Mapping[str, str] = field(factory=dict)
