"""One JSON record a line, out of bytes cut anywhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from aries_kernel.errors import RequestRefused, StreamCut
from aries_kernel.model.stream import Heartbeat, StreamPiece
from aries_provider_http.exchange import Decoder
from aries_provider_http.faults import one_line

__all__ = ["LineReader"]

_LONGEST_LINE = 16 * 1024 * 1024


class LineReader:
    """Reads the body of an answer; looks at each byte once."""

    def __init__(self, decoder: Decoder, redact: Callable[[str], str]) -> None:
        self._decoder, self._redact = decoder, redact
        self._held: list[bytes] = []
        self._size = 0

    @property
    def is_done(self) -> bool:
        """Whether the server said that nothing will follow."""
        return self._decoder.is_done

    @property
    def has_stop(self) -> bool:
        """Whether the server said why the answer ended."""
        return self._decoder.has_stop

    def feed(self, chunk: bytes) -> list[StreamPiece]:
        """Decode the lines that `chunk` completes.

        Raises: StreamCut, RequestRefused, and the error for a fault in the stream.
        """
        # No JSON holds a bare line end, so whatever ends a line may be any of the three.
        *complete, rest = chunk.replace(b"\r", b"\n").split(b"\n")
        found: list[StreamPiece] = []
        for line in complete:
            found += self._line(b"".join([*self._held, line]))
            self._held, self._size = [], 0
        self._held.append(rest)
        self._size += len(rest)
        if self._size > _LONGEST_LINE:
            raise StreamCut(f"A line of the server's answer is longer than {_LONGEST_LINE // 2**20} MiB.")
        return found

    def end(self) -> list[StreamPiece]:
        """The bytes are over; the last line may lack its end.

        Raises: what `feed` and `Decoder.end` raise.
        """
        last, self._held = b"".join(self._held), []
        return [*self._line(last), *self._decoder.end("the stream ended")]

    def _line(self, line: bytes) -> list[StreamPiece]:
        # Relays put this wire into events, and keep the line open with comments.
        line = line.removeprefix(b"\xef\xbb\xbf").removeprefix(b"data:").strip()
        if not line or self.is_done:
            return []
        if line.startswith(b":"):
            return [Heartbeat()]
        text = line.decode("utf-8", errors="replace")
        if text.startswith("<"):
            raise RequestRefused("The server answered with a web page instead of a model's answer. Check base_url.")
        if "\ufffd" in text and self._decoder.may_hold_call(text):
            raise StreamCut(
                "The server sent bytes that are not UTF-8 where a call of a tool may be; nothing of it ran."
            )
        try:
            record = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise StreamCut(
                f"The server sent a line that is not valid JSON: {one_line(self._redact(text), 120)}"
            ) from error
        return self._decoder.chunk(record) if isinstance(record, Mapping) else [Heartbeat()]
