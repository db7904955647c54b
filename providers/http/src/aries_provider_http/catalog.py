"""What is known about models: the package's data file, then what the person set."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import TypeVar

import attrs
from attrs import field, frozen
from cattrs import Converter

from aries_kernel.model.request import ModelInfo
from aries_kernel.model.usage import Price
from aries_provider_http.options import ModelOptions
from aries_provider_http.traits import with_traits

__all__ = ["Catalog", "ModelRecord", "load_catalog"]

Traits = TypeVar("Traits", bound=attrs.AttrsInstance)


@frozen
class Family:
    """Figures of the models whose name is `prefix` or goes on after it: with `-`, for a family with anything."""

    prefix: str
    context_window: int | None = None
    max_output: int | None = None
    price: Price | None = None
    has_tools: bool = True
    is_chat: bool = True
    is_family: bool = False
    """`prefix` itself is no model."""
    compat: Mapping[str, object] = field(factory=dict)
    official: Mapping[str, object] = field(factory=dict)

    def has(self, model: str) -> bool:
        rest = model.removeprefix(self.prefix)
        return model.startswith(self.prefix) and (not rest or rest[0] == "-" or self.is_family)


@frozen
class ModelRecord:
    """One model on one server."""

    info: ModelInfo
    layers: tuple[tuple[str, Mapping[str, object]], ...] = ()
    """Changes of traits, the later over the earlier, each with the place it was written at."""
    is_chat: bool = True

    def traits(self, base: Traits) -> Traits:
        """How the model wants to be asked, beginning from what the wire format takes for granted.

        Raises: ConfigError for fields that do not exist or do not fit.
        """
        for where, changes in self.layers:
            base = with_traits(base, changes, where)
        return base


@frozen
class Catalog:
    """The data file of one provider."""

    as_of: str = ""
    about: str = ""
    official: Mapping[str, object] = field(factory=dict)
    """Traits of the provider's own host."""
    models: tuple[Family, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Models to propose."""
        return tuple(one.prefix for one in self.models if one.is_chat and not one.is_family)

    def record(self, model: str, *, is_official: bool, options: ModelOptions | None) -> ModelRecord:
        """What is known about `model`; prices count on the provider's own host only."""
        family = self._family(model if is_official else model.rsplit("/", 1)[-1])
        layers = [("models.json", self.official)] if is_official else []
        layers.append(("models.json", family.compat))
        layers += [("models.json", family.official)] if is_official else []
        info = ModelInfo(
            name=model,
            context_window=family.context_window,
            max_output=family.max_output,
            price=family.price if is_official else None,
            has_tools=family.has_tools,
            as_of=self.as_of if family.prefix else "",
        )
        if options is not None:
            layers.append((f"providers.*.models.{model}.compat", options.compat))
            names = ("context_window", "max_output", "price", "has_tools")
            given = {name: value for name in names if (value := getattr(options, name)) is not None}
            info = attrs.evolve(info, **given)
        return ModelRecord(info, tuple(layers), family.is_chat)

    def _family(self, model: str) -> Family:
        return max((one for one in self.models if one.has(model)), key=lambda one: len(one.prefix), default=Family(""))


@cache
def load_catalog(package: str) -> Catalog:
    """Read `models.json` of a provider's package; other providers keep theirs in the same form."""
    text = resources.files(package).joinpath("models.json").read_text(encoding="utf-8")
    converter = Converter(forbid_extra_keys=True)
    converter.register_structure_hook_func(lambda kind: kind is object, lambda value, _: value)
    return converter.structure(json.loads(text), Catalog)
