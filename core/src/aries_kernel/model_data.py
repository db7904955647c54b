"""The data file of a provider: what is known about its models, with a date; and what the person set over it.

`models.json` stands in the provider's package:

    {"as_of": "2026-11-29", "about": "where the figures come from",
     "wire": {}, "models": [
        {"name": "model-4", "context_window": 200000, "max_output": 64000, "has_images": true, "has_reasoning": true,
         "price": {"input": 3.0, "output": 15.0, "cache_read": 0.3, "cache_write": 3.75}, "wire": {"thinking": "new"}},
        {"name": "model-", "is_family": true, "context_window": 200000}]}

The longest name that a model's name begins with counts. `wire` is the provider's own business.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import attrs
from attrs import field, frozen
from cattrs import Converter

from aries_kernel.model.request import ModelInfo
from aries_kernel.model.usage import Price

__all__ = ["Figures", "ModelData", "ModelOptions", "load_model_data"]


def _option(text: str, default: Any) -> Any:
    return field(default=default, metadata={"description": text})


@frozen
class ModelOptions:
    """What a person sets about one model, under `providers.PROVIDER.models.MODEL`."""

    context_window: int | None = _option("tokens of question and answer together", None)
    max_output: int | None = _option("tokens of one answer", None)
    price: Price | None = _option("US dollars per million tokens", None)
    has_tools: bool | None = _option("whether the model can call tools", None)
    has_images: bool | None = _option("whether the model can be shown pictures", None)
    has_reasoning: bool | None = _option("whether the model can think before it answers", None)

    def over(self, info: ModelInfo) -> ModelInfo:
        """`info` with what was set here."""
        names = [one.name for one in attrs.fields(ModelOptions)]
        return attrs.evolve(info, **{name: value for name in names if (value := getattr(self, name)) is not None})

    def problems(self, where: str) -> list[str]:
        """Values of the right type that cannot be."""
        figures = {name: getattr(self, name) for name in ("context_window", "max_output")}
        return [
            f"{where}.{name}: must be more than 0, not {value}."
            for name, value in figures.items()
            if value is not None and value <= 0
        ]


@frozen
class Figures:
    """What the file says about a model, and about those whose name goes on after `-`, `@` or `:`."""

    name: str
    is_family: bool = False
    """`name` is no model itself but the beginning of many."""
    context_window: int | None = None
    max_output: int | None = None
    price: Price | None = None
    has_tools: bool = True
    has_images: bool = False
    has_reasoning: bool = False
    wire: Mapping[str, object] = field(factory=dict)

    def has(self, model: str) -> bool:
        """Whether these are the figures of `model`."""
        rest = model.removeprefix(self.name)
        return model.startswith(self.name) and (not rest or rest[0] in "-@:" or self.is_family)


@frozen
class ModelData:
    """A whole file."""

    as_of: str
    about: str = ""
    wire: Mapping[str, object] = field(factory=dict)
    """What holds for every model of the provider."""
    models: tuple[Figures, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Models to propose."""
        return tuple(one.name for one in self.models if not one.is_family)

    def figures(self, model: str) -> Figures:
        """The best entry; one without figures where the file knows nothing."""
        known = (one for one in self.models if one.has(model))
        return max(known, key=lambda one: len(one.name), default=Figures("", is_family=True))

    def info(self, model: str, options: ModelOptions | None = None) -> ModelInfo:
        """What is known about `model`, the person's own settings last."""
        found = self.figures(model)
        info = ModelInfo(
            name=model,
            context_window=found.context_window,
            max_output=found.max_output,
            price=found.price,
            has_tools=found.has_tools,
            has_images=found.has_images,
            has_reasoning=found.has_reasoning,
            as_of=self.as_of if found.name else "",
        )
        return info if options is None else options.over(info)


@cache
def load_model_data(package: str) -> ModelData:
    """Read `models.json` of a provider's package."""
    text = resources.files(package).joinpath("models.json").read_text(encoding="utf-8")
    converter = Converter(forbid_extra_keys=True)
    converter.register_structure_hook_func(lambda kind: kind is object, lambda value, _: value)
    return converter.structure(json.loads(text), ModelData)
