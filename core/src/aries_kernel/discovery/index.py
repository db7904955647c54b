"""The registry of plugins: every entry point of ours that is installed, with its state, without importing any."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from attrs import evolve

from aries_kernel.discovery import cache
from aries_kernel.discovery.entry import Entry, State
from aries_kernel.discovery.report import Problem
from aries_kernel.discovery.scan import Installed, scan
from aries_kernel.discovery.switches import Switches
from aries_kernel.values import frozen

__all__ = ["Entry", "Index", "State", "Switches", "read_index"]


@frozen
class Index:
    """All entry points, sorted by group, name and distribution."""

    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...] = ()
    """Distributions that seem to be ours and could not be read."""
    unknown_switches: tuple[str, ...] = ()
    """Names that were to be switched off and are no plugin's."""

    def enabled(self, group: str) -> tuple[Entry, ...]:
        """What is used of a group."""
        return tuple(entry for entry in self.entries if entry.group == group and entry.state is State.ENABLED)

    def named(self, group: str, name: str) -> tuple[Entry, ...]:
        """Every entry point of that name, whatever its state."""
        return tuple(entry for entry in self.entries if (entry.group, entry.name) == (group, name))


def read_index(
    search_path: Iterable[str | Path] | None = None,
    cache_folder: Path | None = None,
    switches: Switches | None = None,
) -> Index:
    """Find what is installed.

    `search_path` None: that of this process. `cache_folder` None: nothing is kept.
    """
    found = scan(sys.path if search_path is None else search_path)
    snapshot = _snapshot(found, cache_folder)
    switches = switches or Switches()
    switched = [entry if entry.state is not State.ENABLED else switches.apply(entry) for entry in snapshot.entries]
    return Index(
        tuple(_without_duplicates(switched)),
        snapshot.problems,
        switches.unknown(snapshot.entries),
    )


def _snapshot(found: Sequence[Installed], cache_folder: Path | None) -> cache.Snapshot:
    if cache_folder is None:
        return _read_all(found)
    key = cache.key_of(found)
    snapshot = cache.load(cache_folder, key)
    if snapshot is None:
        snapshot = _read_all(found)
        cache.store(cache_folder, key, snapshot)
    return snapshot


def _read_all(found: Sequence[Installed]) -> cache.Snapshot:
    entries: list[Entry] = []
    problems = []
    for installed in found:
        try:
            entries += _read_one(installed)
        except ValueError as error:
            message = f"{installed.folder}: {error}; reinstall or remove it"
            problems.append(Problem(installed.name, installed.version, "", "", message))
    return cache.Snapshot(tuple(sorted(entries, key=_order)), tuple(problems))


def _read_one(installed: Installed) -> list[Entry]:
    # Imported where something was installed or changed since the last time.
    from aries_kernel.discovery.compatibility import why_incompatible
    from aries_kernel.discovery.metadata import read_entry_points, read_metadata

    if installed.error:
        raise ValueError(installed.error)
    try:
        lines = read_entry_points(installed.entry_points)
    except ValueError as error:
        raise ValueError(f"entry_points.txt cannot be read: {error}") from error
    metadata = read_metadata(installed)
    reason = why_incompatible(metadata.requires)
    state = State.INCOMPATIBLE if reason else State.ENABLED
    return [Entry(line.group, line.name, line.value, metadata.name, metadata.version, state, reason) for line in lines]


def _order(entry: Entry) -> tuple[str, str, str, str]:
    return entry.group, entry.name, entry.distribution, entry.value


def _without_duplicates(entries: Iterable[Entry]) -> Iterable[Entry]:
    for _, same in groupby(entries, key=lambda entry: (entry.group, entry.name)):
        rivals = list(same)
        used = [entry for entry in rivals if entry.state is State.ENABLED]
        reason = _why_duplicate(used) if len(used) > 1 else ""
        for entry in rivals:
            is_duplicate = bool(reason) and entry.state is State.ENABLED
            yield evolve(entry, state=State.DUPLICATE, reason=reason) if is_duplicate else entry


def _why_duplicate(rivals: Sequence[Entry]) -> str:
    first = rivals[0]
    owners = sorted({entry.distribution for entry in rivals})
    if len(owners) == 1:
        return f"{owners[0]} offers '{first.name}' in {first.group} more than once, so it is not used"
    return (
        f"'{first.name}' in {first.group} is offered by {' and by '.join(owners)}, so none of them is used; "
        "remove all but one, or switch them off by the names of their distributions"
    )
