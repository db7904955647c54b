"""Renaming and moving notes: every link to them follows, or nothing changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import UserError
from ori_memory.links.names import NamedNote
from ori_memory.links.resolving import Resolver
from ori_memory.links.rewriting import after_moves, rename_links
from ori_memory.notes.frontmatter import FrontmatterError, edit_frontmatter
from ori_memory.notes.naming import comparable, file_name, stem_of
from ori_memory.notes.parsing import parse_note
from ori_memory.notes.text import UnwritableText
from ori_memory.notes.titling import page_of
from ori_memory.operations.canvases import boards_with, move_on_boards
from ori_memory.operations.present import read_present
from ori_memory.operations.writing import writing

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["Moved", "finish_moves", "move_note"]

_JOURNAL = "moving.json"


@frozen
class Moved:
    """A note that was moved, or would be, and the notes whose links follow it."""

    source: str
    path: str
    rewritten: tuple[tuple[str, int], ...]
    """Paths (after the move) and the number of links changed in each."""
    warnings: tuple[str, ...] = ()


def move_note(memory: Memory, ref: str, new: str, *, is_dry_run: bool = False) -> Moved:
    """Give the note that `ref` names another name or place.

    `new` is a path (`folder/name.md`), a folder that exists (`folder/`), or a title, which renames in place.
    The plan is on disk before anything changes, so that a move that is cut short is finished by the next one.
    Raises: UnknownName, AmbiguousNote, UserError where the target is taken or leads out of the vault.
    """
    with writing(memory.vault):
        finish_moves(memory)
        memory.refresh()
        note = memory.index.note(ref)
        old = note.path
        target, title = _target(memory, old, new)
        if target == old and title in ("", note.title):
            return Moved(old, target, ())
        plan = _plan(memory, old, target, title)
        if is_dry_run:
            return plan
        journal = memory.vault.state_folder / _JOURNAL
        entry = {"old": old, "new": target, "title": title, "names": _names(memory)}
        replace_bytes(journal, json.dumps(entry).encode())
        warnings = _carry_out(
            memory,
            old,
            target,
            title,
            {path for path, _ in plan.rewritten if not path.endswith(".canvas")},
            _resolver(memory),
        )
        journal.unlink(missing_ok=True)
    memory.refresh()
    return Moved(old, target, plan.rewritten, tuple(warnings))


def finish_moves(memory: Memory) -> None:
    """Finish a move that was cut short. Call it with the write lock held; nothing happens where there is none."""
    journal = memory.vault.state_folder / _JOURNAL
    if not journal.is_file():
        return
    try:
        data = json.loads(journal.read_text(encoding="utf-8"))
        old, new, title, names = data["old"], data["new"], data.get("title", ""), data["names"]
        before = Resolver.of(NamedNote(path, title, tuple(aliases)) for path, title, aliases in names)
    except (ValueError, KeyError, TypeError) as error:
        memory.notice(f"{journal} cannot be read ({error}); it was left as it is.")
        return
    everywhere = {path if path != old else new for path, _, _ in names}
    memory.notice(*_carry_out(memory, old, new, title, everywhere, before))
    journal.unlink(missing_ok=True)


def _target(memory: Memory, old: str, new: str) -> tuple[str, str]:
    """The new path, and the new title where `new` is one."""
    title = ""
    folder = memory.vault.locate(new) if new.strip() else memory.vault.root
    if not new.strip():
        raise UserError("The new name is empty.")
    if not new.strip().isprintable():
        raise UserError("The new name must be one line without control characters.")
    if new.endswith("/") or folder.is_dir():
        path = f"{memory.vault.relative(folder)}/{old.rsplit('/', 1)[-1]}".removeprefix("./")
    elif not new.lower().endswith(".md") and (separator := _separator_of_pages(memory, old)):
        title, place = new.strip(), old.rpartition("/")[0]
        parts = [stem_of(file_name(part, lambda name: False)) for part in title.split("/") if part.strip()]
        name = f"{separator.join(parts)}.md"
        path = f"{place}/{name}" if place else name
    elif new.lower().endswith(".md") or "/" in new:
        path = memory.vault.relative(folder if new.lower().endswith(".md") else memory.vault.locate(f"{new}.md"))
    else:
        title, place = new.strip(), old.rpartition("/")[0]
        name = file_name(new, lambda name: False)
        path = f"{place}/{name}" if place else name
    real = memory.vault.root / path
    is_itself = comparable(path) == comparable(old)
    if real.exists() and not is_itself:
        raise UserError(f"{path} is there already; nothing was moved. Choose another name.")
    if any(part.startswith(".") for part in path.split("/")):
        raise UserError(f"{path} lies in a hidden folder, where notes are not seen; nothing was moved.")
    return path, title


def _separator_of_pages(memory: Memory, path: str) -> str:
    """What stands for `/` in the names of Logseq's files; empty where the note is no page of Logseq."""
    stem = stem_of(path)
    if "/" in page_of(stem):
        return "___" if "___" in stem else "%2F"
    is_graph = (memory.vault.root / "logseq" / "config.edn").is_file()
    return "___" if is_graph and path.startswith("pages/") else ""


