"""Settings that every provider on HTTP has."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import attrs
from attrs import frozen

from aries_kernel.model_data import ModelOptions as Figures

__all__ = ["HttpOptions", "ModelOptions", "is_header_value", "option", "option_problems"]


def option(text: str, default: Any) -> Any:
    """A settings key with its description; a callable makes the default."""
    about = {"description": text}
    if callable(default):
        return attrs.field(factory=default, metadata=about)
    return attrs.field(default=default, metadata=about)


@frozen
class ModelOptions(Figures):
    """What a person sets about one model of a provider on HTTP."""

    compat: Mapping[str, object] = option("how the server wants to be asked; see the provider's README", dict)


@frozen
class HttpOptions:
    """Keys under `providers.NAME`; a provider's own class gives the first two their defaults."""

    base_url: str = option("address of the server", "")
    api_key_env: str = option("variable that holds the key", "")
    api_key_cmd: str | None = option("command that prints the key; used instead of the variable", None)
    headers: Mapping[str, str] = option("further headers of each request", dict)
    idle_seconds: float = option("silence after which a request counts as lost; 0: never", 90.0)
    connect_seconds: float = option("time to reach the server", 10.0)
    models: Mapping[str, ModelOptions] = option("figures of models, by name", dict)


def option_problems(options: HttpOptions, where: str) -> list[str]:
    """Values that have the right type and still cannot be used."""
    found = []
    if not (math.isfinite(options.idle_seconds) and options.idle_seconds >= 0):
        found.append(f"{where}.idle_seconds: must be 0 or more, not {options.idle_seconds}.")
    if not (math.isfinite(options.connect_seconds) and options.connect_seconds > 0):
        found.append(f"{where}.connect_seconds: must be more than 0, not {options.connect_seconds}.")
    for name, value in options.headers.items():
        if not name or not all(char.isascii() and (char.isalnum() or char in "!#$%&'*+-.^_`|~") for char in name):
            found.append(f"{where}.headers: {name!r} is not a header name.")
        elif not is_header_value(value):
            found.append(f"{where}.headers.{name}: its value holds a character that no header may hold.")
        elif name.lower() in ("host", "content-length", "transfer-encoding", "content-type", "accept-encoding"):
            found.append(f"{where}.headers.{name}: this header is set by the program.")
    for model, one in options.models.items():
        found += one.problems(f"{where}.models.{model}")
    return found


def is_header_value(value: str) -> bool:
    """Whether a text can be sent as the value of a header."""
    return value.isascii() and all(char == "\t" or " " <= char <= "~" for char in value)
