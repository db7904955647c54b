"""The index file over time: opened, found broken and replaced, or kept elsewhere where the vault cannot be written."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field

from aries_kernel.values import define
from ori_memory.index.opening import BrokenIndex, OpenFile, Unwritable, close_file, open_file, open_in_memory, set_aside

if TYPE_CHECKING:
    import tempfile

__all__ = ["IndexFile"]


@define
class IndexFile:
    """Where the index is now. `notices` collects what a person should know about that."""

    place: Path
    notices: list[str] = field(factory=list)
    existed: bool = False
    is_temporary: bool = False
    _file: OpenFile | None = None
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def opened(self) -> OpenFile:
        """The open file; a broken one is set aside first. Raises: UserError never; Busy after long waiting."""
        if self._file is None:
            self.existed = self.place.exists()
            try:
                self._file = self._open_mended(self.place)
            except Unwritable as error:
                self._file = self._open_elsewhere(error)
            if self._file.notice:
                self.notices.append(f"{self._file.notice}; it is built anew.")
        return self._file

    def move_elsewhere(self, error: Unwritable) -> None:
        """What is here cannot be completed: go on with a copy, then in memory. Raises: Unwritable where it is there."""
        if self._file is not None:
            self._file.connection.close()
        if not self.is_temporary:
            self._file = self._open_elsewhere(error)
        elif self._folder is not None:
            self._file = self._open_in_memory()
        else:
            raise error

    def replace(self, reason: str) -> None:
        """The file turned out broken: put it aside; the next `open` makes an empty one."""
        file, self._file = self._file, None
        if file is not None:
            file.connection.close()
        if self.is_temporary:
            self._drop_folder()
        elif file is not None:
            self._set_aside(reason, file.inode)

    def close(self) -> None:
        """Close the connection; a temporary index is removed."""
        if self._file is not None:
            close_file(self._file, is_private=self.is_temporary)
            self._file = None
        self._drop_folder()

    def _open_mended(self, place: Path) -> OpenFile:
        for _ in range(3):
            inode = _inode(place)
            try:
                return open_file(place)
            except BrokenIndex as error:
                self._set_aside(str(error), inode)
        return open_file(place)

    def _set_aside(self, reason: str, inode: int | None) -> None:
        name = set_aside(self.place, inode)
        kept = f" It was kept as {name}." if name else ""
        self.notices.append(f"{self.place.name} could not be used: {reason}.{kept} The index is built anew.")

    def _open_elsewhere(self, error: Unwritable) -> OpenFile:
        self.notices.append(
            f"{self.place} cannot be written ({error}). Answers come from a temporary index, made for this run."
        )
        self._drop_folder()
        self.is_temporary = True
        try:
            return self._open_temporary()
        except (OSError, Unwritable):
            # The same disk, as a rule.
            return self._open_in_memory()

    def _open_in_memory(self) -> OpenFile:
        self._drop_folder()
        self.is_temporary = True
        return open_in_memory()

    def _open_temporary(self) -> OpenFile:
        # Imported where a vault cannot be written: both bring compression and random numbers with them.
        import shutil
        import tempfile

        self._folder = tempfile.TemporaryDirectory(prefix="ori-index-", ignore_cleanup_errors=True)
        place = Path(self._folder.name) / self.place.name
        # What the vault has is a start; without it everything is read anew, which gives the same.
        with contextlib.suppress(OSError):
            for suffix in ("", "-wal"):
                source = self.place.with_name(self.place.name + suffix)
                if source.exists():
                    shutil.copyfile(source, place.with_name(place.name + suffix))
        try:
            return open_file(place)
        except BrokenIndex:
            for suffix in ("", "-wal", "-shm"):
                place.with_name(place.name + suffix).unlink(missing_ok=True)
            return open_file(place)

    def _drop_folder(self) -> None:
        self.is_temporary = False
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None
