"""A note's text, understood."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from attrs import frozen

from ori_memory.links._markdown import MarkdownHit, markdown_hits
from ori_memory.links.scanning import scan_links
from ori_memory.links.suggesting import taken_spans
from ori_memory.model import Heading, Link, ParsedNote
from ori_memory.notes.code import find_code
from ori_memory.notes.lines import LineCounter, flatten, normalise
from ori_memory.notes.properties import Properties, read_properties
from ori_memory.notes.scalars import Raw, text_of, texts_of
from ori_memory.notes.spans import Spans
from ori_memory.notes.tagging import inline_tags, property_tags, unique
from ori_memory.notes.titling import bare_heading, is_titled_by_heading, opening_line, page_of, says_nothing

__all__ = ["parse_note", "parse_whole"]

# What must stand before is asked after it: patterns that begin with a plain sign are found faster.
_ATX = re.compile(r"(#{1,6})(?:[ \t]+(.*))?$", re.MULTILINE)
_CLOSING_MARKS = re.compile(r"(?:^|[ \t])#+$")
_UNDERLINE = re.compile(r"\n {0,3}(?:(=+)|-+)[ \t]*$", re.MULTILINE)
# A line that cannot be the text above a setext underline: blank, quote, item, table row, heading, rule.
_NO_HEADING_TEXT = re.compile(
    r"[ \t]*(?:$|[>|#]|[-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|(?:[-_*][ \t]*){3,}$|=+[ \t]*$)|\t| {4}"
)
_BLOCK_ID = re.compile(r"(?:^|(?<=[ \t]))\^([A-Za-z0-9-]+)[ \t]*$", re.MULTILINE)
_LOGSEQ_ID = re.compile(r"^[ \t]*(?:- )?id:: ([0-9a-fA-F-]{36})[ \t]*$", re.MULTILINE)
_CR_LF = re.compile(r"\r\n")
_WIKI = re.compile(r"\[\[([^\[\]|#]+)[^\[\]]*\]\]")


def parse_note(text: str, stem: str) -> ParsedNote:
    """All that a note says, in time linear in its length. `stem`: its file's name without `.md`. Never raises."""
    return _Parse.of(text).note(stem)


def parse_whole(text: str, stem: str) -> tuple[ParsedNote, Spans | None]:
    """Like `parse_note`, with the stretches of the body that hold no mentions, as `unmentionable` finds them.

    None where a byte order mark within the text makes its offsets doubtful.
    """
    parse = _Parse.of(text)
    return parse.note(stem), parse.taken()


@frozen
class _Parse:
    """What several questions about one text need."""

    text: str
    flat: str
    head: Properties
    code: Spans
    counter: LineCounter
    hits: Sequence[MarkdownHit]
    links: tuple[Link, ...]

    @classmethod
    def of(cls, text: str) -> _Parse:
        head = read_properties(text)
        flat = flatten(text)
        code = find_code(flat, head.body_start)
        counter = LineCounter(flat)
        hits = tuple(markdown_hits(flat, head.body_start, code))
        links = tuple([found.link for found in scan_links(flat, head.block, code, counter, hits)])
        return cls(text, flat, head, code, counter, hits, links)

    def note(self, stem: str) -> ParsedNote:
        head, flat, code, links = self.head, self.flat, self.code, self.links
        start = head.body_start
        headings = _headings(flat, start, code, self.counter)
        return ParsedNote(
            title=_title(head, headings, stem, flat),
            aliases=_aliases(head),
            tags=unique([*property_tags(head.raw), *inline_tags(flat, start, code, links)]),
            links=links,
            headings=headings,
            blocks=_blocks(flat, start, code),
            properties=head.values,
            has_frontmatter=head.block is not None,
            body=normalise(self.text[start:]).removeprefix("\ufeff"),
            problems=head.problems,
        )

    def taken(self) -> Spans | None:
        start = self.head.body_start
        if self.text.startswith("\ufeff", start):
            return None
        spans = taken_spans(self.flat, start, self.code, self.links, self.hits)
        if "\r\n" in self.text:
            # The body has one character for the two of such a line end.
            dropped = [match.start() for match in _CR_LF.finditer(self.text, start)]
            spans.starts = [place - start - bisect_left(dropped, place) for place in spans.starts]
            spans.ends = [place - start - bisect_left(dropped, place) for place in spans.ends]
        elif start:
            spans.starts = [place - start for place in spans.starts]
            spans.ends = [place - start for place in spans.ends]
        return spans


