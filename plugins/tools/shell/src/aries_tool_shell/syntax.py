"""The syntax tree of a script, and a second look at it: what the grammar may have read otherwise than bash does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

__all__ = ["WORD_TYPES", "doubts_about", "parse", "walk"]

WORD_TYPES = frozenset({
    "word", "string", "raw_string", "ansi_c_string", "translated_string", "number", "concatenation",
    "simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion",
    "brace_expression", "extglob_pattern", "regex",
})  # fmt: skip

_FRAMES = frozenset({
    "program", "list", "pipeline", "command", "redirected_statement", "if_statement", "elif_clause", "else_clause",
    "while_statement", "for_statement", "case_statement", "case_item", "do_group", "compound_statement", "subshell",
    "function_definition", "negated_command", "command_substitution", "process_substitution", "file_redirect",
    "herestring_redirect", "declaration_command", "unset_command",
})  # fmt: skip
"""Nodes between whose children bash knows blanks and nothing else."""

_ONE_LINE = frozenset({"command", "file_redirect", "herestring_redirect", "declaration_command", "unset_command"})
_BLANK = re.compile(rb"(?:[ \t\n]|(?<=[ \t])\\\n|(?<=[ \t]\\\n)\\\n)*")
_BLANK_LINE = re.compile(rb"(?:[ \t]|(?<=[ \t])\\\n|(?<=[ \t]\\\n)\\\n)*")
_VERBATIM = frozenset({"raw_string", "ansi_c_string", "comment", "heredoc_start", "heredoc_end"})
_HIDDEN = re.compile(rb"`|\$[({\[]")
_ESCAPED = re.compile(rb"\\.", re.DOTALL)
_TOO_DEEP = 150


@lru_cache(maxsize=1)
def _parser() -> Parser:
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


def parse(source: bytes) -> Node:
    """The root of the tree; broken scripts have one too."""
    return _parser().parse(source).root_node


def walk(node: Node) -> Iterator[Node]:
    """`node` and everything below it, in the order of the text."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(reversed(one.children))


def doubts_about(root: Node, source: bytes) -> Iterator[str]:
    """Reasons not to trust the tree: errors, gaps that hold more than blanks, code inside what was taken for text."""
    if root.has_error:
        yield "the script does not parse"
    if re.search(rb"[^ \t\n]\\\n", _without_comment_ends(source)):
        yield "a line continuation joins two parts of a word"
    for node in walk(root):
        if node.type in _FRAMES and _has_strange_gap(node, source):
            yield f"there is unexpected text near {_near(node, source)!r}"
        if _hides_code(node, source):
            yield f"code may hide in {_near(node, source)!r}"
        if node.type == "heredoc_redirect" and not _is_whole(node, source):
            yield "a here-document has no end, or words behind its beginning"
        if node.type == "comment" and not _is_comment(node, source):
            yield f"{_near(node, source)!r} may not be a comment"


def is_too_deep(root: Node) -> bool:
    """Whether nesting goes beyond what anybody writes, and beyond what recursion should follow."""
    level, depth = [root], 0
    while level:
        level = [child for node in level for child in node.children]
        depth += 1
        if depth > _TOO_DEEP:
            return True
    return False


def _without_comment_ends(source: bytes) -> bytes:
    return source.replace(b"\\\\", b"  ") if b"\\\\\n" in source else source


def _has_strange_gap(node: Node, source: bytes) -> bool:
    blank = _BLANK_LINE if node.type in _ONE_LINE else _BLANK
    end, previous = node.start_byte, None
    for child in node.children:
        gap = source[end : child.start_byte]
        if not blank.fullmatch(source, end, child.start_byte) and gap:
            return True
        is_glued = not gap and previous in WORD_TYPES and child.type in WORD_TYPES
        if is_glued and node.type in ("command", "for_statement"):
            return True
        end, previous = max(end, child.end_byte), child.type
    return bool(source[end : node.end_byte]) and not _BLANK.fullmatch(source, end, node.end_byte)


def _hides_code(node: Node, source: bytes) -> bool:
    if node.type in _VERBATIM or not node.is_named:
        return False
    text = _ESCAPED.sub(b"", source[node.start_byte : node.end_byte])
    if node.type == "heredoc_body":  # between its pieces the grammar leaves text that is in no node
        return not _is_quoted_heredoc(node, source) and (b"`" in text or (not node.children and b"$" in text))
    return not node.children and _HIDDEN.search(text) is not None


def _is_whole(redirect: Node, source: bytes) -> bool:
    named = {child.type: source[child.start_byte : child.end_byte] for child in redirect.children}
    mark = re.sub(rb"['\"\\]", b"", named.get("heredoc_start", b"\0"))
    return named.get("heredoc_end") == mark and not WORD_TYPES & named.keys()


def _is_quoted_heredoc(body: Node, source: bytes) -> bool:
    start = next((one for one in (body.parent.children if body.parent else ()) if one.type == "heredoc_start"), None)
    return start is not None and any(mark in source[start.start_byte : start.end_byte] for mark in b"'\"\\")


def _is_comment(node: Node, source: bytes) -> bool:
    before = source[node.start_byte - 1 : node.start_byte] if node.start_byte else b"\n"
    return b"\n" not in source[node.start_byte : node.end_byte] and before in b" \t\n;&|()"


def _near(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte][:40].decode("utf-8", "replace")
