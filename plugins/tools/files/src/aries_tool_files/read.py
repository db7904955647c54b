"""The tool Read."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import ClassVar

from attrs import frozen

from aries_kernel.broker.effects import Effect, ReadPath
from aries_kernel.broker.workspace import Located, open_regular
from aries_kernel.contracts.tool import ToolContext, ToolOutput
from aries_kernel.errors import ToolFailed
from aries_kernel.tools.schema import described
from aries_tool_files._documents import binary_kind, split_bom
from aries_tool_files._places import Places, failed, in_thread, refuse_secrets
from aries_tool_files._windows import Window, read_window

__all__ = ["Read", "ReadArguments"]

_PROBE = 8_192
_ENCODINGS = {"utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32-le": "UTF-32", "utf-32-be": "UTF-32"}


@frozen
class ReadArguments:
    """Arguments of Read."""

    path: str = described("file")
    offset: int = described("first line, from 1", default=1)
    limit: int | None = described("lines; default: as many as fit", default=None)


class Read:
    """Shows lines of a text file, numbered, a window at a time."""

    name: ClassVar[str] = "Read"
    description: ClassVar[str] = (
        "Read a text file. Each line comes as number, tab, text; a first line in [brackets] is a note, not file text."
    )
    arguments: ClassVar[type[ReadArguments]] = ReadArguments
    reads_only: ClassVar[bool] = True

    def __init__(self, context: ToolContext) -> None:
        self._limits = context.limits
        self._places = Places(context.workspace)

    def effects(self, arguments: ReadArguments) -> Sequence[Effect]:
        """The real file."""
        return [ReadPath(self._places.judge(arguments.path).real)]

    async def run(self, arguments: ReadArguments) -> ToolOutput:
        """Raises: ToolFailed for what is missing, not a text file, not readable, secret."""
        if arguments.offset < 1 or (arguments.limit is not None and arguments.limit < 1):
            raise ToolFailed("offset and limit start at 1.")
        located = self._places.locate(arguments.path)
        refuse_secrets(arguments.path, located)
        return ToolOutput(await in_thread(lambda stop: self._read(located, arguments, stop)))

    def _read(self, located: Located, arguments: ReadArguments, stop: threading.Event) -> str:
        try:
            descriptor = open_regular(located.real)
        except ToolFailed as error:
            raise _not_a_file(located, error) from error
        except OSError as error:
            raise failed(located, error) from error
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            size = os.fstat(descriptor).st_size
            head = file.read(_PROBE)
            kind = binary_kind(head)
            if kind is not None:
                raise ToolFailed(f"{located.shown} is not text: {kind}, {size:,} bytes.")
            file.seek(0)
            lines = min(arguments.limit or self._limits.max_lines, max(self._limits.max_lines - 1, 1))
            window = read_window(file, split_bom(head), arguments.offset, lines, self._limits.max_bytes, stop)
        return _show(window, located, arguments.offset, split_bom(head))


def _not_a_file(located: Located, error: ToolFailed) -> ToolFailed:
    if located.real.is_dir():
        return ToolFailed(f"{located.shown} is a folder; Glob with pattern '*' and this path lists it.")
    return ToolFailed(str(error).replace(str(located.real), located.shown))


def _show(window: Window, located: Located, offset: int, mark: tuple[bytes, str | None]) -> str:
    total = f"{window.total:,}" if window.is_whole else f"more than {window.total:,}"
    if not window.total:
        return "[empty file]"
    if not window.lines:
        raise ToolFailed(f"{located.shown} has {total} lines; offset {offset} is past its end.")
    last = offset + len(window.lines) - 1
    notes = []
    if offset > 1 or last < window.total:
        notes.append(f"lines {offset}-{last} of {total}")
    if last < window.total:
        notes.append(f"go on with offset={last + 1}")
    if mark[1] is not None:
        notes.append(f"{_ENCODINGS[mark[1]]} file" if mark[1] in _ENCODINGS else "starts with a UTF-8 byte order mark")
    if window.odd:
        notes.append(f"not UTF-8, shown as Latin-1: {_numbers(window.odd)}")
    if window.cut:
        notes.append(f"too long, cut at …: {_numbers(window.cut)}")
    if window.escaped:
        notes.append(f"control characters shown as \\x..: {_numbers(window.escaped)}")
    head = [f"[{'; '.join(notes)}]"] if notes else []
    return "\n".join([*head, *(f"{offset + index}\t{text}" for index, text in enumerate(window.lines))])


def _numbers(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:5]))
    return f"line {shown}" if len(numbers) == 1 else f"lines {shown}{' ...' if len(numbers) > 5 else ''}"