def _title(head: Properties, headings: tuple[Heading, ...], stem: str, text: str) -> str:
    title = text_of(head.raw.get("title"))
    if title:
        return " ".join(title.split())
    name = page_of(stem)
    # ori writes an id into the notes it makes; elsewhere the file's name is the title, as in Obsidian.
    if head.block is not None and "id" in head.raw:
        return next((heading.text for heading in headings if heading.level == 1 and heading.text), name)
    first = headings[0] if headings else None
    if first is None or not _is_first_line(first.line, text, head.body_start):
        return (opening_line(text[head.body_start :]) if says_nothing(stem) else "") or name
    title = bare_heading(first.text)
    return title if is_titled_by_heading(stem, title, first.level) else name


def _is_first_line(line: int, text: str, start: int) -> bool:
    """Whether the first line of the body that says anything has this number."""
    body = text[start:].lstrip("\ufeff \t\n")
    return text.count("\n", 0, len(text) - len(body)) == line - 1


def _aliases(head: Properties) -> tuple[str, ...]:
    if not head.raw:
        return ()
    found: list[str] = []
    for key in ("aliases", "alias", "Aliases", "Alias"):
        raw = head.raw.get(key)
        found += texts_of(raw) if isinstance(raw, list) else _comma_separated(raw)
    return unique(_unlinked(alias) for alias in found)


def _comma_separated(raw: Raw | None) -> list[str]:
    return [part for piece in text_of(raw).split(",") if (part := piece.strip())]


def _unlinked(text: str) -> str:
    match = _WIKI.fullmatch(text)
    return match.group(1).strip() if match else text


def _headings(text: str, start: int, code: Spans, counter: LineCounter) -> tuple[Heading, ...]:
    found: list[Heading] = []
    if text.find("#", start) >= 0:
        for match in _ATX.finditer(text, start):
            if _begins_line(text, start, match.start()) and not code.covers(match.start()):
                content = _CLOSING_MARKS.sub("", (match.group(2) or "").strip()).strip()
                found.append(Heading(len(match.group(1)), content, counter.line_of(match.start(1))))
    if text.find("==", start) >= 0 or text.find("\n-", start) >= 0 or text.find("\n=", start) >= 0:
        underlined = _underlined(text, start, code, counter)
        if underlined:
            found = sorted([*found, *underlined], key=lambda heading: heading.line)
    return tuple(found)


def _begins_line(text: str, start: int, place: int) -> bool:
    """Whether at most three blanks stand before `place` in its line."""
    first = max(start, place - 4)
    line = text.rfind("\n", first, place) + 1 or first
    return place - line <= 3 and not text[line:place].strip(" ") and (line == start or text[line - 1] == "\n")


def _underlined(text: str, start: int, code: Spans, counter: LineCounter) -> list[Heading]:
    found = []
    for match in _UNDERLINE.finditer(text, start):
        line_start = match.start() + 1
        if line_start <= start or code.covers(match.end() - 1):
            continue
        above_start, above = _paragraph_above(text, start, line_start, code)
        if above:
            found.append(Heading(1 if match.group(1) else 2, above, counter.line_of(above_start)))
    return found


def _paragraph_above(text: str, start: int, end: int, code: Spans) -> tuple[int, str]:
    """The paragraph that ends right before `end`, where it begins and what it says; empty where there is none."""
    lines: list[str] = []
    position = end
    while position > start:
        above = max(text.rfind("\n", start, position - 1) + 1, start)
        line = text[above : position - 1]
        if _NO_HEADING_TEXT.match(line) is not None or code.covers(above):
            break
        lines.append(line.strip())
        position = above
    return position, " ".join(reversed(lines))


def _blocks(text: str, start: int, code: Spans) -> tuple[str, ...]:
    found: list[str] = []
    if text.find("^", start) >= 0:
        found += [match.group(1) for match in _BLOCK_ID.finditer(text, start) if not code.covers(match.start(1))]
    if text.find("id:: ", start) >= 0:
        found += [match.group(1) for match in _LOGSEQ_ID.finditer(text, start) if not code.covers(match.start(1))]
    return unique(found)
