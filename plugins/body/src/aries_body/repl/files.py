"""`fs`: reading is done here, within what the process may see; writing is asked of the host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aries_body.repl.namespace import Operations, Session
from aries_body.repl.records import Record
from aries_kernel.broker.secrets import holds_secrets

__all__ = ["Files"]

_LARGEST = 20 * 1024 * 1024
_SKIPPED = {"node_modules", "__pycache__", ".venv", "venv", "dist", "build"}
_LONGEST_LINE = 400


class Files(Operations):
    """The files of the project. Relative paths start at its root, whatever the current folder is."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._root = Path(session.project)
        # The methods below stand in place of what the host would be asked for.
        for name in ("read", "list", "glob", "grep"):
            delattr(self, name)

    def read(self, path: str, offset: int = 0, limit: int | None = None) -> str:
        """The text of a file, or `limit` lines from `offset` on."""
        file = self._root / path
        if holds_secrets(file):
            raise PermissionError(f"{path} is taken for a file that holds secrets.")
        size = file.stat().st_size
        if size > _LARGEST:
            raise ValueError(f"{path} has {size:,} bytes, more than fs.read takes; open it and read a part.")
        text = file.read_bytes().decode("utf-8", "replace")
        if not offset and limit is None:
            return text
        lines = text.splitlines(keepends=True)
        return "".join(lines[offset : None if limit is None else offset + limit])

    def list(self, path: str = ".") -> list[Record]:
        """What a folder holds, sorted by name."""
        return [
            Record(name=one.name, path=self._shown(one), kind=_kind(one), size=one.lstat().st_size)
            for one in sorted((self._root / path).iterdir())
        ]

    def glob(self, pattern: str, path: str = ".", limit: int = 500) -> list[str]:  # type: ignore[valid-type]
        """Paths that fit, sorted; hidden and generated folders are left out."""
        found: Any = []
        for file in self._walk(pattern, path):
            found.append(self._shown(file))
            if len(found) >= limit:
                break
        return sorted(found)

    def grep(
        self, pattern: str, path: str = ".", glob: str = "**/*", limit: int = 200, ignore_case: bool = False
    ) -> list[Record]:  # type: ignore[valid-type]
        """Lines that a regular expression is found in."""
        wanted = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
        found: Any = []
        start = self._root / path
        for file in [start] if start.is_file() else self._walk(glob, path):
            for number, line in _lines(file):
                if wanted.search(line):
                    found.append(Record(path=self._shown(file), line=number, text=line[:_LONGEST_LINE]))
                    if len(found) >= limit:
                        return found  # type: ignore[no-any-return]
        return found  # type: ignore[no-any-return]

    def _walk(self, pattern: str, path: str) -> Iterator[Path]:
        start = self._root / path
        for file in sorted(start.glob(pattern)):
            parts = file.relative_to(start).parts
            if any(part in _SKIPPED or (part.startswith(".") and part not in (".", "..")) for part in parts[:-1]):
                continue
            if file.is_file() and not holds_secrets(file):
                yield file

    def _shown(self, file: Path) -> str:
        try:
            return file.relative_to(self._root).as_posix()
        except ValueError:
            return file.as_posix()


def _kind(file: Path) -> str:
    return "link" if file.is_symlink() else "folder" if file.is_dir() else "file"


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    try:
        if file.stat().st_size > _LARGEST:
            return
        data = file.read_bytes()
    except OSError:
        return  # Gone meanwhile, or not ours to read; it is left out as any other file that does not fit.
    if b"\0" not in data[:8192]:
        yield from enumerate(data.decode("utf-8", "replace").splitlines(), 1)
