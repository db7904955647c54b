"""The plugins of this installation: one object for all there is to ask about them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from aries_kernel.discovery.drivers import Drivers
from aries_kernel.discovery.index import Entry, Index, State, Switches, read_index
from aries_kernel.discovery.report import Problem, Report
from aries_kernel.errors import PluginError

if TYPE_CHECKING:
    from aries_kernel.events import Events

__all__ = ["Plugins"]

_HOOKS = "aries.plugins"


class Plugins:
    """What is installed, what is used of it, and what is wrong with it."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._events: Events | None = None
        self.report = Report()
        self.drivers = Drivers(index, self.report)
        self._report_index()

    @classmethod
    def discover(
        cls,
        search_path: Iterable[str | Path] | None = None,
        cache_folder: Path | None = None,
        disabled: Iterable[str] = (),
        *,
        switched_off: Iterable[str] = (),
        environ: Mapping[str, str] | None = None,
    ) -> Plugins:
        """Find plugins; imports none.

        `search_path` and `environ` None: those of this process. `cache_folder` None: nothing is kept.
        `disabled` comes from the settings, `switched_off` from the command line.
        """
        switches = Switches.read(os.environ if environ is None else environ, disabled, switched_off)
        return cls(read_index(search_path, cache_folder, switches))

    def entries(self) -> tuple[Entry, ...]:
        """Everything that is installed, used or not, sorted by group and name."""
        return self._index.entries

    @property
    def unknown_switches(self) -> tuple[str, ...]:
        """What was to be switched off and is no plugin's name: `'name' in the settings (plugins.disabled)`."""
        return self._index.unknown_switches

    def events(self) -> Events:
        """The hooks of all enabled plugins, which are loaded at the first call."""
        if self._events is None:
            self._events = self._load_events()
        return self._events

    def check(self) -> tuple[Problem, ...]:
        """Load everything that is enabled; gives whatever is wrong, what is known already included."""
        self.events()
        for entry in self._index.entries:
            if entry.state is State.ENABLED and entry.group != _HOOKS:
                try:
                    self.drivers.load(entry.group, entry.name)
                except PluginError:
                    continue  # It is in the report.
        return self.report.problems

    def _load_events(self) -> Events:
        # What events carry is imported where there are any: a driver is loaded without.
        from aries_kernel.events import Events

        if not self._index.enabled(_HOOKS):
            return Events.silent()
        # pluggy is not imported where no plugin has hooks.
        from aries_kernel.discovery.plugins import load_hooks

        return Events(load_hooks(self._index, self.report), self.report)

    def _report_index(self) -> None:
        for problem in self._index.problems:
            self.report.add(problem)
        for entry in self._index.entries:
            if entry.state in (State.DUPLICATE, State.INCOMPATIBLE):
                self.report.blame(entry, entry.reason)
