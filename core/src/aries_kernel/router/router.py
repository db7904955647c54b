"""The models of a session, by slot: made when a slot first needs them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import attrs
from attrs import define, field

from aries_kernel.contracts.provider import Provider, ProviderContext
from aries_kernel.errors import UserError
from aries_kernel.router.connection import Connection, checked, make_provider
from aries_kernel.router.listed import ListedModels, address_of
from aries_kernel.router.naming import resolve, split_model
from aries_kernel.router.route import Route, SlotName
from aries_kernel.settings.loading import Loaded
from aries_kernel.settings.schema import Slot
from aries_kernel.tools.registry import ToolSource

__all__ = ["SLOTS", "Router"]

SLOTS: tuple[SlotName, ...] = get_args(SlotName)
_INSTEAD: Mapping[SlotName, SlotName] = {"reasoning": "primary", "cheap": "primary", "bulk": "cheap"}
_EFFORTS = ("low", "medium", "high", "max")


@define
class Router:
    """Gives each slot its route. A provider is made once, whatever number of slots and models use it."""

    drivers: ToolSource
    loaded: Loaded
    environ: Mapping[str, str]
    cwd: Path
    listed: ListedModels | None = None
    """What servers told of their models before; fills in what nobody else knows."""
    warnings: list[str] = field(factory=list)
    """What a person should hear: options nobody knows, fallbacks that cannot be used."""
    _providers: dict[str, Provider] = field(factory=dict)
    _connections: dict[str, Connection] = field(factory=dict)
    _routes: dict[SlotName, Route] = field(factory=dict)

    def configured(self, slot: SlotName) -> SlotName:
        """The slot whose settings count for `slot`: itself, or the one that stands in for it."""
        if slot not in _INSTEAD or getattr(self.loaded.settings.models, slot).model:
            return slot
        return self.configured(_INSTEAD[slot])

    def route(self, slot: SlotName) -> Route:
        """The route of `slot`.

        Raises: UserError and its kinds, PluginError.
        """
        own = self.configured(slot)
        if own not in self._routes:
            settings: Slot = getattr(self.loaded.settings.models, own)
            self._routes[own] = self._make(own, settings)
        return self._routes[own]

    def switch(self, words: str) -> Route:
        """Have the primary slot use another model from now on: `NAME`, `NAME EFFORT`, `EFFORT`, or a slot's name.

        Fallbacks and limits of the slot stay, but for the window of the person's, which was meant for the old model.
        Raises: UserError and its kinds, PluginError; the old model stays then.
        """
        name, effort = _parted(words)
        old = self.route("primary")
        if name in SLOTS:
            slot: Slot = getattr(self.loaded.settings.models, self.configured(name))
            route = attrs.evolve(self._make(self.configured(name), slot), slot="primary")
        elif name:
            connection = self.connection(resolve(name, self.loaded.settings.models.shortnames))
            others = [one for one in old.candidates[1:] if one.spec != connection.spec]
            route = Route("primary", (connection, *others), old.effort, old.max_output)
        else:
            route = attrs.evolve(old)
        if effort is not None:
            route.effort = effort
        self._routes["primary"] = route
        return route

    def all_providers(self) -> tuple[str, ...]:
        """The names of all installed providers."""
        return tuple(sorted(self.drivers.names("aries.providers")))

    def restore(self, route: Route) -> None:
        """Undo a switch that cannot be."""
        self._routes["primary"] = route

    def connection(self, spec: str) -> Connection:
        """The model `provider/model`, checked.

        Raises: UserError and its kinds, PluginError.
        """
        if spec not in self._connections:
            name, model = split_model(spec)
            provider = self._provider(name)
            made = checked(name, provider, model)
            if self.listed is not None:
                made.model = self.listed.fill(name, address_of(provider), made.model)
            self._connections[spec] = made
        return self._connections[spec]

    def provider(self, name: str) -> Provider:
        """The provider `name`, for questions that are about no model.

        Raises: UserError and its kinds, PluginError.
        """
        return self._provider(name)

    async def close(self) -> None:
        """Free what the providers hold."""
        while self._providers:
            _, provider = self._providers.popitem()
            await provider.close()

    def _make(self, slot: SlotName, settings: Slot) -> Route:
        names = self.loaded.settings.models.shortnames
        found = [self.connection(resolve(settings.model, names))]
        for fallback in settings.fallbacks:
            try:
                connection = self.connection(resolve(fallback, names))
            except UserError as error:
                # The slot works without; but whoever named a fallback counts on it.
                self.warnings.append(f"models.{slot}.fallbacks: {fallback} cannot be used. {error}")
            else:
                found += [connection] if connection not in found else []
        return Route(slot, tuple(found), settings.effort, settings.max_output, settings.context_window)

    def _provider(self, name: str) -> Provider:
        if name not in self._providers:

            def context(options: object) -> ProviderContext:
                return ProviderContext(options, self.environ, self.cwd, self.loaded.settings.local)

            made, warnings = make_provider(self.drivers, name, self.loaded, context)
            self.warnings += warnings
            self._providers[name] = made
        return self._providers[name]


def _parted(words: str) -> tuple[str, str | None]:
    """Name and effort of what was typed.

    Raises: UserError for more than that.
    """
    parts = words.split()
    effort = parts.pop() if parts and parts[-1] in _EFFORTS else None
    if len(parts) > 1 or not (parts or effort):
        raise UserError(f"'{words}' is not understood. Write MODEL, MODEL EFFORT or EFFORT ({', '.join(_EFFORTS)}).")
    return (parts[0] if parts else ""), effort
