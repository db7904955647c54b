"""The tool Edit."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Sequence
from typing import ClassVar

from attrs import frozen

from aries_kernel.broker.effects import Effect, ReadPath, WritePath
from aries_kernel.broker.workspace import Located
from aries_kernel.contracts.tool import ToolContext, ToolOutput
from aries_kernel.errors import ToolFailed
from aries_kernel.tools.output import fit_output
from aries_kernel.tools.schema import described
from aries_tool_files._diff import short_diff
from aries_tool_files._documents import Document
from aries_tool_files._nearest import describe_nearest
from aries_tool_files._parses import broken_by
from aries_tool_files._places import Places, in_thread, missing, refuse_secrets
from aries_tool_files._splice import find_all, splice, to_view
from aries_tool_files._storing import store
from aries_tool_files.write import encode_for, require_file_path, require_text

__all__ = ["Edit", "EditArguments"]

_LISTED = 20


@frozen
class EditArguments:
    """Arguments of Edit."""

    path: str = described("file")
    old: str = described("text as it is in the file, without line numbers; must occur once unless all")
    new: str = described("text in its place, taken literally")
    all: bool = described("replace every occurrence", default=False)


class Edit:
    """Replaces one piece of text; every byte that was not named stays."""

    name: ClassVar[str] = "Edit"
    description: ClassVar[str] = (
        "Replace text in a file. old must match exactly, indentation included; line ends (LF, CRLF) match each other."
    )
    arguments: ClassVar[type[EditArguments]] = EditArguments
    reads_only: ClassVar[bool] = False

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._places = Places(context.workspace)

    def effects(self, arguments: EditArguments) -> Sequence[Effect]:
        """The real file is read, since answers show parts of it, and written."""
        real = self._places.judge(arguments.path).real
        return [ReadPath(real), WritePath(real)]

    async def run(self, arguments: EditArguments) -> ToolOutput:
        """Raises: ToolFailed, with the file untouched."""
        located = self._places.locate(arguments.path)
        require_file_path(arguments.path, located)
        refuse_secrets(arguments.path, located)
        require_text(arguments.new, "new")
        if to_view(arguments.old) == to_view(arguments.new):
            raise ToolFailed("old and new are the same text; nothing to do. Edit does not change line ends.")
        output = await in_thread(lambda stop: _edit(located, arguments, stop))
        return ToolOutput(fit_output(output, self._context.limits, self._context.spill), changed=(located.real,))


def _edit(located: Located, arguments: EditArguments, stop: threading.Event) -> str:
    count = 0

    def change(data: bytes | None) -> bytes:
        nonlocal count
        if not arguments.old:
            return _fill(located, data, arguments.new)
        if data is None:
            raise missing(located)
        changed, count = _replace(located, data, arguments)
        return changed

    old, new = store(located, change, stop)
    if not arguments.old:
        return f"{'Created' if old is None else 'Filled'} {located.shown}: {len(new):,} bytes."
    before, after = Document.load(old or b""), Document.load(new)
    times = f", {count} places" if count > 1 else ""
    diff = short_diff(_lines(before), _lines(after)) or "[only the line end at the end of the file changed]"
    text = f"Edited {located.shown}{times}:\n{diff}"
    problem = broken_by(located.real.suffix, old or b"", new)
    return f"{text}\n[It parsed before this edit and does not now: {problem}]" if problem else text


def _fill(located: Located, data: bytes | None, new: str) -> bytes:
    if data and Document.load(data).view:
        raise ToolFailed(
            f"old is empty, which fits only a file that is missing or empty; {located.shown} is neither. "
            "Name the text to replace, or use Write for the whole file."
        )
    document = Document.load(data or b"")
    return document.bom + encode_for(located, new, document.codecs[0])


def _replace(located: Located, data: bytes, arguments: EditArguments) -> tuple[bytes, int]:
    document = Document.load(data)
    view, old = document.view, to_view(arguments.old)
    places = find_all(view, old, overlapping=not arguments.all)
    if not places:
        near = describe_nearest(document.texts, old.split("\n"))
        raise ToolFailed(f"old is not in {located.shown}; nothing was changed. {near}".rstrip())
    if len(places) > 1 and not arguments.all:
        starts = document.starts()
        lines = [str(bisect_right(starts, place)) for place in places]
        more = f" and {len(lines) - _LISTED} more" if len(lines) > _LISTED else ""
        raise ToolFailed(
            f"old occurs {len(places)} times in {located.shown}, at lines {', '.join(lines[:_LISTED])}{more}; "
            "nothing was changed. Add lines around it so that it fits one place, or set all."
        )
    new = splice(document, places, old, to_view(arguments.new), lambda text, codec: encode_for(located, text, codec))
    return new, len(places)


def _lines(document: Document) -> list[str]:
    return document.texts[: document.line_count]
