"""`ori learned`: what use has taught, as text."""

from __future__ import annotations

import codecs
import functools
import json
import sys
import textwrap
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import click

from aries_kernel.atomic import replace_bytes
from aries_kernel.contracts import Experience
from aries_kernel.errors import UnknownName, UserError
from ori_memory.answer import plain, print_answer
from ori_memory.app import Context, answering
from ori_memory.learned.crediting import SourceCount
from ori_memory.learned.exchange import FORMAT, ImportReport, Parsed, parse_lines
from ori_memory.learned.reports import LearnedStatus
from ori_memory.learned.store import LearnedStore
from ori_memory.learning.lessons import lessons_data, lessons_of, lessons_text
from ori_memory.memory import Memory
from ori_memory.operations.merging import merge_parsed

__all__ = ["learned"]


@click.group()
def learned() -> None:
    """Look at what use has taught, carry it to another machine, or forget it."""


@learned.command("export")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace FILE where it holds something else.")
@answering
def export_command(context: Context, file: Path | None, force: bool) -> int:
    """Write everything learned as text, a JSON document a line, to FILE, or to standard output, as `-` does too.

    What was noticed and not counted yet is counted first. The same store gives the same bytes, so that git sees what
    changed. --json without FILE answers one document with all records in it, which is for looking, not for `import`.
    """
    file = None if file is not None and str(file) == "-" else file
    with Memory.open(context.vault()) as memory:
        if memory.teaching.is_waiting:
            memory.teaching.learn()
        text = memory.learned.export()
        warnings = memory.warnings
    header, *records = [json.loads(line) for line in text.splitlines()]
    tables = dict(sorted(Counter(record["_t"] for record in records).items()))
    if file is None and context.is_json_asked:
        data = {"format": FORMAT, "version": header["version"], "rows": len(records), "tables": tables}
        print_answer({**data, "records": records}, as_json=True, text=str, warnings=warnings)
    elif file is None:
        sys.stdout.write(text)
        for warning in warnings:
            sys.stderr.write(f"ori: {warning}\n")
    else:
        place = (context.cwd / file.expanduser()).resolve()
        size = _write(place, text, is_forced=force)
        count = {"file": place, "rows": len(records), "tables": tables, "bytes": size}
        told = f"{place}: {len(records)} rows"
        print_answer(count, as_json=context.wants_json, text=lambda: told, warnings=warnings)
    return 0


@learned.command("import")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@answering
def import_command(context: Context, file: Path) -> int:
    """Merge an export, of this or another machine; `-` reads standard input. Importing again changes nothing."""
    with Memory.open(context.vault()) as memory:
        report = merge_parsed(memory, _parsed(context, file))
        print_answer(report, as_json=context.wants_json, text=lambda: _imported(report), warnings=memory.warnings)
    return 0


@learned.command("status")
@answering
def status_command(context: Context) -> int:
    """Tell how much was learned, and whether the file is sound."""
    with Memory.open(context.vault()) as memory:
        store = memory.learned
        status = store.status()
        is_sound = status.soundness in ("ok", "absent")
        evidence = dict(sorted(store.evidence().items())) if is_sound else {}
        experience = store.experience() if is_sound else None
    data = {
        **plain(status),
        "evidence": {name: one._asdict() for name, one in evidence.items()},
        "experience": plain(experience) if experience is not None else None,
    }
    told = "\n".join([_status(status), *_evidence(evidence), *_experience(experience)])
    print_answer(data, as_json=context.wants_json, text=lambda: told, success=is_sound)
    return 0 if is_sound else 1


@learned.command("merge")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@answering
def merge_command(context: Context, files: tuple[Path, ...]) -> int:
    """Merge the exports of several machines, in whatever order."""
    with Memory.open(context.vault()) as memory:
        # All are understood before the first is merged: where one is broken, nothing was imported.
        parsed = {file: _parsed(context, file) for file in files}
        reports = {file: merge_parsed(memory, one) for file, one in parsed.items()}
        data = [{"file": str(file), "read": one.read, "changed": one.changed} for file, one in reports.items()]
        told = "\n".join(f"{file}\n{textwrap.indent(_imported(one), '  ')}" for file, one in reports.items())
        print_answer({"files": data}, as_json=context.wants_json, text=lambda: told, warnings=memory.warnings)
    return 0


@learned.command("show")
@click.argument("note")
@answering
def show_command(context: Context, note: str) -> int:
    """What was learned of NOTE: by which questions, from which evidence, when."""
    with Memory.open(context.vault()) as memory:
        shown = lessons_of(memory, note)
        text = functools.partial(lessons_text, shown)
        print_answer(lessons_data(shown), as_json=context.wants_json, text=text, warnings=memory.warnings)
    return 0


