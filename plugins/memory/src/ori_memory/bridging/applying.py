"""Carrying out a plan: every file whole, with a backup, all of them or none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from aries_kernel.atomic import replace_bytes
from aries_kernel.contracts.bridge import FileEdit, Plan
from aries_kernel.errors import UserError
from ori_memory.bridging.receipts import Receipts

__all__ = ["Applied", "apply_install", "apply_uninstall", "restoring", "settling"]


@frozen
class Applied:
    """A file that was written or removed, and where its old content is kept."""

    path: Path
    changes: tuple[str, ...]
    is_removed: bool
    is_new: bool
    backup: Path | None


def apply_install(plan: Plan, bridge: str, receipts: Receipts) -> tuple[Applied, ...]:
    """Raises: UserError where a file cannot be written, or changed meanwhile; then all are as they were."""
    made: dict[Path, list[Path]] = {}
    done = _apply(plan.edits, receipts, made)
    for edit, one in zip(plan.edits, done, strict=True):
        for folder in receipts.note(bridge, edit, one.backup, made.get(edit.path, []))[::-1]:
            _remove_empty(folder)
    return done


def apply_uninstall(plan: Plan, bridge: str, receipts: Receipts) -> tuple[Applied, ...]:
    """Likewise; a folder that was made for a file goes with it, when it is empty."""
    done = _apply(plan.edits, receipts, {})
    for edit in plan.edits:
        for folder in [*receipts.forget(bridge, edit.path)][::-1]:
            _remove_empty(folder)
    return done


def restoring(plan: Plan, bridge: str, receipts: Receipts) -> Plan:
    """The removal, with the very bytes that were there before for files that nobody changed since."""
    return Plan(tuple(receipts.restored(bridge, edit) for edit in plan.edits), plan.left_to_user, plan.shown)


def settling(plan: Plan, bridge: str, receipts: Receipts) -> Plan:
    """An installation that removes a file of which nothing of ours is left: what was there before comes back."""
    edits = (edit if edit.after is not None else receipts.restored(bridge, edit) for edit in plan.edits)
    return Plan(tuple(edits), plan.left_to_user, plan.shown)


def _apply(edits: Sequence[FileEdit], receipts: Receipts, made: dict[Path, list[Path]]) -> tuple[Applied, ...]:
    done: list[Applied] = []
    for edit in edits:
        _require_writable(edit.path)
    try:
        for edit in edits:
            if _content(edit.path) != edit.before:
                raise UserError(f"{edit.path} was changed at this moment by another program; try again.")
            backup = receipts.keep(edit)
            made[edit.path] = [] if edit.after is None else _missing_folders(edit.path)
            _write(edit.path, edit.after)
            done.append(Applied(edit.path, edit.changes, edit.after is None, edit.before is None, backup))
    except (OSError, UserError) as error:
        for edit, _ in reversed([*zip(edits, done, strict=False)]):
            _write(edit.path, edit.before)
        for folder in [folder for folders in made.values() for folder in folders][::-1]:
            _remove_empty(folder)
        if isinstance(error, UserError):
            raise
        name = error.filename or "a file"
        raise UserError(f"{name} cannot be written: {error.strerror}. Nothing was changed.") from error
    return tuple(done)


def _require_writable(path: Path) -> None:
    """A file is replaced as a whole, which its own mode does not keep anybody from. Raises: UserError."""
    try:
        is_kept = path.exists() and not path.stat().st_mode & 0o222
    except OSError:
        return  # What cannot be looked at cannot be written either, which is told then.
    if is_kept:
        raise UserError(f"{path} is read-only: somebody keeps it as it is. Make it writable, and try again.")


def _write(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_bytes(path, data)


def _missing_folders(path: Path) -> list[Path]:
    """The outermost first."""
    return [folder for folder in (path.parent, *path.parent.parents) if not folder.exists()][::-1]


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _remove_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return  # Somebody else has put something there by now.
