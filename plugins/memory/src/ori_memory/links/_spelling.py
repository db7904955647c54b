"""The ways to write a note's name as the target of a link, the one most like the old first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote as percent

from attrs import frozen

from ori_memory.links._matching import Way
from ori_memory.links.names import folder_of, folder_spoken_for, without_ending
from ori_memory.model import Link, LinkKind
from ori_memory.notes.naming import comparable, stem_of
from ori_memory.notes.titling import page_of

__all__ = ["Spelling", "relative_path", "spellings"]

_PERCENT_LETTER = re.compile(r"%[89a-f][0-9a-f]", re.IGNORECASE)
_SAFE = "/!$&'*+,;=:@~-._"
_UNSAFE = re.compile(r"""[\x00-\x20\x7f%#?()<>\\"\[\]`|^{}]""")
_UNSAFE_ANGLED = re.compile(r"[\x00-\x1f\x7f%#<>\\]")


@frozen
class Spelling:
    """A link, the path of the note it led to, and the path that note has now."""

    link: Link
    old: str
    new: str
    source: str
    """Where the note that holds the link is now."""
    way: Way
    is_angled: bool
    is_whole: bool
    """The old name holds a number sign that is no heading's."""
    raw: str
    """The old target as it stands in the text."""


def spellings(spelling: Spelling) -> Iterator[str]:
    """Targets as they stand in the text, each once."""
    seen = set()
    for path in _paths(spelling):
        written = _written(spelling, path)
        if written not in seen:
            seen.add(written)
            yield written


def relative_path(path: str, folder: str) -> str:
    """From a folder to a path, with `../` where needed."""
    target, base = path.split("/"), folder.split("/") if folder else []
    shared = 0
    while shared < min(len(target) - 1, len(base)) and target[shared] == base[shared]:
        shared += 1
    return "/".join([".."] * (len(base) - shared) + target[shared:])


def _paths(spelling: Spelling) -> Iterator[str]:
    pages = page_of(stem_of(spelling.old)), page_of(stem_of(spelling.new))
    is_page = spelling.way in (Way.TITLE, Way.ALIAS) or pages[1] != stem_of(spelling.new)
    if is_page and spelling.way <= Way.ALIAS and comparable(spelling.link.target) == comparable(pages[0]):
        yield pages[1]
    folder = folder_spoken_for(spelling.new) if spelling.way is Way.FOLDER else ""
    if folder:
        slash = "/" if spelling.link.target.endswith("/") else ""
        yield from (path + slash for path in _paths_to(spelling, folder))
    yield from _paths_to(spelling, spelling.new if _has_ending(spelling) else without_ending(spelling.new))


def _paths_to(spelling: Spelling, new: str) -> Iterator[str]:
    target = spelling.link.target
    relative = relative_path(new, folder_of(spelling.source))
    dotted = relative if relative.startswith("../") else "./" + relative
    is_markdown = spelling.link.kind in (LinkKind.MARKDOWN, LinkKind.MARKDOWN_EMBED)
    if target.startswith("/"):
        yield "/" + new
    elif target.startswith(("./", "../")):
        yield dotted if target.startswith("./") else relative
    elif comparable(without_ending(target)) == comparable(without_ending(spelling.old)) and "/" in target:
        yield from (relative, new) if is_markdown and spelling.way is Way.PATH else (new,)
    elif is_markdown and spelling.way in (Way.PATH, Way.FOLDER):
        yield relative
    else:
        yield from _tails(new, target.count("/"))
    yield from _tails(new, 0)
    if is_markdown:
        yield relative
    yield "/" + new
    yield dotted


def _tails(path: str, slashes: int) -> Iterator[str]:
    """The end of the path with that many folders, then with more."""
    parts = path.split("/")
    for count in range(slashes + 1, len(parts) + 1):
        yield "/".join(parts[-count:])


def _has_ending(spelling: Spelling) -> bool:
    target = spelling.link.target
    if spelling.way is Way.FOLDER and spelling.link.kind in (LinkKind.MARKDOWN, LinkKind.MARKDOWN_EMBED):
        return True
    return without_ending(target) != target or without_ending(spelling.new) == spelling.new


def _written(spelling: Spelling, path: str) -> str:
    if spelling.link.kind in (LinkKind.WIKI, LinkKind.EMBED):
        return path
    if spelling.is_angled:
        return _UNSAFE_ANGLED.sub(lambda match: percent(match.group(), safe=""), path)
    if _PERCENT_LETTER.search(spelling.raw) is not None:
        return percent(path, safe=_SAFE)
    return _UNSAFE.sub(lambda match: percent(match.group(), safe=""), path)
