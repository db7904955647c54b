"""Links rewritten when notes move, so that each leads where it led before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import quote as percent

import attrs

from ori_memory.links._matching import Way
from ori_memory.links._spelling import Spelling, spellings
from ori_memory.links.names import folder_of, join_path, whole_name
from ori_memory.links.resolving import NamedNote, Resolver
from ori_memory.links.scanning import FoundLink, puts_labels_first, scan_links
from ori_memory.model import Link, LinkKind
from ori_memory.notes.block import find_block
from ori_memory.notes.code import find_code
from ori_memory.notes.lines import LineCounter, flatten
from ori_memory.notes.naming import stem_of
from ori_memory.notes.quoting import quoted, unquoted
from ori_memory.notes.titling import page_of

__all__ = ["after_moves", "rename_links"]


def after_moves(before: Resolver, moves: Mapping[str, str]) -> Resolver:
    """The names as they are once the notes have moved. A title that was the file's name becomes its new name."""
    return Resolver.of(_moved(note, moves) for note in before.notes.values())


def rename_links(
    text: str,
    source: str,
    moves: Mapping[str, str],
    before: Resolver,
    after: Resolver,
    has_file: Callable[[str], bool] = lambda path: False,
) -> tuple[str, int]:
    """The text of the note that was at `source`, with its links as they must be after `moves`, and how many changed.

    Changed are links to moved notes, relative links where the note itself moves, and links that the moves would lead to
    another note. Heading, block, alias and the form of the link stay, a short name stays short while it is unambiguous,
    and no other character changes. `moves`: old path to new path. `has_file` tells, by its path in the vault, whether
    an attachment exists; relative links to it are kept right as well.
    """
    work = _Rewriting(source, moves, before, after, has_file)
    pieces: list[str] = []
    position = count = 0
    for start, end, fresh in sorted(work.changes(text)):
        pieces += (text[position:start], fresh)
        position = end
        count += 1
    return "".join((*pieces, text[position:])), count


def _moved(note: NamedNote, moves: Mapping[str, str]) -> NamedNote:
    path = moves.get(note.path)
    if path is None:
        return note
    old, new, title = stem_of(note.path), stem_of(path), note.title
    if title in (old, page_of(old)):
        title = page_of(new)
    return NamedNote(path, title, note.aliases)


