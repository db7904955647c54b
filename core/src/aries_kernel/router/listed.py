"""What servers told of their models the last time they were asked, kept in the cache folder."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import attrs
from attrs import field, frozen
from cattrs import Converter

from aries_kernel.atomic import replace_bytes
from aries_kernel.contracts.provider import HasAddress, Provider
from aries_kernel.model.request import ModelInfo

__all__ = ["ListedModels", "ProviderList", "address_of"]


@frozen
class ProviderList:
    """The list of one provider."""

    at: str
    """Date it was asked for, YYYY-MM-DD."""
    models: tuple[ModelInfo, ...] = ()
    address: str = ""
    """The server that gave it: another one has other models."""


@functools.cache
def _converter() -> Converter:
    return Converter()  # Keys of a newer version are ignored.


@frozen
class ListedModels:
    """One small file a provider; a file that cannot be read counts as none, since it can be asked for again."""

    folder: Path
    _known: dict[str, ProviderList | None] = field(factory=dict)

    def of(self, provider: str, address: str) -> ProviderList | None:
        """The list of `provider` at this address; None where it was never asked for."""
        if provider not in self._known:
            self._known[provider] = self._read(provider)
        found = self._known[provider]
        return found if found is not None and found.address == address else None

    def fill(self, provider: str, address: str, info: ModelInfo) -> ModelInfo:
        """`info` with figures that only the server's list has."""
        listed = self.of(provider, address)
        told = next((one for one in listed.models if one.name == info.name), None) if listed is not None else None
        if listed is None or told is None:
            return info
        missing = {
            name: getattr(told, name)
            for name in ("context_window", "max_output", "price")
            if getattr(info, name) is None and getattr(told, name) is not None
        }
        if info.as_of:
            return attrs.evolve(info, **missing)
        # Nothing was known of this model, so what it can do is the server's to say too.
        flags = {name: getattr(told, name) for name in ("has_images", "has_reasoning")}
        return attrs.evolve(info, as_of=listed.at, **missing, **flags)

    def keep(self, provider: str, address: str, models: tuple[ModelInfo, ...], date: str) -> None:
        """Write a fresh list.

        Raises: OSError.
        """
        made = ProviderList(date, models, address)
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(_converter().unstructure(made), ensure_ascii=False, separators=(",", ":"))
        replace_bytes((self.folder / f"{provider}.json").resolve(), text.encode("utf-8", "replace"))
        self._known[provider] = made

    def _read(self, provider: str) -> ProviderList | None:
        try:
            data = json.loads((self.folder / f"{provider}.json").read_text(encoding="utf-8"))
            return _converter().structure(data, ProviderList)
        except FileNotFoundError:
            return None
        except Exception:
            return None  # A cache: damaged or of another version, it is asked for again.


def address_of(provider: Provider) -> str:
    """The server that a provider asks, wherever it was named; empty where there is only one."""
    return provider.base_url if isinstance(provider, HasAddress) else ""
