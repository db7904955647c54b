"""The sentences of a note as a person reads them: no code, headings, tables or markup."""

from __future__ import annotations

import re

__all__ = ["plain_sentences"]

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_NO_PROSE = re.compile(r"\s*(?:#{1,6}(?:\s|$)|\||<!--|[\w-]+::(?:\s|$)|[-=_*]{3,}\s*$)")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)]|>|- \[.\])\s+")
_WIKI = re.compile(r"!?\[\[([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
_MARKDOWN = re.compile(r"!?\[([^\[\]\n]*)\]\((?:\{\{[^{}\n]*\}\}|[^()\s]*(?:\s+\"[^\"\n]*\")?)\)")
_ADDRESS = re.compile(r"<?\bhttps?://\S+")
_MARKS = re.compile(r"[*_`~=]{2,}|(?<!\w)[*_`]|[*_`](?!\w)")
_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|(?<=[。！？])|(?<=।)\s*")


def plain_sentences(body: str) -> list[str]:
    """In their order, on one line each. What a wiki-link shows stands for it."""
    found: list[str] = []
    for paragraph in _paragraphs(body):
        text = _WIKI.sub(lambda link: link[2] or link[1].split("#")[0], paragraph)
        text = _MARKS.sub("", _ADDRESS.sub(" ", _MARKDOWN.sub(r"\1", text)))
        found += [sentence for part in _END.split(text) if (sentence := " ".join(part.split()))]
    return found


def _paragraphs(body: str) -> list[str]:
    """Lines that belong together, joined; an item of a list begins a new one."""
    found: list[list[str]] = [[]]
    fence = ""
    for line in body.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark[1]
        elif not fence and line.strip() and _NO_PROSE.match(line) is None:
            item = _ITEM.match(line)
            if item is not None:
                found.append([])
            found[-1].append(line[item.end() :] if item is not None else line.strip())
            continue
        found.append([])
    return [" ".join(lines) for lines in found if lines]