class _Rewriting:
    def __init__(
        self, source: str, moves: Mapping[str, str], before: Resolver, after: Resolver, has_file: Callable[[str], bool]
    ) -> None:
        self._old_source, self._new_source = source, moves.get(source, source)
        self._moves, self._before, self._after, self._has_file = moves, before, after, has_file
        self._is_label_first = False

    def changes(self, text: str) -> Iterator[tuple[int, int, str]]:
        block = find_block(text)
        if block is not None and not block.is_readable:
            block = None
        flat = flatten(text)
        code = find_code(flat, block.end if block else 0)
        self._is_label_first = puts_labels_first(flat, block)
        for found in scan_links(flat, block, code, LineCounter(flat)):
            change = self._change(flat, found)
            if change is not None:
                yield change

    def _change(self, text: str, found: FoundLink) -> tuple[int, int, str] | None:
        link = found.link
        if not link.target:
            return None
        match = self._before.match(link, self._old_source)
        if not match.paths:
            return self._file_change(text, found)
        old = match.paths[0]
        new = self._moves.get(old, old)
        if not self._must_change(link, match.way, old, new):
            return None
        is_whole = self._is_whole(link, old)
        raw = text[found.target_start : found.target_end]
        spelling = Spelling(link, old, new, self._new_source, match.way, found.is_angled, is_whole, raw)
        end = _end_of_name(text, found) if is_whole else found.target_end
        return self._best(text, found, end, spelling)

    def _must_change(self, link: Link, way: Way, old: str, new: str) -> bool:
        now = self._after.match(link, self._new_source)
        if not now.paths or now.paths[0] != new:
            return True
        is_markdown = link.kind in (LinkKind.MARKDOWN, LinkKind.MARKDOWN_EMBED)
        if way is Way.PATH and is_markdown and now.way is not Way.PATH:
            return True
        if way is Way.FOLDER and is_markdown and folder_of(self._old_source) != folder_of(self._new_source):
            return not link.target.startswith("/")
        # `[[old]]` may still be found by a title that stayed, but it was the file that was named.
        return old != new and way in (Way.PATH, Way.NAME) and now.way not in (Way.PATH, Way.NAME)

    def _is_whole(self, link: Link, old: str) -> bool:
        if whole_name(link) is None:
            return False
        bare = self._before.match(attrs.evolve(link, heading=None), self._old_source)
        return old not in bare.paths

    def _best(self, text: str, found: FoundLink, end: int, spelling: Spelling) -> tuple[int, int, str] | None:
        second: tuple[int, int, str] | None = None
        for target in spellings(spelling):
            fresh = quoted(target, found.quote)
            link = found.link
            written = text[link.start : found.target_start] + fresh + text[end : link.end]
            answer = self._reads_as(written, spelling, found.quote)
            if answer == 1:
                return found.target_start, end, fresh
            if answer and second is None:
                second = (found.target_start, end, fresh)
        return second or self._as_markdown(found, spelling)

    def _reads_as(self, written: str, spelling: Spelling, quote: str) -> int:
        """How many notes the link means, the right one first; 0: it means another, or is no such link any more."""
        link = _link_in(written, spelling.link.kind, self._is_label_first)
        if link is None:
            return 0
        if quote:
            link = attrs.evolve(link, target=unquoted(link.target, quote))
        resolution = self._after.resolve(link, self._new_source)
        return len(resolution.candidates) if resolution.path == spelling.new else 0

    def _as_markdown(self, found: FoundLink, spelling: Spelling) -> tuple[int, int, str] | None:
        """For a name that cannot stand in a wiki-link, such as one with `]`."""
        link = found.link
        if link.kind not in (LinkKind.WIKI, LinkKind.EMBED) or link.is_property:
            return None
        is_embed = link.kind is LinkKind.EMBED
        markdown = attrs.evolve(link, kind=LinkKind.MARKDOWN_EMBED if is_embed else LinkKind.MARKDOWN, target="x.md")
        spelling = attrs.evolve(spelling, link=markdown, way=Way.PATH)
        label = re.sub(r"([\\\[\]])", r"\\\1", link.alias or stem_of(spelling.new))
        for target in spellings(spelling):
            written = f"{'!' if is_embed else ''}[{label}]({target}{_fragment(spelling)})"
            if self._reads_as(written, spelling, ""):
                return link.start, link.end, written
        return None

    def _file_change(self, text: str, found: FoundLink) -> tuple[int, int, str] | None:
        link = found.link
        is_relative = link.kind in (LinkKind.MARKDOWN, LinkKind.MARKDOWN_EMBED) or link.target.startswith(("./", "../"))
        old_folder, new_folder = folder_of(self._old_source), folder_of(self._new_source)
        if not is_relative or link.target.startswith("/"):
            return None
        path = join_path(old_folder, link.target)
        new = self._moves.get(path, path)
        if not path or not self._has_file(path) or join_path(new_folder, link.target) == new:
            return None
        raw = text[found.target_start : found.target_end]
        spelling = Spelling(link, path, new, self._new_source, Way.PATH, found.is_angled, False, raw)
        target = next(iter(spellings(spelling)), None)
        return None if target is None else (found.target_start, found.target_end, quoted(target, found.quote))


def _end_of_name(text: str, found: FoundLink) -> int:
    end = found.link.end - 2
    bar = text.find("|", found.target_start, end)
    if bar >= 0:
        end = bar - 1 if text[bar - 1] == "\\" else bar
    return end


def _fragment(spelling: Spelling) -> str:
    link = spelling.link
    parts = [link.heading] if link.heading and not spelling.is_whole else []
    parts += [f"^{link.block}"] if link.block else []
    return "".join(f"#{percent(part, safe='^#')}" for part in parts)


def _link_in(written: str, kind: LinkKind, is_label_first: bool) -> Link | None:
    """The link that `written` is, if it is one link of that form and nothing else."""
    code, counter = find_code(written, 0), LineCounter(written)
    for item in scan_links(written, None, code, counter, is_label_first=is_label_first):
        if item.link.start == 0 and item.link.end == len(written) and item.link.kind is kind:
            return item.link
    return None
