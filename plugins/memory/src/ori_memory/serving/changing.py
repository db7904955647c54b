"""Tools that write notes, the own files or the index, and those that only look at files."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from aries_kernel.errors import UserError
from ori_memory.serving.asking import day
from ori_memory.serving.told import Call, Told

if TYPE_CHECKING:
    from ori_memory.memory import Memory
    from ori_memory.serving import arguments as given

__all__ = ["add", "forget", "index_build", "orient", "promote", "prune", "sql", "update", "wake"]


def orient(memory: Memory, asked: given.Orient, call: Call) -> Told:
    """The start of a session; see `operations.orienting`."""
    from ori_memory.operations.orienting import orient_data
    from ori_memory.operations.own_files import OWN_FILES

    data = orient_data(memory.vault, memory.now().astimezone(), is_brief=asked.brief)
    return Told(data, memory.vault.warnings, lists=("brief", *OWN_FILES))


def wake(memory: Memory, asked: given.Wake, call: Call) -> Told:
    """`ori wake`."""
    from ori_memory.operations.waking import wake as wake_up

    if asked.budget is not None and asked.budget < 1:
        raise UserError("The budget must be at least 1 line.")
    brief = wake_up(memory.vault, now=memory.now().astimezone(), budget=asked.budget)
    return Told(brief, brief.notices, lists=("lines",))


def update(memory: Memory, asked: given.Update, call: Call) -> Told:
    """`ori update`."""
    from ori_memory.operations.own_files import update_own

    return Told(update_own(memory.vault, asked.file, asked.content, memory.now()))


def add(memory: Memory, asked: given.Add, call: Call) -> Told:
    """`ori add`."""
    from ori_memory.model import Source
    from ori_memory.operations.composing import NewNote

    added = memory.add(
        NewNote(
            title=asked.title,
            content=asked.content,
            type=asked.type or "",
            description=asked.description,
            projects=asked.project,
            tags=asked.tags,
            confidence=asked.confidence or "",
            supersedes=asked.supersedes,
            valid_from=day("valid_from", asked.valid_from),
            valid_until=day("valid_until", asked.valid_until),
            is_pinned=asked.pinned,
            # A session would make a thread of all notes of a day; threads are for talks.
            source=Source(client=call.client),
        ),
        session=call.session,
        client=call.client,
    )
    if asked.supersedes and not added.is_promoted:
        memory.refresh()  # Whoever asks next finds the old note as it is now.
    return Told(added, added.warnings)


def promote(memory: Memory, asked: given.Promote, call: Call) -> Told:
    """`ori promote`."""
    from ori_memory.operations.promoting import Overrides, promote_note

    overrides = Overrides(asked.type or "", asked.description, asked.links, asked.project)
    done = promote_note(memory, memory.index.note(asked.path).path, overrides, is_dry_run=asked.dry_run)
    return Told({"promoted": [done], "skipped": [], "dry_run": asked.dry_run}, done.warnings, lists=("promoted",))


def prune(memory: Memory, asked: given.Prune, call: Call) -> Told:
    """`ori prune`."""
    from ori_memory.operations.pruning import prune as prune_notes

    report = prune_notes(memory, apply=asked.apply)
    if asked.apply:
        memory.refresh()
    failed = tuple(f"{path}: {reason}" for path, reason in report.failed)
    lists = ("failed", "archived", "candidates", "hotspots", "articulation_points", "bridge_notes")
    return Told(report, (*report.warnings, *failed), is_good=not report.failed, lists=lists)


def forget(memory: Memory, asked: given.Forget, call: Call) -> Told:
    """`ori forget`."""
    from ori_memory.operations.composing import NewNote
    from ori_memory.operations.forgetting import forget as forget_notes
    from ori_memory.operations.forgetting import supersede

    title = asked.supersede.strip()
    if asked.purge and title:
        raise UserError("Give purge or supersede, not both.")
    if asked.content.strip() and not title:
        raise UserError("content is for the note that takes the other's place; give its title as supersede.")
    if title:
        new, old = asked.supersede, memory.index.note(asked.query).path
        if asked.apply:
            new, old = supersede(memory, asked.query, NewNote(title, asked.content))
        return Told({"new": new, "superseded": old, "is_applied": asked.apply})
    report = forget_notes(memory, asked.query, "purge" if asked.purge else "release", apply=asked.apply)
    if asked.apply:
        memory.refresh()
    failed = tuple(f"{path}: {reason}" for path, reason in report.failed)
    is_good = bool(report.matches) and not report.failed
    return Told(report, failed, is_good, lists=("matches", "removed", "traces", "mentions", "failed"))


def index_build(memory: Memory, asked: given.IndexBuild, call: Call) -> Told:
    """`ori index build`."""
    start = time.perf_counter()
    report = memory.sync(force=asked.force)
    return Told({**report.data, "duration_ms": round(1000 * (time.perf_counter() - start))})


def sql(memory: Memory, asked: given.Sql, call: Call) -> Told:
    """`ori sql`. It has a process of its own, so nobody waits for it."""
    from ori_memory.operations.sql import MOST_ROWS, describe_schema, run_sql

    if asked.schema:
        return Told({"tables": describe_schema(memory.vault)}, lists=("tables",))
    answer = run_sql(memory.vault, asked.sql, limit=min(max(asked.limit, 1), MOST_ROWS))
    warnings = []
    if answer.is_truncated:
        warnings.append(f"There are more rows than the {len(answer.rows):,} that were asked for; limit allows more.")
    if answer.cells_cut:
        warnings.append(f"{answer.cells_cut:,} texts were longer than 4,096 bytes and were cut there.")
    return Told(answer, tuple(warnings), lists=("rows",))