def _names(memory: Memory) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(note.path, note.title, note.aliases) for note in memory.index.notes()]


def _resolver(memory: Memory) -> Resolver:
    return Resolver.of(NamedNote(*name) for name in _names(memory))


def _after(before: Resolver, old: str, new: str, title: str) -> Resolver:
    after = after_moves(before, {old: new})
    if not title:
        return after
    return Resolver.of(evolve(one, title=title) if one.path == new else one for one in after.notes.values())


def _plan(memory: Memory, old: str, new: str, title: str) -> Moved:
    before, moves = _resolver(memory), {old: new}
    after = _after(before, old, new, title)
    rewritten = []
    # A short name may mean another note after the move, so every note is looked at that has a link at all.
    for path in sorted({one.source for one in memory.index.links()}):
        note = read_present(memory.vault.root / path)
        count = rename_links(note.text, path, moves, before, after, _has_file(memory))[1] if note else 0
        if count:
            rewritten.append((new if path == old else path, count))
    rewritten += boards_with(memory.vault.root, old)
    return Moved(old, new, tuple(rewritten))


def _carry_out(memory: Memory, old: str, new: str, title: str, paths: set[str], before: Resolver) -> list[str]:
    root, moves = memory.vault.root, {old: new}
    warnings: list[str] = []
    after = _after(before, old, new, title)
    source, target = root / old, root / new
    try:
        if source.exists() and (not target.exists() or target.samefile(source)):
            target.parent.mkdir(parents=True, exist_ok=True)
            source.rename(target)
    except OSError as error:
        raise UserError(f"{old} cannot be moved to {new}: {error.strerror}. Nothing was changed.") from error
    warnings += move_on_boards(root, old, new)
    for path in sorted(paths | {new}):
        was = old if path == new else path
        try:
            _rewrite(memory, path, was, moves, before, after)
            if path == new:
                _retitle(root / path, stem_of(old), title)
        except (OSError, UnwritableText, FrontmatterError) as error:
            warnings.append(f"The links in {path} were not changed: {error}")
    return warnings


def _rewrite(memory: Memory, path: str, was: str, moves: dict[str, str], before: Resolver, after: Resolver) -> None:
    place = memory.vault.root / path
    note = read_present(place)
    if note is None:
        return
    text, _ = rename_links(note.text, was, moves, before, after, _has_file(memory))
    if text != note.text:
        replace_bytes(place, note.encode(text))


def _retitle(place: Path, old: str, title: str) -> None:
    """Give the note the title that was asked for; one that was the file's name follows it in any case.

    It stands in the frontmatter where there was one or the file's name cannot hold it, and in the heading ori wrote.
    """
    note = read_present(place)
    if note is None:
        return
    said = parse_note(note.text, old).properties.get("title")
    wanted = title or (place.stem if said == old else "")
    if wanted in ("", said) or (said is None and wanted in (place.stem, page_of(place.stem))):
        return
    text = edit_frontmatter(note.text, {"title": wanted})
    replace_bytes(place, note.encode(text.replace(f"\n# {said}\n", f"\n# {wanted}\n", 1)))


def _has_file(memory: Memory) -> Callable[[str], bool]:
    root = memory.vault.root
    return lambda path: (root / path).is_file()
