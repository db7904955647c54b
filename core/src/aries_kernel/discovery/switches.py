"""Switching plugins off: by the settings, by the environment, by the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import evolve

from aries_kernel.discovery.entry import Entry, State, normalised
from aries_kernel.values import frozen

__all__ = ["VARIABLE", "Switches"]

VARIABLE = "ARIES_DISABLE_PLUGINS"
"""Names of what is off, separated by commas."""


@frozen
class Switches:
    """What is switched off, and by what. A name is a distribution, an entry point, or `group/name`."""

    config: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    flag: tuple[str, ...] = ()

    @classmethod
    def read(cls, environ: Mapping[str, str], config: Iterable[str] = (), flag: Iterable[str] = ()) -> Switches:
        """The three kinds together; empty names do not count."""
        return cls(_names(config), _names(environ.get(VARIABLE, "").split(",")), _names(flag))

    def apply(self, entry: Entry) -> Entry:
        """`entry`, off where a switch names it."""
        for name, switch in self._named():
            if _is_meant(name, entry):
                return evolve(entry, state=State.OFF, reason=f"switched off as '{name}' by {switch}")
        return entry

    def unknown(self, entries: Iterable[Entry]) -> tuple[str, ...]:
        """One line for each name that is no plugin's: `'name' in ...`."""
        known = tuple(entries)
        return tuple(
            f"'{name}' in {switch}"
            for name, switch in self._named()
            if not any(_is_meant(name, entry) for entry in known)
        )

    def _named(self) -> list[tuple[str, str]]:
        kinds = (
            (self.config, "the settings (plugins.disabled)"),
            (self.environment, f"the environment ({VARIABLE})"),
            (self.flag, "the command line"),
        )
        return [(name, switch) for names, switch in kinds for name in names]


def _names(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.strip() for item in items if item.strip()))


def _is_meant(name: str, entry: Entry) -> bool:
    return name in (entry.name, f"{entry.group}/{entry.name}") or normalised(name) == normalised(entry.distribution)
