"""A server's own list of models, in the forms that servers give it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from urllib.parse import urlencode

import attrs
from attrs import frozen

from aries_kernel.errors import StreamCut
from aries_kernel.model.request import ModelInfo
from aries_kernel.model.usage import Price
from aries_provider_http.counts import read_count

__all__ = ["Listed", "Page", "read_page"]

_WINDOWS = (
    "context_length",
    "context_window",
    "max_context_length",
    "max_model_len",
    "inputTokenLimit",
    "max_input_tokens",
)
_LONGEST_NAME = 300
_OUTPUTS = ("max_completion_tokens", "max_output_tokens", "outputTokenLimit", "max_tokens")


@frozen
class Listed:
    """What a server says about one model; None where it says nothing."""

    name: str
    context_window: int | None = None
    max_output: int | None = None
    price: Price | None = None
    has_tools: bool | None = None
    has_images: bool | None = None
    has_reasoning: bool | None = None

    def over(self, info: ModelInfo) -> ModelInfo:
        """`info` with what the server says, which is newer."""
        said = {name: value for name, value in attrs.asdict(self, recurse=False).items() if value is not None}
        return attrs.evolve(info, **said)


@frozen
class Page:
    """A part of the list; `next` is the query that gets the following one."""

    models: tuple[Listed, ...]
    next: str | None = None


def read_page(body: bytes) -> Page:
    """Models that cannot answer a conversation are left out where the server tells them apart.

    Raises: StreamCut for a body that is no list of models.
    """
    try:
        record = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise StreamCut("The server's list of models is not valid JSON.") from error
    listed = record if isinstance(record, list) else _member(record, "data", "models")
    if not isinstance(listed, list):
        raise StreamCut("The server's answer holds no list of models.")
    models = tuple(_read(listed))
    token = _member(record, "nextPageToken")
    if isinstance(token, str) and token:
        return Page(models, urlencode({"pageToken": token}))
    last = _member(record, "last_id")
    if _member(record, "has_more") is True and isinstance(last, str) and last:
        return Page(models, urlencode({"after_id": last}))
    return Page(models)


def _read(listed: list[object]) -> Iterator[Listed]:
    for one in listed:
        name = _member(one, "id", "name", "model")
        if not isinstance(one, Mapping) or not isinstance(name, str) or not _is_name(name) or not _answers(one):
            continue
        top = one.get("top_provider")
        yield Listed(
            name.removeprefix("models/"),
            _count(one, _WINDOWS) or _count(top, _WINDOWS),
            _count(one, _OUTPUTS) or _count(top, _OUTPUTS),
            _price(one.get("pricing")),
            _supports(one, "tools"),
            _sees(one),
            _supports(one, "reasoning"),
        )


def _member(record: object, *names: str) -> object:
    found = (record.get(name) for name in names) if isinstance(record, Mapping) else iter(())
    return next((value for value in found if value is not None), None)


def _is_name(name: str) -> bool:
    """Whether one could ask for it: what nobody can type or read is no model."""
    return 0 < len(name) <= _LONGEST_NAME and name.isprintable() and name == name.strip()


def _answers(one: Mapping[str, object]) -> bool:
    methods = one.get("supportedGenerationMethods")
    return not isinstance(methods, list) or "generateContent" in methods


def _count(record: object, names: tuple[str, ...]) -> int | None:
    return read_count(_member(record, *names)) or None


def _supports(one: Mapping[str, object], what: str) -> bool | None:
    given = one.get("supported_parameters")
    return what in given if isinstance(given, list) else None


def _sees(one: Mapping[str, object]) -> bool | None:
    inputs = _member(one.get("architecture"), "input_modalities")
    if isinstance(inputs, list):
        return "image" in inputs
    said = one.get("supports_image_in")
    return said if isinstance(said, bool) else None


def _price(pricing: object) -> Price | None:
    """OpenRouter's: US dollars a token, as texts; a negative one means that it depends."""
    fresh, output = _dollars(pricing, "prompt"), _dollars(pricing, "completion")
    if fresh is None or output is None:
        return None
    written = _dollars(pricing, "input_cache_write")
    # Less than a fresh token is no price of a stored one: there it is for keeping it, by the hour.
    written = None if written is not None and written < fresh else written
    return Price(fresh, output, _dollars(pricing, "input_cache_read"), written)


def _dollars(pricing: object, name: str) -> float | None:
    value = _member(pricing, name)
    try:
        dollars = round(float(value) * 1_000_000, 9) if isinstance(value, str | int | float) else -1.0
    except (ValueError, OverflowError):
        return None  # No number, or one that is none: the price is not known.
    return dollars if 0 <= dollars < 1_000_000 else None
