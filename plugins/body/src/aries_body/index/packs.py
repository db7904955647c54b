"""The language packs of this installation, by file suffix."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from aries_kernel.contracts import LanguagePack
from aries_kernel.discovery.report import described_error
from aries_kernel.errors import AriesError

__all__ = ["Packs"]

GROUP = "aries.languages"


class Packs:
    """Loads a pack when a file of its language is met. One that fails is named in `problems` and not tried again."""

    def __init__(self, places: Mapping[str, str], load: Callable[[str], object] | None = None) -> None:
        """`places`: where the pack of a suffix (without dot) is, as `module:attribute`.

        `load` gives what a suffix names; None: imported from its place.
        """
        self.places = dict(sorted(places.items()))
        self.problems: dict[str, str] = {}
        """By suffix: why there is no pack."""
        self._load = load or self._import
        self._loaded: dict[str, LanguagePack | None] = {}
        self._by_name: dict[str, LanguagePack] = {}

    @classmethod
    def installed(cls, cache_folder: Path | None = None) -> Packs:
        """All packs that are installed and not switched off. `cache_folder`: where the kernel keeps its index."""
        from aries_kernel.discovery.entry import State
        from aries_kernel.discovery.registry import Plugins

        plugins = Plugins.discover(cache_folder=cache_folder)
        entries = {
            one.name.lower().lstrip("."): one
            for one in plugins.entries()
            if one.group == GROUP and one.state is State.ENABLED
        }
        places = {suffix: one.value for suffix, one in entries.items()}
        return cls(places, lambda suffix: plugins.drivers.load(GROUP, entries[suffix].name))

    def knows(self, suffix: str) -> bool:
        """Whether somebody says that files with this suffix are theirs."""
        return suffix in self.places

    def get(self, suffix: str) -> LanguagePack | None:
        """The pack for a suffix; None where there is none or it failed."""
        if suffix not in self.places:
            return None
        if suffix not in self._loaded:
            self._loaded[suffix] = self._make(suffix)
        return self._loaded[suffix]

    def named(self, language: str) -> LanguagePack | None:
        """A pack by the name of its language, among those that were loaded."""
        return self._by_name.get(language)

    def encoding(self, suffix: str) -> Callable[[bytes], str | None]:
        """What tells the encoding that a file with this suffix declares; nobody does where no pack is asked."""
        pack = self.get(suffix)

        def declared(head: bytes) -> str | None:
            try:
                return pack.encoding(head) if pack is not None else None
            except Exception as error:  # A stranger's code: the file is taken for UTF-8.
                self.problems.setdefault(suffix, f"encoding fails: {described_error(error)}")
                return None

        return declared

    def blame(self, suffix: str, reason: str) -> None:
        """A pack could not do its work at all; it is not asked again."""
        self.problems.setdefault(suffix, reason)
        self._loaded[suffix] = None

    def _import(self, suffix: str) -> object:
        module, _, attribute = self.places[suffix].partition(":")
        return getattr(importlib.import_module(module), attribute)

    def _make(self, suffix: str) -> LanguagePack | None:
        place = self.places[suffix]
        for known, other in self._loaded.items():
            if self.places[known] == place and other is not None:
                return other
        try:
            made: Any = self._load(suffix)
            pack = made() if isinstance(made, type) else made
            if not all(isinstance(one, str) for one in (pack.name, pack.version, pack.family)):
                raise TypeError("name, version and family of a language pack are texts")
        except AriesError as error:
            self.problems[suffix] = str(error)
            return None
        except Exception as error:  # A stranger's code: whatever it raises is named, and the other languages work.
            self.problems[suffix] = f"the language pack {place} fails: {described_error(error)}"
            return None
        self._by_name[pack.name] = pack
        return cast("LanguagePack", pack)
