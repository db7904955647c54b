"""Taking over a listing of the tree: what is new or changed is read, what was bound to it is bound again."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Set
from typing import TYPE_CHECKING

from attrs import define, field

from aries_body.binding.linker import Change
from aries_body.index.facts import Facts, Parts
from aries_body.index.reading import Reading, Summary, key_of, other_reader, source_of, suffix_of
from aries_body.index.rows import FileRow
from aries_body.index.workers import read_files
from aries_body.tree.listing import Listing, Signature
from aries_body.tree.source import Unreadable

if TYPE_CHECKING:
    from aries_body.index.project import Project

__all__ = ["Progress", "Refreshed", "take"]

Progress = Callable[[int, int], None]

_SAME_TICK = 2_000_000_000
"""Nanoseconds within which two writes may leave the same times, on the coarsest file systems."""
_NEW = FileRow(Signature(0, 0, 0), True)
_KEPT_AT_ONCE = 400
_AT_HAND = 24 << 20
"""Bytes of packed facts that are not fetched from the cache again, when everything is bound."""


@define
class Refreshed:
    """What a refresh found; paths sorted."""

    added: list[str] = field(factory=list)
    changed: list[str] = field(factory=list)
    removed: list[str] = field(factory=list)
    bound: list[str] = field(factory=list)
    """Source files whose references were bound anew."""
    texts: list[str] = field(factory=list)
    """Files whose text may be another one, those above included."""


def take(project: Project, listing: Listing, progress: Progress | None, named: Set[str] | None = None) -> Refreshed:
    """Make `project` what `listing` says. `named`: the only files that may have changed; None: any."""
    before, files = project.rows, listing.files
    found = Refreshed(removed=sorted(before.keys() - files.keys()))
    rows: dict[str, FileRow] = {}
    to_read: dict[str, int] = {}
    young = project.now() - _SAME_TICK
    looked_at: Collection[str] = files
    if named is not None:
        # The others are as they were: they need not be gone through.
        rows = dict(before) if files.keys() == before.keys() else {path: before.get(path, _NEW) for path in files}
        looked_at = sorted(named & files.keys() | files.keys() - before.keys())
    for path in looked_at:
        signature, row = files[path], before.get(path)
        is_trusted = row is not None and not row.is_young
        if row is not None and is_trusted and row.signature == signature:
            rows[path] = row
            continue
        found.texts.append(path)
        is_young = signature.modified > young or signature.changed > young
        rows[path] = FileRow(signature, is_young)
        if project.packs.knows(suffix_of(path)):
            to_read[path] = signature.size
        elif row is None:
            found.added.append(path)
        elif row.signature != signature:
            found.changed.append(path)
    found.texts += found.removed
    recent: dict[str, Facts] = {}
    room = _AT_HAND
    for reading in _readings(project, to_read, progress):
        _note(project, rows, reading, found)
        room -= sum(map(len, reading.parts))
        if room > 0 and reading.parts.definitions:
            recent[reading.path] = reading.facts or Facts(reading.parts)
    change = _change(project, rows, rows if named is None else looked_at, found.removed)
    project.take_over(rows, listing)
    project.remember(recent)
    for family, asked in project.linker.resolving.asked.items():
        if asked.is_outdated(project) or any(asked.rests_on_imports_of(path, project) for path in change.changed):
            change.families.add(family)
    found.bound = sorted(project.linker.update(change))
    for paths in (found.added, found.changed):
        paths.sort()
    return found


def _note(project: Project, rows: dict[str, FileRow], reading: Reading, found: Refreshed) -> None:
    """Put what was read into its row."""
    path, row, packs, suffix = reading.path, rows[reading.path], project.packs, suffix_of(reading.path)
    # A worker read it; here its pack is needed for what its imports mean.
    packs.get(suffix)
    if reading.summary.through:
        packs.get(reading.summary.through.partition(" ")[0])
    if reading.broken_pack:
        packs.blame(suffix, reading.broken_pack)
    is_lasting = not packs.problems.get(suffix)
    rows[path] = FileRow(row.signature, row.is_young or not is_lasting, reading.key, reading.summary, reading.skipped)
    before = project.rows.get(path)
    if before is None:
        found.added.append(path)
    elif before.signature != row.signature or (before.key, before.skipped) != (reading.key, reading.skipped):
        found.changed.append(path)


def _readings(project: Project, to_read: dict[str, int], progress: Progress | None) -> Iterator[Reading]:
    """What every file says, from the cache where it is known there."""
    total, done = len(to_read), 0
    unknown = dict(to_read)
    if project.store.has_facts():
        for reading in _known(project, list(to_read)):
            del unknown[reading.path]
            done += 1
            yield reading
    if progress is not None and unknown:
        progress(done, total)
    waiting: list[Reading] = []
    read = read_files(
        os.fspath(project.root),
        list(unknown.items()),
        project.limits.max_file_bytes,
        project.packs,
        processes=project.processes,
        seconds=project.limits.seconds,
    )
    for reading in read:
        waiting.append(reading)
        if len(waiting) >= _KEPT_AT_ONCE:
            _keep(project, waiting)
        done += 1
        if progress is not None:
            progress(done, total)
        yield reading
    _keep(project, waiting)


def _keep(project: Project, waiting: list[Reading]) -> None:
    """Facts go to the cache while reading goes on: who is killed in between has not worked for nothing."""
    project.store.keep({one.key: (one.key, one.summary, one.parts) for one in waiting if one.key}.values())
    waiting.clear()


def _known(project: Project, paths: list[str]) -> Iterator[Reading]:
    """Files whose facts are kept, or that are no text."""
    keys: dict[str, bytes] = {}
    nothing = Parts(b"", b"", b"")
    for path in paths:
        pack = project.packs.get(suffix_of(path))
        if pack is None:
            continue
        try:
            source = source_of(f"{project.root}/{path}", path, project.limits.max_file_bytes, project.packs)
        except Unreadable as error:
            yield Reading(path, b"", str(error), Summary(), nothing)
            continue
        keys[path] = key_of(source.data, path, pack)
    summaries = project.store.summaries(sorted(set(keys.values())))
    project.store.touch(sorted(summaries))
    for path, key in keys.items():
        summary = summaries.get(key)
        if summary is not None and _is_current(summary, project):
            yield Reading(path, key, "", summary, nothing)


def _is_current(summary: Summary, project: Project) -> bool:
    """Whether the pack that read it in the place of another one is still the one that would."""
    if not summary.through:
        return True
    return summary.through == other_reader(summary.through.partition(" ")[0], project.packs)


def _change(project: Project, rows: dict[str, FileRow], looked_at: Iterable[str], removed: Collection[str]) -> Change:
    """What the linker has to know: sources that came, went or say something else."""
    change = Change()
    links, before, resolving = project.linker.links, project.rows, project.linker.resolving
    for path in looked_at:
        row = rows[path]
        if not row.key:
            continue
        old = before.get(path)
        if path not in links:
            change.added.add(path)
        elif old is None or not old.key:
            change.changed[path] = None
        elif old.key != row.key:
            change.changed[path] = project.facts_before(path, old.key)
        else:
            continue
        is_same_place = old is not None and path in links and _says(old) == _says(row)
        if not is_same_place:
            change.families.add(_family(project, row.summary.language))
    for path in links if looked_at is rows else links.keys() & {*looked_at, *removed}:
        now = rows.get(path)
        if now is None or not now.key:
            change.removed.add(path)
            if path in before:
                change.families.add(resolving.family_of(path))
    return change


def _says(row: FileRow) -> tuple[str, str]:
    return row.summary.language, row.summary.namespace


def _family(project: Project, language: str) -> str:
    pack = project.packs.named(language)
    return pack.family if pack is not None else language
