"""What in a note is not its own prose: code, formulas, comments and template commands. The one definition of it.

Nothing in there is a link, a tag, a heading or a mention:

- fenced code, ``` or ~~~ of any length, in lists and quotes too, an unclosed fence up to the end of what holds it;
- code by indentation, where CommonMark sees it: not in a list's own lines and not where a paragraph goes on; other than
  there, a list item that is indented with no code above it is a list item;
- code between equal runs of backticks within one paragraph, item, heading or table row;
- `$...$` and `$$...$$` as Obsidian sees them;
- `<!-- -->` and `%% %%`, which a reader never sees, `<pre>`, `<script>`, `<style>`, `<textarea>`, and `<% %>`.

An opener other than a fence that is never closed is plain text, so that no link is lost by a stray sign.
"""

from __future__ import annotations

import re

from ori_memory.notes._blocks import BlockWalk
from ori_memory.notes._inline import inline_code
from ori_memory.notes.block import body_start
from ori_memory.notes.lines import flatten
from ori_memory.notes.spans import Spans

__all__ = ["find_code"]

# Without one of these there is no code.
_SIGNS = ("`", "$", "%%", "~~~")
_TAG = re.compile(r"<(?:!--|%|pre|script|style|textarea)", re.IGNORECASE)
# A line indented as far as code that is no list item, and marks of items and quotes with four blanks or a tab behind.
_INDENTED = re.compile(
    r"\n(?: {0,3}(?: {4}|\t)[ \t]*(?![ \t\n]|(?:[-+*]|\d{1,9}[.)])[ \t])"
    r"|[ \t]*[>*+.)\d-][ >*+.)\d-]{0,60}(?: {4}|\t))"
)
_INLINE_SIGNS = re.compile(r"[`$]|%%|<%|<!--")


def find_code(text: str, start: int | None = None) -> Spans:
    """The stretches of `text` that are code in the wide sense above, in time linear in the text.

    `start` is where the body begins; None looks for the frontmatter, which is never code.
    """
    text = flatten(text)
    if start is None:
        start = body_start(text)
    if not _may_hold_code(text, start):
        return Spans()
    walk = BlockWalk(text, start)
    walk.run()
    spans = walk.code
    if _INLINE_SIGNS.search(text, start) is not None:
        for first, last in walk.segments:
            if _INLINE_SIGNS.search(text, first, last) is not None:
                spans.extend(inline_code(text, first, last))
    return Spans(spans)


def _may_hold_code(text: str, start: int) -> bool:
    if any(text.find(sign, start) >= 0 for sign in _SIGNS):
        return True
    if text.find("<", start) >= 0 and _TAG.search(text, start) is not None:
        return True
    has_blanks = text.find("\t", start) >= 0 or text.find("    ", start) >= 0
    # A pattern that begins with a plain sign is found faster than one that asks for a line's beginning.
    return has_blanks and _INDENTED.search("\n" + text[start:]) is not None
