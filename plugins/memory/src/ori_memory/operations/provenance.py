"""Where an imported note came from, written into it, so that it is never imported twice."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping

from attrs import frozen

from ori_memory.notes.properties import read_properties
from ori_memory.notes.text import decode_note
from ori_memory.scanning.walk import scan_notes
from ori_memory.vault.vault import Vault

__all__ = ["KEYS", "SourceKey", "known_sources", "source_line", "with_source", "yaml_text"]

KEYS = ("source", "imported_from")
"""The second one where a note says something else under the first."""

_HEAD = 1 << 16
_BREAKS = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


@frozen
class SourceKey:
    """What names a note within one kind of source."""

    session: str = ""
    file: str = ""


def known_sources(vault: Vault, client: str) -> dict[SourceKey, str]:
    """What was imported by this importer before, with the mark of the content it then had."""
    known: dict[SourceKey, str] = {}
    for file in scan_notes(vault.root).files:
        try:
            with (vault.root / file.path).open("rb") as opened:
                head = opened.read(_HEAD)
        except OSError:
            continue  # It cannot be read now; at worst its source is imported beside it, never over it.
        end = head.find(b"\n---", 3)
        if end >= 0 and client.encode() in head[:end]:
            values = read_properties(decode_note(head[: end + 5]).text).values
            for key in KEYS:
                _remember(values.get(key), client, known)
    return known


def _remember(value: object, client: str, known: dict[SourceKey, str]) -> None:
    if isinstance(value, Mapping) and value.get("client") == client:
        session, file, commit = (str(value.get(name) or "") for name in ("session", "file", "commit"))
        known[SourceKey(session, file)] = commit


def source_line(name: str, client: str, key: SourceKey, commit: str = "") -> str:
    """The line of frontmatter that tells it."""
    parts = {"client": client, "session": key.session, "file": key.file, "commit": commit}
    return f"{name}: {yaml_text({part: text for part, text in parts.items() if text})}"


def with_source(text: str, client: str, key: SourceKey, commit: str) -> str | None:
    """A note's text with that line added to its frontmatter, everything else as it was.

    None: it has a head that a line cannot be added to without changing what it says.
    """
    head = read_properties(text)
    line_end = "\r\n" if "\r\n" in text else "\n"
    if head.block is None:
        if head.problems or text.startswith(("---", "+++")):
            return None
        fresh = f"---{line_end}{source_line(KEYS[0], client, key, commit)}{line_end}---{line_end}{text}"
    else:
        if head.problems or head.block.kind != "yaml":
            return None
        free = [name for name in KEYS if name not in head.raw]
        if not free:
            return None
        end = head.block.inner_end
        line = f"{source_line(free[0], client, key, commit)}{line_end}"
        before = text[:end] if text[:end].endswith(("\n", "\r")) else text[:end] + line_end
        fresh = before + line + text[end:]
    after = read_properties(fresh)
    kept = {name: value for name, value in after.values.items() if name not in KEYS or name in head.values}
    found: dict[SourceKey, str] = {}
    for name in KEYS:
        _remember(after.values.get(name), client, found)
    return fresh if not after.problems and kept == dict(head.values) and key in found else None


def yaml_text(value: object) -> str:
    """A value as YAML on one line: JSON, which YAML contains but for a few characters."""
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {yaml_text(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(yaml_text, value)) + "]"
    if isinstance(value, str):
        value = value.encode("utf-8", "replace").decode("utf-8")
        return _BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))
    return json.dumps(value)
