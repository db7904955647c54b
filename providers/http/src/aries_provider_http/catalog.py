"""What is known about a provider's models, and how each wants to be asked: the data file, then what the person set.

The part `wire` of `models.json` holds `traits`, which go with a model to any server; `official`, which holds on the
vendor's own host only, as prices do; and `is_chat`, false for a model that answers no conversation.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeVar

import attrs
from attrs import field, frozen
from cattrs import Converter

from aries_kernel.model.request import ModelInfo
from aries_kernel.model_data import ModelData, load_model_data
from aries_provider_http.options import ModelOptions
from aries_provider_http.traits import with_traits

__all__ = ["Catalog", "ModelRecord", "load_catalog"]

Traits = TypeVar("Traits", bound=attrs.AttrsInstance)


@frozen
class _Wire:
    traits: Mapping[str, object] = field(factory=dict)
    official: Mapping[str, object] = field(factory=dict)
    is_chat: bool = True


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

    data: ModelData
    _wire: _Wire
    _wires: Mapping[str, _Wire]

    def names(self) -> tuple[str, ...]:
        """Models to propose."""
        return tuple(name for name in self.data.names() if self._wires[name].is_chat)

    def record(self, model: str, *, is_official: bool, options: ModelOptions | None) -> ModelRecord:
        """What is known about `model`; prices count on the provider's own host only."""
        # Other servers put a vendor before the name.
        is_known = is_official or self.data.figures(model).name
        asked = model if is_known else model.rsplit("/", 1)[-1]
        figures = self.data.figures(asked)
        wire = self._wires.get(figures.name, _Wire())
        parts = [self._wire.traits, wire.traits]
        parts += [self._wire.official, wire.official] if is_official else []
        layers = [("models.json", part) for part in parts]
        info = attrs.evolve(self.data.info(asked), name=model)
        info = info if is_official else attrs.evolve(info, price=None)
        if options is not None:
            layers.append((f"providers.*.models.{model}.compat", options.compat))
            info = options.over(info)
        return ModelRecord(info, tuple(layers), wire.is_chat)


@cache
def load_catalog(package: str) -> Catalog:
    """Read `models.json` of a provider's package."""
    data = load_model_data(package)
    converter = Converter(forbid_extra_keys=True)
    converter.register_structure_hook_func(lambda kind: kind is object, lambda value, _: value)
    wires = {one.name: converter.structure(one.wire, _Wire) for one in data.models}
    return Catalog(data, converter.structure(data.wire, _Wire), wires)
