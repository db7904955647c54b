"""What a person calls a model, as `provider/model`."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from aries_kernel.errors import ConfigError, UserError

__all__ = ["resolve", "resolved", "split_model"]


def resolve(name: str, shortnames: Mapping[str, str]) -> str:
    """The model that `name`, a shortname or `provider/model`, stands for; a shortname may stand for another one.

    Raises: UserError listing the shortnames, ConfigError where they go round in a circle.
    """
    followed = [name.strip()]
    while followed[-1] in shortnames:
        target = shortnames[followed[-1]].strip()
        if target in followed:
            raise ConfigError([f"models.shortnames: {' -> '.join([*followed, target])} goes round in a circle."])
        followed.append(target)
    spec = followed[-1]
    provider, slash, model = spec.partition("/")
    if slash and provider and model:
        return spec
    close = difflib.get_close_matches(spec, shortnames, n=1, cutoff=0.5)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    known = f", or by a shortname: {', '.join(sorted(shortnames))}" if shortnames else ""
    raise UserError(
        f"'{spec}' names no model.{hint} A model is written provider/model, for example openai/gpt-5-mini{known}."
    )


def resolved(name: str, shortnames: Mapping[str, str]) -> str:
    """As `resolve`, and `name` itself where that fails: for what only looks at a model's family."""
    try:
        return resolve(name, shortnames)
    except UserError:
        return name


def split_model(spec: str) -> tuple[str, str]:
    """Provider and model of `provider/model`; the model's name may hold further slashes."""
    provider, _, model = spec.partition("/")
    return provider, model
