"""The elements of a JSON array, one after the other, from a file that need not fit into memory."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import IO

from attrs import define, field

__all__ = ["BrokenJson", "array_elements"]

_CHUNK = 1 << 20
_LARGEST = 256 << 20
"""Characters of one element; a longer one is taken for damage that swallowed the rest of the file."""
_BLANK = " \t\r\n"


class BrokenJson(ValueError):
    """The text is no JSON array from here on; what was given before stands."""


def array_elements(file: IO[bytes]) -> Iterator[object]:
    """What the array in `file` holds. A file that holds one object gives that object.

    Raises: BrokenJson at the first place that cannot be understood; OSError and what `file` raises.
    """
    text = _Text(file)
    first = text.next_sign()
    if first == "{":
        yield text.value()
        _expect_end(text)
        return
    if first != "[":
        raise BrokenJson("it is no JSON array" if first else "it is empty")
    text.skip()
    if text.next_sign() == "]":
        text.skip()
        _expect_end(text)
        return
    while True:
        yield text.value()
        sign = text.next_sign()
        text.skip()
        if sign == "]":
            _expect_end(text)
            return
        if sign != ",":
            raise BrokenJson("it ends in the middle" if not sign else f"'{sign}' stands where a comma should")


def _expect_end(text: _Text) -> None:
    if text.next_sign():
        raise BrokenJson("something follows after its end")


@define
class _Text:
    file: IO[bytes]
    buffer: str = ""
    at: int = 0
    is_at_end: bool = False
    _decoder: codecs.IncrementalDecoder = field(init=False)
    _json: json.JSONDecoder = field(init=False, factory=json.JSONDecoder)

    def __attrs_post_init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")

    def next_sign(self) -> str:
        """The next character that is no blank, not consumed; empty at the end."""
        while True:
            while self.at < len(self.buffer):
                if self.buffer[self.at] not in _BLANK:
                    return self.buffer[self.at]
                self.at += 1
            if not self._more(_CHUNK):
                return ""

    def skip(self) -> None:
        self.at += 1

    def value(self) -> object:
        """The value that begins here. The buffer doubles until it holds all of it, so each is tried few times."""
        self.next_sign()
        while True:
            try:
                value, end = self._json.raw_decode(self.buffer, self.at)
            except RecursionError as error:
                raise BrokenJson("it is nested too deeply") from error
            except json.JSONDecodeError as error:
                if len(self.buffer) - self.at > _LARGEST or not self._more(max(_CHUNK, len(self.buffer) - self.at)):
                    raise BrokenJson(error.msg) from error
                continue
            # A number at the very end of the buffer may go on in the next chunk.
            if end == len(self.buffer) and self._more(_CHUNK):
                continue
            self.at = end
            return value

    def _more(self, size: int) -> bool:
        if self.is_at_end:
            return False
        data = self.file.read(size)
        self.is_at_end = not data
        text = self._decoder.decode(data, final=self.is_at_end)
        self.buffer, self.at = self.buffer[self.at :] + text, 0
        return bool(data) or bool(text)
