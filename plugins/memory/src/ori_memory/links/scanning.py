"""Where the links of a text are, and what each says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from attrs import frozen

from ori_memory.links._markdown import MarkdownHit, markdown_hits
from ori_memory.model import Link, LinkKind
from ori_memory.notes.block import Block, find_block
from ori_memory.notes.code import find_code
from ori_memory.notes.lines import LineCounter, flatten
from ori_memory.notes.quoting import QuoteScanner, unquoted
from ori_memory.notes.spans import Spans

__all__ = ["FoundLink", "find_links", "puts_labels_first", "scan_links"]

_WIKI = re.compile(r"(!?)\[\[([^\[\]\n|]*+)(?:\|((?:[^\[\]\n]|\[[^\[\]\n]*+\](?!\]\]))*))?\]\]")
# A name that is all there is: no heading, no block, no address, nothing to unescape.
_PLAIN = re.compile(r"[^\W_](?:[\w .,()&+/-]*[\w.)])?")
_EXTERNAL_WIKI = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://|//|(?:mailto|tel):", re.IGNORECASE)
_EXTERNAL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+:|//")
# `[[ -f x ]]` is a test of a shell, `[["a","b"]]` is data.
_NO_NAME = re.compile(r"\s+[-!$\"'(]|\s*\".*\"\s*$|\s*'.*'\s*,|\s*$")
_BLOCK_REFERENCE = re.compile(r"\(+[0-9a-fA-F-]{36}\)+")
_LOGSEQ_BLOCK = re.compile(r"((?:\{\{embed[ \t]+)?)\(\(([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\)\)")
_CITATION = re.compile(r"\[\[\d{1,4}\]\]\((?=<?(?:https?:|//))")
"""`[[1]](https://...)`, as encyclopedias have them, is a link to the web with the text `[1]`."""
_JOPLIN = ":/"
_DENDRON = ("id", "title", "desc", "updated", "created")
_OWN_BLOCK = re.compile(r"\^[A-Za-z0-9-]+")
"""`[[^anchor]]`, a block of the note itself."""
_EXPORTED_END = ".md)"
_EXPORTED = re.compile(r"\((?<= \()((?:[^\s()]|\([^\s()]{0,200}\)){1,500}%20[0-9a-f]{32}\.md)\)")
_PAGES = (".md", ".markdown", ".html", "/")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


@frozen
class FoundLink:
    """A link and where its target stands: text[target_start:target_end], without heading, block and alias."""

    link: Link
    target_start: int
    target_end: int
    quote: str = ""
    """The quotes of YAML it stands in."""
    is_angled: bool = False
    """The target stands in angle brackets."""


def find_links(text: str) -> tuple[Link, ...]:
    """All links of a note's whole text to places inside the vault, in their order, frontmatter included."""
    block = find_block(text)
    if block is not None and not block.is_readable:
        block = None
    text = flatten(text)
    code = find_code(text, block.end if block else 0)
    return tuple(found.link for found in scan_links(text, block, code, LineCounter(text)))


def scan_links(
    text: str,
    block: Block | None,
    code: Spans,
    counter: LineCounter,
    hits: Iterable[MarkdownHit] | None = None,
    *,
    is_label_first: bool | None = None,
) -> list[FoundLink]:
    """The links of a flattened text whose frontmatter and code are known. `hits`: its `markdown_hits`, if known.

    `is_label_first`: the label stands before the target; None: as the frontmatter has it.
    """
    start = block.end if block else 0
    if is_label_first is None:
        is_label_first = puts_labels_first(text, block)
    found: list[FoundLink] = []
    if text.find("[[") >= 0:
        if block is not None:
            found += _property_links(text, block, counter)
        found += _wiki_links(text, start, code, counter, is_label_first)
    if text.find("((", start) >= 0:
        found += _block_references(text, start, code, counter)
        found.sort(key=lambda item: (item.link.start, -item.link.end))
    if text.find(_EXPORTED_END, start) >= 0:
        found += _exported_relations(text, start, code, counter)
    if text.find("](", start) >= 0 or text.find("]:", start) >= 0:
        found += _markdown_links(text, markdown_hits(text, start, code) if hits is None else hits, counter)
        found.sort(key=lambda item: (item.link.start, -item.link.end))
    return found


def puts_labels_first(text: str, block: Block | None) -> bool:
    """Whether it is a note of Dendron, which puts these into each, and the label of a link before its target."""
    if block is None:
        return False
    inner = "\n" + text[block.inner_start : block.inner_end]
    return all(f"\n{key}:" in inner for key in _DENDRON)


def _wiki_links(text: str, start: int, code: Spans, counter: LineCounter, is_label_first: bool) -> Iterator[FoundLink]:
    has_code = bool(code)
    for match in _WIKI.finditer(text, start):
        if has_code and (code.covers(match.start()) or code.covers(match.end() - 1)):
            continue
        if text[match.start() - 1] == "\\" and _is_escaped(text, match.start()):
            continue
        if text.startswith("(", match.end()) and _CITATION.match(text, match.start()) is not None:
            continue
        found = _wiki(match, counter, "", is_label_first=is_label_first)
        if found is not None:
            yield found


def _block_references(text: str, start: int, code: Spans, counter: LineCounter) -> Iterator[FoundLink]:
    """`((id))`, as Logseq writes it: the id is that of a block in whatever note, and says which."""
    for match in _LOGSEQ_BLOCK.finditer(text, start):
        first, last = match.start(2) - 2, match.end()
        if not code.covers(first):
            kind = LinkKind.EMBED if match.group(1) else LinkKind.WIKI
            link = Link(kind, text[first:last], None, None, None, first, last, counter.line_of(first))
            yield FoundLink(link, first, last)


