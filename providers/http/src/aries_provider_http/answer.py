"""The body of a good answer, event stream or plain JSON, as stream pieces."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import Enum

from aries_kernel.errors import RequestRefused, StreamCut
from aries_kernel.model.stream import Heartbeat, StreamPiece
from aries_provider_http.exchange import Decoder
from aries_provider_http.faults import one_line
from aries_provider_http.sse import Comment, Event, EventReader

__all__ = ["AnswerReader"]

_LARGEST_WHOLE = 32 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"


class _Form(Enum):
    UNKNOWN = "unknown"
    EVENTS = "events"
    WHOLE = "whole"


class AnswerReader:
    """Takes bytes in any pieces. The first character tells the form: content types of relays are often wrong."""

    def __init__(self, decoder: Decoder, redact: Callable[[str], str] = str) -> None:
        self._decoder, self._redact = decoder, redact
        self._events = EventReader()
        self._form = _Form.UNKNOWN
        self._held: list[bytes] = []
        self._size = 0
        self._stray = ""
        self._saw_done = False

    @property
    def is_done(self) -> bool:
        """Whether the server said that nothing will follow."""
        return self._saw_done or self._decoder.is_done

    @property
    def has_stop(self) -> bool:
        """Whether the server said why the answer ended."""
        return self._decoder.has_stop

    def feed(self, chunk: bytes) -> list[StreamPiece]:
        """Decode what `chunk` completes.

        Raises: StreamCut, RequestRefused, and the error for a fault in the stream.
        """
        if self._is_events():
            return self._decode(self._events.feed(chunk))
        self._held.append(chunk)
        self._size += len(chunk)
        if self._size > _LARGEST_WHOLE:
            raise StreamCut(f"The server's answer is larger than {_LARGEST_WHOLE // 2**20} MiB; it was given up.")
        if self._form is _Form.UNKNOWN:
            self._form = self._told_form()
        return self._decode(self._events.feed(self._take_held())) if self._is_events() else []

    def end(self) -> list[StreamPiece]:
        """The bytes are over.

        Raises: what `feed` and `Decoder.end` raise.
        """
        if self._is_events():
            found = self._decode(self._events.end(), is_last=True)
        else:
            found = self._whole(b"".join(self._held))
        why = (
            f"the stream ended with '{one_line(self._redact(self._stray), 200)}'" if self._stray else "the stream ended"
        )
        return [*found, *self._decoder.end(why)]

    def _is_events(self) -> bool:
        return self._form is _Form.EVENTS

    def _take_held(self) -> bytes:
        held, self._held = b"".join(self._held), []
        return held

    def _told_form(self) -> _Form:
        start = b"".join(self._held)
        if _BOM.startswith(start):
            return _Form.UNKNOWN
        start = start.removeprefix(_BOM).lstrip()
        if not start:
            # Whitespace that goes on and on must not be looked through again with each byte.
            self._held = [] if self._size > 4096 else self._held
            return _Form.UNKNOWN
        if start.startswith(b"<"):
            raise RequestRefused(
                "The server answered with a web page instead of a model's answer. Check base_url: most servers want "
                "it to end in /v1."
            )
        return _Form.WHOLE if start.startswith((b"{", b"[")) else _Form.EVENTS

    def _decode(self, events: list[Event | Comment], *, is_last: bool = False) -> list[StreamPiece]:
        found: list[StreamPiece] = []
        for event in events:
            if self.is_done:
                break
            found += [Heartbeat()] if isinstance(event, Comment) else self._event(event, is_last=is_last)
        return found

    def _event(self, event: Event, *, is_last: bool) -> list[StreamPiece]:
        data = event.data.strip()
        if data == "[DONE]":
            self._saw_done = True
            return []
        if event.is_damaged:
            self._require_no_call(data)
        try:
            record = json.loads(data)
        except (ValueError, RecursionError):
            return self._not_json(data, event.kind, is_last=is_last)
        return self._record(record, event.kind)

    def _record(self, record: object, kind: str = "") -> list[StreamPiece]:
        if isinstance(record, Mapping):
            return self._decoder.chunk(record, kind)
        found: list[StreamPiece] = []
        for one in record if isinstance(record, list) else ():
            found += self._decoder.chunk(one, kind) if isinstance(one, Mapping) else []
        return found or [Heartbeat()]

    def _not_json(self, data: str, kind: str, *, is_last: bool) -> list[StreamPiece]:
        if kind == "error":
            return self._decoder.chunk({"error": {"message": data or "no reason given"}}, kind)
        if data.startswith(("{", "[")) and not (is_last and self.has_stop):
            raise StreamCut(f"The server sent a piece that is not valid JSON: {one_line(self._redact(data), 120)}")
        self._stray = data or self._stray
        return [Heartbeat()]

    def _whole(self, body: bytes) -> list[StreamPiece]:
        text = body.decode("utf-8", errors="replace").removeprefix("\ufeff").strip()
        if "\ufffd" in text and not _is_utf8(body):
            self._require_no_call(text)
        if not text:
            raise StreamCut("The server answered with nothing at all.")
        try:
            return self._record(json.loads(text))
        except (ValueError, RecursionError):
            pass  # One record a line, then, or a body that was cut.
        found: list[StreamPiece] = []
        for line in text.splitlines():
            try:
                found += self._record(json.loads(line)) if line.strip() else []
            except (ValueError, RecursionError) as error:
                raise StreamCut(
                    f"The server's answer is not valid JSON: {one_line(self._redact(line), 120)}"
                ) from error
        return found

    def _require_no_call(self, damaged: str) -> None:
        """Servers that cut signs between tokens damage text, which a person can still read. A call with another letter
        in it would run something else.

        Raises: StreamCut where what is damaged may belong to a call.
        """
        if self._decoder.may_hold_call(damaged):
            raise StreamCut(
                "The server sent bytes that are not UTF-8 where a call of a tool may be; nothing of it ran."
            )


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