@learned.command("reset")
@click.argument("note", required=False, default="")
@click.option("--yes", is_flag=True, help="Do it without asking.")
@click.option("--undo", is_flag=True, help="Take the last reset back; what was learned since stays.")
@answering
def reset_command(context: Context, note: str, yes: bool, undo: bool) -> int:
    """Forget what use taught of NOTE, or everything. An export is kept, and --undo brings it back; notes stay."""
    if yes and undo:
        raise click.UsageError("--yes and --undo exclude each other.")
    with Memory.open(context.vault()) as memory:
        store = memory.learned
        id = _note_id(memory, note, is_gone=undo) if note else ""
        if not undo and not yes and not _is_sure(store, note):
            raise UserError("Nothing was reset. Say --yes to do it without being asked.")
        memory.teaching.learn()  # What was noticed until now goes with the rest.
        done = store.undo_reset(id) if undo else store.reset(id)
        rows = f"{done.rows} rows of {id}" if id else f"{done.rows} rows"
        what = f"{rows} came back from {done.kept}" if undo else f"{rows} went; kept in {done.kept}"
        data = {"rows": done.rows, "kept": str(done.kept), "is_undone": undo, "note": id}
        print_answer(data, as_json=context.wants_json, text=lambda: what, warnings=memory.warnings)
    return 0


def _note_id(memory: Memory, note: str, *, is_gone: bool) -> str:
    try:
        return lessons_of(memory, note).id
    except UnknownName:
        if not is_gone:
            raise
        return note  # Of a note that is gone nothing is known any more until this is taken back.


def _is_sure(store: LearnedStore, note: str) -> bool:
    rows = sum(store.status().rows.values())
    what = f"what use has taught of {note}" if note else f"all that use has taught ({rows:,} rows)"
    return sys.stdin.isatty() and click.confirm(f"Forget {what}?", err=True)


def _write(place: Path, text: str, *, is_forced: bool) -> int:
    data = text.encode("utf-8", "surrogatepass")
    if place.exists() and not is_forced and not _is_export(place):
        raise UserError(f"{place} is there and is no export of learned data; --force replaces it.")
    try:
        if place.exists() and not place.is_file():
            place.write_bytes(data)  # A pipe or a device is written to, not replaced.
        else:
            replace_bytes(place, data)
    except OSError as error:
        raise UserError(f"{place} cannot be written: {error.strerror}.") from error
    return len(data)


def _is_export(place: Path) -> bool:
    if not place.is_file():
        return not place.is_dir()
    with place.open("rb") as file:
        return file.read(64).startswith(b'{"_format":"ori-learned"')


def _parsed(context: Context, file: Path) -> Parsed:
    try:
        return parse_lines(_text(context, file).split("\n"))
    except UserError as error:
        raise UserError(f"{file}: {error}") from error


def _text(context: Context, file: Path) -> str:
    place = context.cwd / file.expanduser()
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else place.read_bytes()
    except FileNotFoundError as error:
        raise UserError(
            "it is not there. `ori learned export FILE` writes one, on the machine that learned."
        ) from error
    except OSError as error:
        raise UserError(f"it cannot be read: {error.strerror}.") from error
    # What a redirection of Windows' older shell leaves begins with a mark of its own.
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"
    try:
        return data.decode(encoding, "surrogatepass")
    except UnicodeDecodeError as error:
        raise UserError(
            f"it is no text: byte {error.start} is not {encoding.upper()}. Nothing was imported."
        ) from error


def _imported(report: ImportReport) -> str:
    lines = [
        f"{table}: {count} read, {report.changed.get(table, 0)} new" for table, count in report.read.items() if count
    ]
    lines += [f"{table}: {count} left out, this version does not know it" for table, count in report.skipped.items()]
    return "\n".join(lines) or "There is nothing in it."


def _experience(told: Experience | None) -> list[str]:
    """What the latest questions tell of all; nothing where it is to be found out anew."""
    if told is None:
        return []
    return [
        f"questions much alike: {told.agreed:.1f} pairs had a useful note in common, {told.differed:.1f} had none",
        f"questions that name a note: {told.named:.1f} useful notes were named, {told.unnamed:.1f} were others",
    ]


def _evidence(counts: Mapping[str, SourceCount]) -> list[str]:
    head = ["evidence:"] if counts else []
    return head + [
        f"  {name}: found {one.credits:,}, sessions that are over {one.sessions:,}" for name, one in counts.items()
    ]


def _status(status: LearnedStatus) -> str:
    if not status.exists:
        return "Nothing was learned yet."
    lines = [f"revision {status.revision}, {status.size:,} bytes, {status.soundness}"]
    lines += [f"  {table}: {count:,}" for table, count in status.rows.items()]
    return "\n".join([*lines, *status.recoveries])
