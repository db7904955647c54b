"""The tool Write."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import ClassVar

from attrs import frozen

from aries_kernel.broker.effects import Effect, WritePath
from aries_kernel.broker.workspace import Located
from aries_kernel.contracts.tool import ToolContext, ToolOutput
from aries_kernel.errors import ToolFailed
from aries_kernel.tools.schema import described
from aries_tool_files._documents import LINE_END, Document, binary_kind, encode
from aries_tool_files._places import Places, in_thread
from aries_tool_files._storing import store

__all__ = ["Write", "WriteArguments"]

_END_NAMES = {"\r\n": "CRLF", "\r": "CR"}


@frozen
class WriteArguments:
    """Arguments of Write."""

    path: str = described("file")
    content: str = described("the whole text")


class Write:
    """Makes or replaces a whole file."""

    name: ClassVar[str] = "Write"
    description: ClassVar[str] = (
        "Create or overwrite a file; folders are made. An existing file keeps its encoding and line ends."
    )
    arguments: ClassVar[type[WriteArguments]] = WriteArguments
    reads_only: ClassVar[bool] = False

    def __init__(self, context: ToolContext) -> None:
        self._places = Places(context.workspace)

    def effects(self, arguments: WriteArguments) -> Sequence[Effect]:
        """The real file, where a link leads too."""
        return [WritePath(self._places.judge(arguments.path).real)]

    async def run(self, arguments: WriteArguments) -> ToolOutput:
        """Raises: ToolFailed, with the file untouched."""
        located = self._places.locate(arguments.path)
        require_file_path(arguments.path, located)
        require_text(arguments.content, "content")
        return await in_thread(lambda stop: _write(located, arguments.content, stop))


def require_file_path(path: str, located: Located) -> None:
    """Raises: ToolFailed for a path that names a folder."""
    if located.real.is_dir() or path.endswith(("/", "/.", "/..")):
        raise ToolFailed(f"{located.shown} is a folder; give the path of a file.")


def require_text(text: str, argument: str) -> None:
    """Raises: ToolFailed for text that no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        what = f"a lone surrogate (\\u{ord(text[error.start]):04x}) at character {error.start}"
        raise ToolFailed(f"{argument} holds {what}, which is not a character. Nothing was written.") from error


def _write(located: Located, content: str, stop: threading.Event) -> ToolOutput:
    form = _Form()

    def change(old: bytes | None) -> bytes:
        return form.apply(located, old, content)

    old, new = store(located, change, stop)
    lines = len(LINE_END.split(content)) - (not content or content.endswith(("\n", "\r")))
    size = f"{lines:,} {'line' if lines == 1 else 'lines'}, {len(new):,} bytes"
    if old == new:
        return ToolOutput(f"{located.shown} held exactly this already ({size}); nothing was written.")
    done = "Created" if old is None else "Overwrote"
    kept = f" Kept its {' and '.join(form.kept)}." if form.kept else ""
    return ToolOutput(f"{done} {located.shown}: {size}.{kept}", changed=(located.real,))


class _Form:
    """What a file that is overwritten keeps; `kept` names it afterwards."""

    def __init__(self) -> None:
        self.kept: list[str] = []

    def apply(self, located: Located, old: bytes | None, content: str) -> bytes:
        """Bytes of `content` in the form of `old`. Raises: ToolFailed where the encoding cannot hold it."""
        self.kept = []
        if not old or binary_kind(old) is not None:
            return content.encode()
        document = Document.load(old)
        end = document.only_end
        if end in _END_NAMES and "\r" not in content and "\n" in content:
            content = content.replace("\n", end or "\n")
            self.kept.append(f"{_END_NAMES[end or '']} line ends")
        # A file with lines of both kinds has no encoding to keep; written whole, it becomes UTF-8.
        codec = "utf-8" if document.encoding == "mixed" else document.encoding
        if codec != "utf-8":
            self.kept.append(f"encoding ({codec})")
        if document.bom:
            content = content.removeprefix("\ufeff")
            self.kept.append("byte order mark")
        return document.bom + encode_for(located, content, codec)


def encode_for(located: Located, text: str, codec: str) -> bytes:
    """`text` in the file's encoding. Raises: ToolFailed that names the first character that does not fit."""
    try:
        return encode(text, codec)
    except UnicodeEncodeError as error:
        bad = text[error.start]
        raise ToolFailed(
            f"{located.shown} is {codec}, which cannot hold {bad!r} (U+{ord(bad):04X}). Nothing was written. "
            "Leave such characters out, or convert the file to UTF-8 first."
        ) from error
