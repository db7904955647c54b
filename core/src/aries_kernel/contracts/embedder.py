"""Contract of an embedder (entry-point group `ori.embedders`): texts as unit vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol

from attrs import frozen

__all__ = ["Embedder", "EmbedderContext", "EmbedderFactory"]


@frozen
class EmbedderContext:
    """What an embedder is made from."""

    options: object
    """An instance of the factory's `options_type`, from `embedders.NAME` of the vault's settings."""
    cache_folder: Path
    """For what makes the next start cheaper; it may be deleted at any time and may not be there yet."""
    environ: Mapping[str, str]


class Embedder(Protocol):
    """One model. Making an instance loads nothing; the first question does. May be used from several threads.

    Vectors are handed over as bytes: little-endian float32, row after row, each row of length 1 (all zeros for a text
    without a token), so that neither side forces a numeric library on the other.
    """

    @property
    def fingerprint(self) -> str:
        """Names weights, pooling and everything else that shapes a vector.

        Vectors of different fingerprints are never compared. Raises: UserError where the model cannot be used.
        """
        ...

    @property
    def dimensions(self) -> int:
        """Numbers in a vector. Raises: as `fingerprint`."""
        ...

    @property
    def window(self) -> int:
        """Tokens of a text that count; what follows is cut off. Raises: as `fingerprint`."""
        ...

    def token_spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Start and end, in characters, of every token of `text`, the cut ones too: for cutting passages.

        One after another; where a character is several tokens, each has its place. Raises: as `fingerprint`.
        """
        ...

    def embed_query(self, text: str) -> bytes:
        """The vector of a question: `dimensions` float32. Raises: as `fingerprint`."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> bytes:
        """The vectors of passages, in their order: `len(texts) * dimensions` float32. Raises: as `fingerprint`."""
        ...


class EmbedderFactory(Protocol):
    """What the entry point names: usually the embedder's class."""

    options_type: ClassVar[type[Any]]
    """An attrs class, every field with a default."""

    def __call__(self, context: EmbedderContext) -> Embedder: ...
