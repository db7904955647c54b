"""What the server tells about its models, and about those that are loaded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from attrs import frozen

from aries_provider_http.counts import read_count

__all__ = ["Facts", "loaded_window", "model_names", "read_facts"]

_NUM_CTX = re.compile(r"^\s*num_ctx\s+([0-9]{1,10})\s*$", re.MULTILINE)


@frozen
class Facts:
    """What `/api/show` says about one model; None where it says nothing."""

    largest_window: int | None = None
    """What the model was made for."""
    preset_window: int | None = None
    """What the person who made the model's file chose."""
    capabilities: frozenset[str] | None = None


def read_facts(body: bytes) -> Facts:
    """Whatever is not as expected counts as not said."""
    record = _parsed(body)
    info = record.get("model_info")
    lengths = [read_count(value) or None for name, value in _items(info) if name.endswith(".context_length")]
    parameters, listed = record.get("parameters"), record.get("capabilities")
    preset = _NUM_CTX.search(parameters) if isinstance(parameters, str) else None
    capabilities = frozenset(map(str, listed)) if isinstance(listed, list) else None
    return Facts(next((one for one in lengths if one), None), int(preset.group(1)) if preset else None, capabilities)


def loaded_window(body: bytes, model: str) -> int | None:
    """The window `model` is loaded with, as `/api/ps` tells it; None where that is not known."""
    for one in _entries(body):
        if _full(model) in (one.get("name"), one.get("model")):
            return read_count(one.get("context_length")) or None
    return None


def model_names(body: bytes) -> tuple[str, ...]:
    """The models of `/api/tags`; `:latest`, which nobody writes, is left out."""
    names = (one.get("model") or one.get("name") for one in _entries(body))
    return tuple(sorted({name.removesuffix(":latest") for name in names if isinstance(name, str) and name}))


def _full(model: str) -> str:
    return model if ":" in model.rsplit("/", 1)[-1] else f"{model}:latest"


def _entries(body: bytes) -> Iterable[Mapping[str, object]]:
    listed = _parsed(body).get("models")
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []


def _items(value: object) -> Iterable[tuple[str, object]]:
    return [(str(name), one) for name, one in value.items()] if isinstance(value, Mapping) else []


def _parsed(body: bytes) -> Mapping[str, object]:
    try:
        record = json.loads(body)
    except (ValueError, RecursionError):
        return {}  # Not the page it was taken for; nothing is known then.
    return record if isinstance(record, Mapping) else {}
