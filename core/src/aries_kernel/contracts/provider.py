"""Contract of a model provider (entry-point group `aries.providers`)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from attrs import frozen

from aries_kernel.model.request import ModelInfo, Request
from aries_kernel.model.stream import StreamPiece
from aries_kernel.settings.schema import Local

__all__ = [
    "CountsTokens",
    "HasAddress",
    "ListsModels",
    "LooksAhead",
    "Outlook",
    "Provider",
    "ProviderContext",
    "ProviderFactory",
]


@frozen
class ProviderContext:
    """What a provider is made from; nothing else of the machine is its business."""

    options: object
    """An instance of the factory's `options_type`, from `providers.NAME` of the settings."""
    environ: Mapping[str, str]
    cwd: Path
    local: Local = Local()
    """Models on this machine, for a provider that serves them."""


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


@runtime_checkable
class CountsTokens(Protocol):
    """A provider whose server counts a request without answering it, for nothing."""

    async def count_tokens(self, request: Request) -> int:
        """How many tokens the model would read.

        Raises: RetriableError and FatalError subclasses.
        """
        ...


@runtime_checkable
class ListsModels(Protocol):
    """A provider whose server tells which models it has; not every provider has one to ask."""

    async def list_models(self) -> tuple[ModelInfo, ...]:
        """The server's own list, with what it says about each; figures it leaves out are ours or None.

        Raises: RetriableError and FatalError subclasses.
        """
        ...


@runtime_checkable
class HasAddress(Protocol):
    """A provider that may be one of several servers: what one of them says does not hold for another."""

    @property
    def base_url(self) -> str:
        """The server that is asked."""
        ...


@frozen
class Outlook:
    """What a server says about a model before it is asked for the first time."""

    model: ModelInfo
    warnings: tuple[str, ...] = ()
    """What will go wrong or be slow, each with its cure."""


@runtime_checkable
class LooksAhead(Protocol):
    """A provider that must ask its server about a model first: how large its window is, whether it is there at all."""

    async def look_ahead(self, model: str) -> Outlook:
        """Called once a session and model, before the first `stream`; what it says replaces `model_info`.

        Raises: UserError kinds for what the person can mend, RetriableError and FatalError subclasses.
        """
        ...


class ProviderFactory(Protocol):
    """What the entry point names: usually the provider's class."""

    options_type: ClassVar[type[Any]]
    """An attrs class, every field with a default: the keys allowed under `providers.NAME` of the settings."""

    def __call__(self, context: ProviderContext) -> Provider: ...
