"""An embedder for tests: a vector of counts of words, hashed; it remembers what it was asked."""

from __future__ import annotations

import hashlib
import math
import re
import struct
from collections.abc import Sequence
from typing import ClassVar

from attrs import define, field, frozen

from aries_kernel.contracts.embedder import EmbedderContext

_TOKEN = re.compile(r"\w+|[^\w\s]")


@frozen
class Options:
    version: str = "1"


@define
class HashedWords:
    options_type: ClassVar[type[Options]] = Options
    dimensions: ClassVar[int] = 16
    context: EmbedderContext | None = None
    version: str = "1"
    window: int = 256
    asked: list[str] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        if self.context is not None and isinstance(self.context.options, Options):
            self.version = self.context.options.version

    @property
    def fingerprint(self) -> str:
        return f"hashed-words:{self.version}"

    def token_spans(self, text: str) -> Sequence[tuple[int, int]]:
        return [found.span() for found in _TOKEN.finditer(text)]

    def embed_query(self, text: str) -> bytes:
        return vector(text)

    def embed_passages(self, texts: Sequence[str]) -> bytes:
        self.asked += texts
        return b"".join(map(vector, texts))


class Failing(HashedWords):
    def __attrs_post_init__(self) -> None:
        raise RuntimeError("it is broken")


def vector(text: str) -> bytes:
    counts = [0.0] * HashedWords.dimensions
    for word in _TOKEN.findall(text.casefold()):
        counts[hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()[0] % len(counts)] += 1
    length = math.sqrt(sum(count * count for count in counts))
    return struct.pack(f"<{len(counts)}f", *(count / length if length else 0.0 for count in counts))
