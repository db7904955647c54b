"""Loading one plugin by name, when it is needed."""

from __future__ import annotations

import contextlib
import functools
import importlib
import re
import sys
from typing import NoReturn

from aries_kernel.discovery.entry import Entry, State
from aries_kernel.discovery.index import Index
from aries_kernel.discovery.report import Report, described_error
from aries_kernel.errors import PluginError, UnknownName

__all__ = ["Drivers"]

_PLAIN = re.compile(r"(?P<module>\w+(?:\.\w+)*):(?P<attribute>\w+(?:\.\w+)*)")
"""How nearly all entry points are written. The others, as a module alone or with extras, are left to stevedore."""


class Drivers:
    """The plugins that are asked for by name."""

    def __init__(self, index: Index, report: Report) -> None:
        self._index, self._report = index, report
        self._loaded: dict[Entry, object] = {}

    def names(self, group: str) -> tuple[str, ...]:
        """Names that can be asked for, sorted; one that failed to load is not among them any more."""
        return tuple(entry.name for entry in self._index.enabled(group) if self._report.about(entry) is None)

    def entry(self, group: str, name: str) -> Entry:
        """Where a name leads, without loading it.

        Raises: UnknownName; PluginError for a plugin that is installed and not used, with the reason.
        """
        entries = self._index.named(group, name)
        used = [entry for entry in entries if entry.state is State.ENABLED]
        if used:
            return used[0]
        if entries:
            self._refuse(entries[0])
        raise UnknownName(_kind(group), name, self.names(group))

    def load(self, group: str, name: str) -> object:
        """What the entry point names, imported once.

        What it prints while it is imported goes to standard error: standard output may be a document.
        Raises: as `entry`; PluginError where importing fails, then and at every later try, without trying again.
        """
        entry = self.entry(group, name)
        if entry not in self._loaded:
            self._loaded[entry] = self._import(entry)
        return self._loaded[entry]

    def _import(self, entry: Entry) -> object:
        known = self._report.about(entry)
        if known is not None:
            raise _error(entry, known.message)
        try:
            with contextlib.redirect_stdout(sys.stderr):
                return _load(entry)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit too: a module may call sys.exit when it is imported.
            message = f"importing '{entry.value}' failed: {described_error(error)}"
            self._report.blame(entry, message)
            raise _error(entry, message) from error

    def _refuse(self, entry: Entry) -> NoReturn:
        raise _error(entry, f"it is not used ({entry.state}): {entry.reason}.")


def _error(entry: Entry, message: str) -> PluginError:
    return PluginError(
        f"{_kind(entry.group).capitalize()} '{entry.name}' of {entry.distribution} {entry.version}: {message}",
        distribution=entry.distribution,
        entry_point=entry.name,
    )


def _kind(group: str) -> str:
    return group.rpartition(".")[2].removesuffix("s") or "plugin"


def _load(entry: Entry) -> object:
    """What stevedore would give, whose import takes longer than a quick command may: a fifth of a ranked question."""
    plain = _PLAIN.fullmatch(entry.value)
    if plain is None:
        return _load_with_stevedore(entry)
    module = importlib.import_module(plain["module"])
    return functools.reduce(getattr, plain["attribute"].split("."), module)


def _load_with_stevedore(entry: Entry) -> object:
    from importlib.metadata import EntryPoint

    from stevedore.driver import DriverManager

    class OneEntry(DriverManager):  # type: ignore[type-arg]  # its oldest version we admit is not generic
        """Knows the one entry of our index; stevedore's own list may be minutes old."""

        def list_entry_points(self) -> list[EntryPoint]:
            return [EntryPoint(entry.name, entry.value, entry.group)]

    return OneEntry(entry.group, entry.name).extensions[0].plugin
