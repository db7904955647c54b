"""What in a text holds no mentions: links, addresses and code."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ori_memory.links._markdown import MarkdownHit, markdown_hits
from ori_memory.links.scanning import scan_links
from ori_memory.model import Link
from ori_memory.notes.block import find_block
from ori_memory.notes.code import find_code
from ori_memory.notes.lines import LineCounter, flatten
from ori_memory.notes.spans import Spans

__all__ = ["taken_in", "taken_spans", "unmentionable"]

_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s<>]+|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}")


def taken_in(text: str) -> tuple[str, int, Spans]:
    """A whole note's text with plain line ends, where its body begins, and what in it holds no mentions."""
    flat = flatten(text)
    block = find_block(flat)
    if block is not None and not block.is_readable:
        block = None
    start = block.end if block else 0
    code = find_code(flat, start)
    hits = tuple(markdown_hits(flat, start, code))
    links = [found.link for found in scan_links(flat, block, code, LineCounter(flat), hits)]
    return flat, start, taken_spans(flat, start, code, links, hits)


def unmentionable(body: str) -> Spans:
    """What in a body with LF line ends holds no mentions: links, addresses and code."""
    code = find_code(body, 0)
    hits = tuple(markdown_hits(body, 0, code))
    links = [found.link for found in scan_links(body, None, code, LineCounter(body), hits)]
    return taken_spans(body, 0, code, links, hits)


def taken_spans(flat: str, start: int, code: Spans, links: Iterable[Link], hits: Iterable[MarkdownHit]) -> Spans:
    """What in a flattened text holds no mentions, where its code and links are known. `start`: of the body."""
    taken = [(link.start, link.end) for link in links if link.start >= start]
    # Links to other places too: nobody wants a link within a link.
    taken += [(hit.start, hit.end) for hit in hits]
    for sign in ("://", "@"):
        # Only lines that may hold an address: the pattern would try every letter of the others.
        position = flat.find(sign, start)
        while position >= 0:
            first, last = max(start, flat.rfind("\n", start, position) + 1), flat.find("\n", position)
            last = len(flat) if last < 0 else last
            taken += [match.span() for match in _ADDRESS.finditer(flat, first, last)]
            position = flat.find(sign, last)
    return Spans((*taken, *code))
