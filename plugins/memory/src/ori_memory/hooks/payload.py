"""What a client sends to a hook on standard input: one JSON document, whether or not the input ends after it."""

from __future__ import annotations

import codecs
import json
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen

__all__ = ["Payload", "first_existing", "parse_payload", "read_payload"]

_MOST = 8 << 20
_CHUNK = 1 << 16
_PATHS = ("file_path", "filePath", "notebook_path", "absolute_path", "path", "filename", "file")
_NESTED = ("tool_input", "toolArgs", "tool_args", "input", "args", "arguments", "tool_response", "edits", "files")
_PATCHED = ("*** Add File: ", "*** Update File: ", "*** Move to: ")


@frozen
class Payload:
    """The document, and what the hooks look for in it under the names that clients give it."""

    data: Mapping[str, Any] = field(factory=dict)

    @property
    def event(self) -> str:
        return self._text("hook_event_name", "hookEventName", "hookName", "event")

    @property
    def session(self) -> str:
        return self._text("session_id", "sessionId", "conversation_id", "thread-id")

    @property
    def transcript(self) -> str:
        return self._text("transcript_path", "transcriptPath")

    def folders(self) -> Iterator[str]:
        """Where the client works, the likeliest first."""
        if found := self._text("cwd", "directory", "workspace_root", "workingDirectory"):
            yield found
        roots = self.data.get("workspace_roots")
        yield from (root for root in roots if isinstance(root, str)) if isinstance(roots, list) else ()

    def paths(self) -> list[str]:
        """Files that the tool wrote."""
        return list(dict.fromkeys(_paths(self.data, 0)))

    def _text(self, *names: str) -> str:
        for name in names:
            value = self.data.get(name)
            if isinstance(value, str) and value:
                return value
        return ""


def parse_payload(text: str) -> Payload:
    """The document that `text` is; an empty one where it is none."""
    return Payload(_parsed(text) or {})


def read_payload(descriptor: int, seconds: float) -> Payload:
    """The document that comes within so many seconds; an empty one where none does.

    Some clients leave the input open, so it is not its end that is waited for.
    """
    found: list[dict[str, Any]] = []
    thread = threading.Thread(target=_read, args=(descriptor, found), name="ori-hook-input", daemon=True)
    thread.start()
    thread.join(seconds)
    return Payload(found[0] if found else {})


def _read(descriptor: int, found: list[dict[str, Any]]) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text, size = "", 0
    while size < _MOST:
        try:
            chunk = os.read(descriptor, _CHUNK)
        except OSError:
            return
        size += len(chunk)
        text += decoder.decode(chunk, final=not chunk)
        # Parsing is tried where a document may end.
        if (not chunk or text.rstrip().endswith("}")) and (data := _parsed(text)) is not None:
            found.append(data)
            return
        if not chunk:
            return


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        data = json.loads(text.strip().removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _paths(value: Any, depth: int) -> Iterator[str]:
    if depth > 4:
        return
    if isinstance(value, list):
        for one in value[:100]:
            yield from _paths(one, depth + 1)
    elif isinstance(value, str) and depth:
        yield from _in_text(value, depth)
    elif isinstance(value, Mapping):
        for name in _PATHS if depth else ("file_path", "filePath"):
            if isinstance(value.get(name), str) and value[name]:
                yield value[name]
        for name in (*_NESTED, "command", "patch") if depth else _NESTED:
            if name in value:
                yield from _paths(value[name], depth + 1)


def _in_text(text: str, depth: int) -> Iterator[str]:
    """Arguments that are JSON themselves, or a patch."""
    if text.lstrip().startswith("{") and (data := _parsed(text)) is not None:
        yield from _paths(data, depth + 1)
    for line in text.splitlines() if "*** " in text else ():
        for start in _PATCHED:
            if line.startswith(start):
                yield line.removeprefix(start).strip()


def first_existing(folders: Iterator[str]) -> Path | None:
    """The first of them that is a folder."""
    return next((Path(folder) for folder in folders if Path(folder).is_dir()), None)
