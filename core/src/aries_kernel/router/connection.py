"""One model that can be asked: its provider loaded, made and checked, as far as that goes without a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from attrs import define

from aries_kernel.contracts.provider import LooksAhead, Provider, ProviderContext, ProviderFactory
from aries_kernel.discovery.report import described_error
from aries_kernel.errors import AriesError, PluginError, UnknownName
from aries_kernel.model.request import ModelInfo
from aries_kernel.settings.loading import Loaded, structure_options
from aries_kernel.tools.registry import ToolSource

__all__ = ["Connection", "checked", "make_provider"]


@define
class Connection:
    """A model of a provider. What is known about it may grow once, when its server is looked at."""

    provider_name: str
    provider: Provider
    model: ModelInfo
    _was_looked_at: bool = False

    @property
    def spec(self) -> str:
        """How settings and logs call the model."""
        return f"{self.provider_name}/{self.model.name}"

    async def look_ahead(self) -> tuple[str, ...]:
        """Ask the server about the model, where the provider does that; gives what to warn of, at the first call.

        Raises: UserError kinds, RetriableError, FatalError, PluginError.
        """
        if self._was_looked_at or not isinstance(self.provider, LooksAhead):
            return ()
        try:
            outlook = await self.provider.look_ahead(self.model.name)
        except AriesError:
            raise
        except Exception as error:
            raise _broken(self.provider_name, error) from error
        self._was_looked_at, self.model = True, outlook.model
        return outlook.warnings


def make_provider(
    drivers: ToolSource, name: str, loaded: Loaded, context: Callable[[object], ProviderContext]
) -> tuple[Provider, tuple[str, ...]]:
    """The provider `name`, and warnings about options it does not know; `context` is given its options.

    Raises: UserError and its kinds; PluginError where the provider breaks its contract.
    """
    try:
        factory = cast(ProviderFactory, drivers.load("aries.providers", name))
    except UnknownName as error:
        raise UnknownName("provider", name, error.known) from error
    try:
        options, warnings = structure_options(factory.options_type, name, loaded)
        return factory(context(options)), warnings
    except AriesError:
        raise
    except Exception as error:
        raise _broken(name, error) from error


def checked(name: str, provider: Provider, model: str) -> Connection:
    """A connection to `model`, with everything that can be said about it before the first request.

    Raises: UserError and its kinds; PluginError where the provider breaks its contract.
    """
    try:
        provider.check(model)
        return Connection(name, provider, provider.model_info(model))
    except AriesError:
        raise
    except Exception as error:
        raise _broken(name, error) from error


def _broken(name: str, error: Exception) -> PluginError:
    # Foreign code: whatever it raises is its author's defect, and is told as that.
    return PluginError(
        f"The provider {name} does not work: {described_error(error)}.", distribution="", entry_point=name
    )
