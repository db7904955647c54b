"""Contract of a model provider (entry-point group `aries.providers`)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Protocol

from attrs import frozen

from aries_kernel.model.request import ModelInfo, Request
from aries_kernel.model.stream import StreamPiece

__all__ = ["Provider", "ProviderContext", "ProviderFactory"]


@frozen
class ProviderContext:
    """What a provider is made from; nothing else of the machine is its business."""

    options: object
    """An instance of the factory's `options_type`, from `providers.NAME` of the settings."""
    environ: Mapping[str, str]
    cwd: Path


class Provider(Protocol):
    """One model service.

    One `stream` is one attempt: the loop decides about trying again, by the class of the error.
    """

    def model_info(self, model: str) -> ModelInfo:
        """What is known about `model`; a model this provider never heard of gets a record of Nones.

        Raises: UnknownName where the provider knows that the model cannot exist.
        """
        ...

    def known_models(self) -> tuple[str, ...]:
        """Names to list in messages; not a limit on what may be asked for."""
        ...

    def check(self, model: str) -> None:
        """Say before the first request what would make it fail.

        Raises: MissingKey, UnknownName.
        """
        ...

    def stream(self, request: Request) -> AsyncGenerator[StreamPiece, None]:
        """Ask the model; the last piece of a good answer is `Stopped`.

        Closing the generator frees the connection at once.
        Raises: RetriableError and FatalError subclasses only; no error of an HTTP library leaves a provider.
        """
        ...

    async def close(self) -> None:
        """Free connections; called once."""
        ...


class ProviderFactory(Protocol):
    """What the entry point names: usually the provider's class."""

    options_type: ClassVar[type[Any]]
    """An attrs class, every field with a default: the keys allowed under `providers.NAME` of the settings."""

    def __call__(self, context: ProviderContext) -> Provider: ...
