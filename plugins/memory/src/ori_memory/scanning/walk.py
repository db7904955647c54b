"""One look at every file of a vault: its name, time, size and inode, and nothing else."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from attrs import field

from aries_kernel.values import define, frozen
from ori_memory.scanning.ignoring import RULE_FILES, Rules, read_rules, rules_of_folder
from ori_memory.vault.vault import MARKER

__all__ = ["FileStamp", "Row", "Scan", "ScanProblem", "scan_notes"]

_ENDINGS = frozenset((".md", ".MD", ".Md", ".mD"))
_NO_NOTES = frozenset((".#", "._"))
"""`.#name` is an editor's lock and `._name` what macOS puts beside a file on foreign disks."""
_RULE_FILES = frozenset(RULE_FILES)
_63_BITS = 0x7FFFFFFFFFFFFFFF
"""Some file systems number wider than SQLite's integers."""


Row = tuple[str, int, int, int]
"""A FileStamp as a plain tuple. There is one for each file at each command, and naming its parts takes its time."""


class FileStamp(NamedTuple):
    """A note's file as the file system shows it."""

    path: str
    """Relative to the vault, with forward slashes."""
    mtime_ns: int
    size: int
    inode: int


@frozen
class ScanProblem:
    """A place that could not be looked at, and why."""

    path: str
    reason: str


@frozen
class Scan:
    """What there is. Nothing may be concluded from the absence of what lies at or under an error's path."""

    rows: Sequence[Row] = ()
    """What `files` holds, in no order."""
    errors: tuple[ScanProblem, ...] = ()
    left_out: tuple[ScanProblem, ...] = ()
    """Files that look like notes and cannot be any."""

    @property
    def files(self) -> tuple[FileStamp, ...]:
        """In the order of their paths."""
        return tuple(map(FileStamp._make, sorted(self.rows)))

    def hides(self, path: str) -> bool:
        """Whether `path` may be there although it was not seen."""
        return any(not bad.path or path == bad.path or path.startswith(bad.path + "/") for bad in self.errors)


def scan_notes(root: Path, skip: Iterable[str] = ()) -> Scan:
    """Every markdown file of the vault at `root` that no rule leaves out; `skip` has the form of `.gitignore`.

    Hidden folders are never entered, nor is a vault inside of the vault. A link is followed where it stays inside the
    vault, and only to what was not met without it, so that no note is there twice and no loop is walked.
    """
    walk = _Walk(str(root))
    walk.look_into("", read_rules(skip, "", None))
    walk.follow_links()
    return Scan(walk.rows, tuple(walk.errors), tuple(walk.left_out))


