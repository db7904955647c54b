"""A whole provider: says what it was told."""

from collections.abc import AsyncGenerator

from attrs import frozen

from aries_kernel.contracts import ProviderContext
from aries_kernel.model.messages import StopReason, UserMessage
from aries_kernel.model.request import ModelInfo, Request
from aries_kernel.model.stream import Stopped, StreamPiece, TextPiece


@frozen
class Options:
    prefix: str = ""


class Parrot:
    options_type = Options

    def __init__(self, context: ProviderContext) -> None:
        self.prefix = context.options.prefix

    def model_info(self, model: str) -> ModelInfo:
        return ModelInfo(model, context_window=100_000)

    def known_models(self) -> tuple[str, ...]:
        return ("grey",)

    def check(self, model: str) -> None:
        """Nothing can be wrong with a parrot."""

    async def stream(self, request: Request) -> AsyncGenerator[StreamPiece, None]:
        told = [message.text for message in request.messages if isinstance(message, UserMessage)]
        yield TextPiece(self.prefix + told[-1])
        yield Stopped(StopReason.END)

    async def close(self) -> None:
        """Nothing is open."""
