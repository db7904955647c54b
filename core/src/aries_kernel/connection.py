"""The model of a session: its provider loaded, made and checked, as far as that goes without a request."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from attrs import frozen

from aries_kernel.contracts.provider import Provider, ProviderContext, ProviderFactory
from aries_kernel.discovery.report import described_error
from aries_kernel.errors import AriesError, PluginError, UnknownName, UserError
from aries_kernel.model.request import ModelInfo
from aries_kernel.settings.loading import Loaded, structure_options
from aries_kernel.tools.registry import ToolSource

__all__ = ["Connection", "connect", "split_model"]


@frozen
class Connection:
    """A model that can be asked."""

    provider_name: str
    provider: Provider
    model: ModelInfo
    warnings: tuple[str, ...] = ()
    """Options of the provider that it does not know."""

    @property
    def spec(self) -> str:
        """How settings and logs call the model."""
        return f"{self.provider_name}/{self.model.name}"


def connect(drivers: ToolSource, loaded: Loaded, environ: Mapping[str, str], cwd: Path) -> Connection:
    """The model of the primary slot.

    Raises: UserError and its kinds; PluginError where the provider breaks its contract.
    """
    name, model = split_model(loaded.settings.models.primary.model)
    try:
        factory = cast(ProviderFactory, drivers.load("aries.providers", name))
    except UnknownName as error:
        raise UnknownName("provider", name, error.known) from error
    try:
        options, warnings = structure_options(factory.options_type, name, loaded)
        provider = factory(ProviderContext(options, environ, cwd))
        provider.check(model)
        return Connection(name, provider, provider.model_info(model), warnings)
    except AriesError:
        raise
    except Exception as error:
        # Foreign code: whatever it raises is its author's defect, and is told as that.
        raise PluginError(
            f"The provider {name} does not work: {described_error(error)}.", distribution="", entry_point=name
        ) from error


def split_model(spec: str) -> tuple[str, str]:
    """Provider and model of `provider/model`; the model's name may hold further slashes.

    Raises: UserError.
    """
    provider, slash, model = spec.partition("/")
    if not slash or not provider or not model:
        raise UserError(f"'{spec}' names no model. A model is written provider/model, for example openai/gpt-5-mini.")
    return provider, model