@define
class _Walk:
    root: str
    rows: list[Row] = field(factory=list)
    errors: list[ScanProblem] = field(factory=list)
    left_out: list[ScanProblem] = field(factory=list)
    links: list[tuple[str, Rules]] = field(factory=list)
    folders: set[str] = field(factory=set)

    def look_into(self, base: str, rules: Rules) -> None:
        """`base` ends with a slash, or is empty for the root."""
        waiting = [(base, rules)]
        while waiting:
            base, rules = waiting.pop()
            try:
                with _opened(Path(self.root, base)) as place, os.scandir(place) as found:
                    entries = list(found)
                    if base and _is_vault(entries, Path(self.root, base)):
                        self._leave_out(base.rstrip("/"), "it is a vault of its own; name it with --vault")
                        continue
                    own = _RULE_FILES.intersection([entry.name for entry in entries])
                    if own:
                        rules = rules_of_folder(Path(self.root, base), own, base, rules)
                    waiting += self._take(_Folder(place, base, rules), entries)
            except OSError as error:
                self._note_error(base.rstrip("/"), error)
                continue
            self.folders.add(base)

    def _take(self, folder: _Folder, entries: list[os.DirEntry[str]]) -> list[tuple[str, Rules]]:
        """Folders within, with their rules."""
        # One turn for each file of the vault at each command: what can be decided by the name costs no call.
        told, inner = len(self.left_out), []
        try:
            names = [e.name for e in entries if e.name[-3:] in _ENDINGS and e.is_file(follow_symlinks=False)]
            others = [e for e in entries if not e.is_file(follow_symlinks=False)]
            self.rows += folder.rows(self._wanted(names, folder))
        except OSError:
            # One of them went away or cannot be looked at; now each is asked by itself.
            others = entries
            del self.left_out[told:]
        for entry in others:
            try:
                if self._take_one(entry, folder):
                    inner.append((folder.base + entry.name + "/", folder.rules))
            except OSError as error:
                self._note_error(folder.base + entry.name, error)
        return inner

    def _take_one(self, entry: os.DirEntry[str], folder: _Folder) -> bool:
        """Whether it is a folder to be looked into."""
        name, path = entry.name, folder.base + entry.name
        if entry.is_file(follow_symlinks=False):
            if _is_markdown(name):
                self.rows += folder.rows(self._wanted([name], folder))
        elif entry.is_symlink():
            self.links.append((path, folder.rules))
        elif entry.is_dir(follow_symlinks=False):
            return name[0] != "." and not folder.rules.leaves_out(path, is_folder=True)
        elif _is_markdown(name):
            self._leave_out(path, "it is no regular file")
        return False

    def _wanted(self, names: list[str], folder: _Folder) -> list[str]:
        """Without what is an editor's, what a rule leaves out and what has no name we can write."""
        base, rules = folder.base, folder.rules
        names = [name for name in names if name[0] != "." or name[:2] not in _NO_NOTES]
        if rules.can_leave_files_out:
            names = [name for name in names if not rules.leaves_out(base + name, is_folder=False)]
        if not _is_text(base + "".join(names)):
            names = [name for name in names if self._has_text_name(base + name)]
        return names

    def _has_text_name(self, path: str) -> bool:
        if _is_text(path):
            return True
        self._leave_out(path, "its name is not UTF-8; rename it")
        return False

    def follow_links(self) -> None:
        """After everything else: what is reached without a link keeps its own path."""
        if not self.links:
            return
        seen = {row[0] for row in self.rows}
        while self.links:
            waiting, self.links = sorted(self.links, key=lambda link: link[0]), []
            for path, rules in waiting:
                try:
                    self._follow(path, rules, seen)
                except (OSError, ValueError) as error:
                    self._leave_out(path, f"the link leads nowhere: {getattr(error, 'strerror', None) or error}")

    def _follow(self, path: str, rules: Rules, seen: set[str]) -> None:
        name = path.rsplit("/", 1)[-1]
        real = Path(self.root, path).resolve(strict=False)
        root = Path(self.root)
        is_folder = real.is_dir()
        if name[0] == "." or rules.leaves_out(path, is_folder=is_folder) or not (is_folder or _is_markdown(name)):
            return
        if real == root:
            return  # All of it is looked at anyway.
        if root not in real.parents:
            self._leave_out(path, "it is a link that leads out of the vault")
            return
        inner = real.relative_to(root).as_posix()
        if is_folder:
            if inner + "/" not in self.folders and not path.startswith(inner + "/"):
                self.folders.add(inner + "/")
                self.look_into(path + "/", rules)
        elif inner not in seen:
            seen.add(inner)
            status = real.stat()
            if not stat.S_ISREG(status.st_mode):
                self._leave_out(path, "it is no regular file")
            elif self._has_text_name(path):
                self.rows.append(_row(path, status))

    def _note_error(self, path: str, error: OSError) -> None:
        if path and isinstance(error, FileNotFoundError) and not os.path.lexists(os.path.join(self.root, path)):  # noqa: PTH118 - as above
            return  # It went away while we looked; that is how things are removed.
        self.errors.append(ScanProblem(_shown(path), error.strerror or str(error)))

    def _leave_out(self, path: str, reason: str) -> None:
        self.left_out.append(ScanProblem(_shown(path), reason))


@frozen
class _Folder:
    """A folder that is being looked into."""

    place: int | Path
    """An open descriptor where the system takes one."""
    base: str
    rules: Rules

    def rows(self, names: list[str]) -> list[Row]:
        """Raises: OSError where one of the files cannot be looked at."""
        base, place, stat = self.base, self.place, os.stat
        if isinstance(place, Path):
            found = [stat(place / name, follow_symlinks=False) for name in names]
            return [_row(base + name, seen) for name, seen in zip(names, found, strict=True)]
        return [
            (
                base + name,
                (s := stat(name, dir_fd=place, follow_symlinks=False)).st_mtime_ns,
                s.st_size,
                s.st_ino & _63_BITS,
            )
            for name in names
        ]


def _row(path: str, seen: os.stat_result) -> Row:
    return path, seen.st_mtime_ns, seen.st_size, seen.st_ino & _63_BITS


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int | Path]:
    """A descriptor where the system scans one: names relative to it are looked up in half the time."""
    if os.scandir not in os.supports_fd or os.stat not in os.supports_dir_fd:
        yield folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _is_vault(entries: list[os.DirEntry[str]], folder: Path) -> bool:
    return any(entry.name == ".ori" for entry in entries) and (folder / MARKER).is_file()


def _is_markdown(name: str) -> bool:
    return name[-3:] in _ENDINGS and name[:2] not in _NO_NOTES


def _is_text(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _shown(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