def _exported_relations(text: str, start: int, code: Spans, counter: LineCounter) -> Iterator[FoundLink]:
    """`related: Tea (Tea%20<id>.md), Milk (...)`, as Notion exports what one page of a table says of another."""
    for match in _EXPORTED.finditer(text, start):
        if not code.covers(match.start()):
            first, last = match.span(1)
            target = _decoded(text[first:last])
            link = Link(LinkKind.MARKDOWN, target, None, None, None, match.start(), match.end(), counter.line_of(first))
            yield FoundLink(link, first, last)


def _property_links(text: str, block: Block, counter: LineCounter) -> Iterator[FoundLink]:
    scanner = QuoteScanner(text)
    line_start = block.inner_start
    for match in _WIKI.finditer(text, block.inner_start, block.inner_end):
        line_start = max(line_start, text.rfind("\n", line_start, match.start()) + 1)
        quote = scanner.quote_at(line_start, match.start())
        if quote == "#":
            continue
        content = match.group(2)
        if not quote and ("," in content or '"' in content):
            continue
        found = _wiki(match, counter, quote, is_property=True)
        if found is not None:
            yield found


def _wiki(
    match: re.Match[str], counter: LineCounter, quote: str, is_property: bool = False, is_label_first: bool = False
) -> FoundLink | None:
    _, content, alias = match.groups()
    place = match.start(2)
    # Notes that came to Obsidian since have both orders: a name with folders or levels is the target.
    if is_label_first and alias is not None and not ("." in content and "." not in alias):
        content, alias, place = alias, content.removesuffix("\\"), match.start(3)
    if _PLAIN.fullmatch(content) is not None:
        link = _link(match, counter, content, None, None, is_property, alias)
        return FoundLink(link, place, place + len(content), quote)
    if _NO_NAME.match(content) is not None or _EXTERNAL_WIKI.match(content.strip()) is not None:
        return None
    if alias is not None and content.endswith("\\"):
        content = content[:-1]
    target, sign, rest = content.partition("#")
    if not sign and _OWN_BLOCK.fullmatch(content.strip()) is not None:
        target, sign, rest = "", "#", content.strip()
    if sign and target.strip() and not rest.strip("# "):
        # `[[C#]]`: no heading follows, so the sign is part of the name.
        target, sign = content, ""
    heading, block = _fragment(rest) if sign else (None, None)
    name = unquoted(target, quote).strip()
    if not name and heading is None and block is None:
        return None
    link = _link(match, counter, name, heading, block, is_property, alias)
    start = place + len(target) - len(target.lstrip())
    return FoundLink(link, start, max(start, place + len(target.rstrip())), quote)


def _link(
    match: re.Match[str],
    counter: LineCounter,
    target: str,
    heading: str | None,
    block: str | None,
    is_property: bool,
    alias: str | None,
) -> Link:
    start, end = match.span()
    return Link(
        LinkKind.EMBED if match.group(1) else LinkKind.WIKI,
        target,
        heading,
        block,
        (alias.strip() or None) if alias is not None else None,
        start,
        end,
        counter.line_of(start),
        is_property,
    )


def _fragment(text: str) -> tuple[str | None, str | None]:
    """Heading and block of what follows the first `#`."""
    heading, sign, block = text.rpartition("#^")
    if not sign:
        heading, block = ("", text[1:]) if text.startswith("^") else (text, "")
    return heading.strip() or None, block.strip() or None


def _is_escaped(text: str, position: int) -> bool:
    count = 0
    while position > count and text[position - count - 1] == "\\":
        count += 1
    return count % 2 == 1


def _markdown_links(text: str, hits: Iterable[MarkdownHit], counter: LineCounter) -> Iterator[FoundLink]:
    for hit in hits:
        raw = text[hit.target_start : hit.target_end]
        # Logseq writes `[label]([[page]])`; that is the wiki-link's to count.
        if not raw or raw.startswith("[[") or _EXTERNAL.match(raw.lstrip("(")) is not None:
            continue
        if raw[0] == "(" and _BLOCK_REFERENCE.fullmatch(raw) is not None:
            continue
        found = _markdown(text, hit, raw, counter)
        if found is not None:
            yield found


def _markdown(text: str, hit: MarkdownHit, raw: str, counter: LineCounter) -> FoundLink | None:
    target, sign, rest = raw.partition("#")
    target = _without_query(target)
    heading, block = _fragment(_decoded(rest)) if sign else (None, None)
    # Joplin names notes and attachments by their ids.
    name = _decoded(target).strip().removeprefix(_JOPLIN)
    if not name and heading is None and block is None:
        return None
    label = text[hit.label_start : hit.label_end].strip()
    link = Link(
        kind=LinkKind.MARKDOWN_EMBED if hit.is_image else LinkKind.MARKDOWN,
        target=name,
        heading=heading,
        block=block,
        alias=label or None,
        start=hit.start,
        end=hit.end,
        line=counter.line_of(hit.start),
    )
    return FoundLink(link, hit.target_start, hit.target_start + len(target), "", hit.is_angled)


def _without_query(target: str) -> str:
    """`search.md?q=tea` leads to search.md; a sign that belongs to a name has no ending before it."""
    place, asked, _ = target.partition("?")
    return place if asked and (not place or place.lower().endswith(_PAGES)) else target


def _decoded(text: str) -> str:
    text = _ESCAPED.sub(r"\1", text) if "\\" in text else text
    if "%" not in text:
        return text
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return text
