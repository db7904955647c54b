"""Places of `[text](target)`, `![text](target)` and `[label]: target`, by brackets that match."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from ori_memory.notes.spans import Spans

__all__ = ["MarkdownHit", "markdown_hits"]

# A wiki-link is passed over whole where no code can begin in it: its brackets match each other.
_SIGN = re.compile(r"\\.|\[\[[^\[\]\n`$%<\\]*\]\](?!\()|!?\[|\]|\n[ \t]*\n", re.DOTALL)
# Titles and targets are bounded: each place is tried once, so the whole stays linear.
_TITLE = r"""(?:[ \t\n]{1,9}(?:"[^"]{0,999}"|'[^']{0,999}'|\([^()]{0,999}\)))?"""
_TARGET = r"""(?:<([^<>\n]{0,1999})>|((?:[^\s()<>\\]|\\.|\((?:[^\s()\\]|\\.){0,999}\)){0,1999}))"""
_DESTINATION = re.compile(rf"\([ \t\n]{{0,9}}{_TARGET}{_TITLE}[ \t\n]{{0,9}}\)")
# Hugo's `{{< relref "note.md" >}}` and Jekyll's `{% link note.md %}` in the place of a target.
_SHORTCODE = re.compile(
    r"""\([ \t]{0,9}(?:\{\{[^{}\n"'`]{0,99}\}\}/?)?\{(?:\{[<%][ \t]*(?:rel)?ref|%[-]?[ \t]*(?:link|post_url))[ \t]+"""
    r"""(?:path[ \t]*=[ \t]*)?(?:"([^"\n]{1,999})"|`([^`\n]{1,999})`|([^\s"`{}<>%]{1,999}))"""
    r"""[^{}\n]{0,199}[%>]\}\}?[ \t]{0,9}\)"""
)
_DEFINITION = re.compile(
    r"^ {0,3}\[(?!\^)((?:[^\[\]\\\n]|\\.){1,999})\]:[ \t]{0,99}" + _TARGET + _TITLE + r"[ \t]{0,99}$", re.MULTILINE
)


@frozen
class MarkdownHit:
    """One place, in characters of the text."""

    start: int
    end: int
    label_start: int
    label_end: int
    target_start: int
    target_end: int
    is_image: bool
    is_angled: bool


def markdown_hits(text: str, start: int, code: Spans) -> Iterator[MarkdownHit]:
    """All of them that are not in code; brackets in code match nothing."""
    if text.find("](", start) >= 0:
        yield from _inline(text, start, code)
    if text.find("]:", start) >= 0:
        for match in _DEFINITION.finditer(text, start):
            if not code.covers(match.start()) and match.group(1).strip():
                yield _hit(match, match.start(), match.end(), match.span(1), False, 2)


def _inline(text: str, start: int, code: Spans) -> Iterator[MarkdownHit]:
    openers: list[tuple[int, int, bool]] = []
    position = start
    first_live = 0
    while (sign := _SIGN.search(text, position)) is not None:
        position = sign.end()
        after_code = code.end_of(sign.start())
        if after_code > sign.start():
            position = after_code
            continue
        mark = sign.group()
        if mark[0] == "\n":
            openers.clear()
            first_live = 0
            position = sign.end() - 1
        elif mark[0] == "[" and len(mark) > 1:
            continue
        elif mark[-1] == "[" and mark[0] != "\\":
            openers.append((sign.start(), sign.end(), mark[0] == "!"))
        elif mark == "]" and openers:
            opener_start, label_start, is_image = openers.pop()
            is_live = is_image or len(openers) >= first_live
            first_live = min(first_live, len(openers))
            target = _destination(text, sign.end()) if is_live else None
            if target is not None and not code.covers(target.end() - 1):
                yield _hit(target, opener_start, target.end(), (label_start, sign.start()), is_image, 1)
                position = target.end()
                if not is_image:
                    # A link holds no link: what was opened before it can only be an image now.
                    first_live = len(openers)


def _destination(text: str, place: int) -> re.Match[str] | None:
    found = _DESTINATION.match(text, place)
    return _SHORTCODE.match(text, place) if found is None and text.find("{", place, place + 12) > 0 else found


def _place_of_target(match: re.Match[str], group: int, *, is_angled: bool) -> int:
    if match.re is _SHORTCODE:
        return match.lastindex or 1
    return group if is_angled else group + 1


def _hit(match: re.Match[str], start: int, end: int, label: tuple[int, int], is_image: bool, group: int) -> MarkdownHit:
    is_angled = match.re is not _SHORTCODE and match.group(group) is not None
    target_start, target_end = match.span(_place_of_target(match, group, is_angled=is_angled))
    return MarkdownHit(start, end, *label, target_start, target_end, is_image, is_angled)
