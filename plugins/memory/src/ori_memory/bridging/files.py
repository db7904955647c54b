"""The files that a plan touches: read once, changed in memory, given as edits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from attrs import define, field

from aries_kernel.contracts.bridge import FileEdit
from aries_kernel.errors import UserError
from ori_memory.bridging.place import CannotEdit

__all__ = ["Files"]

_BOM = b"\xef\xbb\xbf"


@define
class _File:
    before: bytes | None
    text: str | None
    changes: list[str] = field(factory=list)


@define(eq=False)
class Files:
    """Several parts of a bridge may change one file, one after the other."""

    _known: dict[Path, _File] = field(factory=dict)

    def text(self, path: Path) -> str | None:
        """The text as it is by now; None: no such file. Raises: UserError."""
        return self._file(path)[1].text

    def change(self, path: Path, change: Callable[[str], str], name: str, *, remove_if: str | None = None) -> None:
        """Put the text through `change`; a file that is not there begins empty.

        `remove_if`: nothing but this is left, blanks aside, so the file goes. `name` says what changed.
        Raises: UserError that names the file and the place in it.
        """
        place, file = self._file(path)
        try:
            after = change(file.text or "")
        except CannotEdit as error:
            at = f"{error.line}{f':{error.column}' if error.column else ''}"
            raise UserError(f"{place}:{at}: {error.reason} Nothing was changed.") from error
        if after == (file.text or ""):
            return
        is_gone = remove_if is not None and "".join(after.split()) in ("", remove_if)
        file.text = None if is_gone else after
        file.changes.append(name)

    def replace(self, path: Path, text: str | None, name: str) -> None:
        """Make it a whole new text, or remove it."""
        _, file = self._file(path)
        if file.text != text:
            file.text = text
            file.changes.append(name)

    def edits(self) -> tuple[FileEdit, ...]:
        """What is changed by now."""
        found = []
        for path, file in self._known.items():
            start = _BOM if (file.before or b"").startswith(_BOM) else b""
            after = None if file.text is None else start + file.text.encode()
            if after != file.before:
                found.append(FileEdit(path, file.before, after, tuple(dict.fromkeys(file.changes))))
        return tuple(found)

    def _file(self, path: Path) -> tuple[Path, _File]:
        # A link is followed: who keeps settings elsewhere wants them changed there.
        place = _followed(path) if path.is_symlink() else path
        if place not in self._known:
            before = _read(place)
            self._known[place] = _File(before, None if before is None else _decoded(place, before))
        return place, self._known[place]


def _followed(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:  # The latter before Python 3.13.
        raise UserError(f"{path} is a link that leads to itself. Move it away, and try again.") from error


def _read(path: Path) -> bytes | None:
    try:
        if path.exists() and not path.is_file():
            raise UserError(f"{path} is not a file. Move it away, and try again.")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}. Nothing was changed.") from error


def _decoded(path: Path, data: bytes) -> str:
    try:
        return data.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError(f"{path}:{line}: this is not UTF-8 text (byte {error.start}). Nothing was changed.") from error
