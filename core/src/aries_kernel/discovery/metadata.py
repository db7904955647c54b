"""Reading entry_points.txt and the headers of METADATA or PKG-INFO."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from aries_kernel.discovery.scan import Installed

__all__ = ["EntryLine", "Metadata", "read_entry_points", "read_metadata"]

_GROUPS = ("aries.", "ori.")


@frozen
class EntryLine:
    """One line of a group of ours."""

    group: str
    name: str
    value: str


@frozen
class Metadata:
    """What discovery needs to know about a distribution."""

    name: str
    version: str
    requires: tuple[str, ...]


def read_entry_points(content: bytes) -> tuple[EntryLine, ...]:
    """The entry points of our groups; a line that is there twice counts once.

    Raises: ValueError for bytes that are not UTF-8 and for a line of ours without `name = value`.
    """
    found = []
    group = ""
    for number, line in enumerate(content.decode("utf-8-sig").splitlines(), 1):
        text = line.strip()
        if text.startswith("[") and text.endswith("]"):
            group = text[1:-1]
        elif text and not text.startswith(("#", ";")) and group.startswith(_GROUPS):
            name, _, value = (part.strip() for part in text.partition("="))
            if not name or not value:
                raise ValueError(f"line {number} is not 'name = module:attribute'")
            found.append(EntryLine(group, name, value))
    return tuple(dict.fromkeys(found))


def read_metadata(installed: Installed) -> Metadata:
    """Name, version and requirements; what the headers do not say is taken from the folder's name."""
    headers = list(_headers(installed.metadata.decode("utf-8", errors="replace")))
    first = dict(reversed(headers))
    requires = tuple(value for name, value in headers if name == "requires-dist")
    old = _old_requirements(installed.requires.decode("utf-8", errors="replace"))
    return Metadata(
        first.get("name") or installed.name,
        first.get("version") or installed.version,
        requires or tuple(old),
    )


def _headers(text: str) -> Iterator[tuple[str, str]]:
    """The headers up to the first empty line; a line that starts with a blank continues the one before."""
    name, value = "", ""
    for line in text.splitlines():
        if not line.strip():
            break
        if line[0] in " \t":
            value += " " + line.strip()
            continue
        if name:
            yield name, value
        name, _, value = line.partition(":")
        name, value = name.strip().lower(), value.strip()
    if name:
        yield name, value


def _old_requirements(text: str) -> Iterator[str]:
    """`requires.txt`: plain lines, then sections `[:marker]`; sections `[extra]` are not required."""
    marker, is_required = "", True
    for line in (line.strip() for line in text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            is_required, marker = line.startswith("[:"), line[2:-1]
        elif line and is_required:
            yield f"{line}; {marker}" if marker else line
