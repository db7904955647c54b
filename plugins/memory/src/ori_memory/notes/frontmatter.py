"""Frontmatter edited in place: only the lines of the changed keys differ."""

from __future__ import annotations

import re
from collections.abc import Mapping

from aries_kernel.errors import UserError
from ori_memory.notes._entry_text import EntryText, new_lines
from ori_memory.notes.block import Block, find_block
from ori_memory.notes.lines import normalise
from ori_memory.notes.properties import read_entries
from ori_memory.notes.yaml_fast import Entry
from ori_memory.notes.yaml_whole import YamlProblem
from ori_memory.notes.yaml_writing import Unwritable, is_same

__all__ = ["FrontmatterError", "edit_frontmatter"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_LINE_END = re.compile(r"\r\n|\n|\r")
_TAB = re.compile(r"\t\s*[^\s]")


class FrontmatterError(UserError):
    """The frontmatter cannot be changed as it is; the message names the line. `line`: 1-based."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line, self.reason = line, reason


def edit_frontmatter(text: str, changes: Mapping[str, object]) -> str:
    """`text` with these keys set; a key whose value is None is removed.

    Comments, order, quotes, indentation, line ends and a byte order mark stay, a key that already has its value is not
    touched, new keys go to the end, and a note without frontmatter gets some. A list keeps the lines of the items it
    keeps.

    Raises:
        FrontmatterError: the frontmatter is not closed, not YAML or not a mapping, a key occurs twice, or the value
            cannot be written. Nothing is guessed, and there are never two blocks.
    """
    block = find_block(text)
    if block is None:
        return _with_new_block(text, changes)
    if block.problem or block.kind == "toml":
        raise _refusal(block)
    inner = text[block.inner_start : block.inner_end]
    entries = _entries(inner)
    line_end = _line_end(text[block.start : block.inner_start])
    edited = _edited(inner, entries, changes, line_end)
    _check(edited, entries, changes)
    result = text[: block.inner_start] + edited + text[block.inner_end :]
    after = find_block(result)
    if after is None or after.problem or after.inner_end - after.inner_start != len(edited):
        raise FrontmatterError(2, "what would be left is not `key: value` any more. Edit it by hand.")
    return result


def _refusal(block: Block) -> FrontmatterError:
    if not block.problem:
        return FrontmatterError(1, "the frontmatter is TOML (`+++`); ori changes YAML only. Change it with an editor.")
    line, _, reason = block.problem.removeprefix("line ").partition(": ")
    return FrontmatterError(int(line), f"{reason}. Mend it with an editor, then try again.")


def _with_new_block(text: str, changes: Mapping[str, object]) -> str:
    kept = {key: value for key, value in changes.items() if value is not None}
    if not kept:
        return text
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    line_end = _line_end(text)
    inner = "".join(line + line_end for key, value in kept.items() for line in _new(key, value, ""))
    _check(inner, [], kept)
    return f"{mark}---{line_end}{inner}---{line_end}{text[len(mark) :]}"


def _line_end(text: str) -> str:
    match = _LINE_END.search(text)
    return match.group() if match else "\n"


def _entries(inner: str) -> list[Entry]:
    lines = normalise(inner).split("\n")
    for number, line in enumerate(lines):
        if _TAB.match(line) is not None:
            raise FrontmatterError(number + 2, "begins with a tab, which YAML forbids. Use blanks, then try again.")
    try:
        entries = read_entries(normalise(inner))
    except YamlProblem as problem:
        raise FrontmatterError(
            problem.line + 2, f"the frontmatter is not valid YAML: {problem.reason}. Mend it with an editor."
        ) from problem
    seen: dict[str, Entry] = {}
    for entry in entries:
        if entry.key in seen:
            first = seen[entry.key].first + 2
            raise FrontmatterError(entry.first + 2, f"the key '{entry.key}' stands in line {first} too. Remove one.")
        seen[entry.key] = entry
    return entries


def _edited(inner: str, entries: list[Entry], changes: Mapping[str, object], line_end: str) -> str:
    lines = _LINE.findall(inner)
    if inner and not inner.endswith(("\n", "\r")):
        raise FrontmatterError(2, "the frontmatter has no line end. Mend it with an editor.")
    for entry in reversed(entries):
        if entry.key not in changes:
            continue
        value = changes[entry.key]
        if value is not None and is_same(entry.value, value, strictly=True):
            continue
        old = EntryText.of(entry, lines)
        if old is None:
            raise FrontmatterError(
                entry.first + 2, f"the key '{entry.key}' is written in a form that ori cannot change in place."
            )
        try:
            fresh = old.lines_for(value, line_end) if value is not None else []
        except Unwritable as error:
            raise FrontmatterError(entry.first + 2, f"the value of '{entry.key}' holds {error}") from error
        lines[old.first : old.last + 1] = fresh
    known = {entry.key for entry in entries}
    indent = _indent(lines, entries)
    for key, value in changes.items():
        if key not in known and value is not None:
            lines += [line + line_end for line in _new(key, value, indent)]
    return "".join(lines)


def _indent(lines: list[str], entries: list[Entry]) -> str:
    if not entries or entries[0].first >= len(lines):
        return ""
    line = lines[entries[0].first]
    return line[: len(line) - len(line.lstrip(" "))] if line.strip() else ""


def _new(key: str, value: object, indent: str) -> list[str]:
    try:
        return new_lines(key, value, indent)
    except Unwritable as error:
        raise FrontmatterError(1, f"the value of '{key}' holds {error}") from error


def _check(edited: str, before: list[Entry], changes: Mapping[str, object]) -> None:
    """Reads the result back: what was to change did, and nothing else."""
    try:
        after = {entry.key: entry for entry in read_entries(normalise(edited))}
    except YamlProblem as problem:
        raise FrontmatterError(
            problem.line + 2, f"cannot be changed without breaking it: {problem.reason}"
        ) from problem
    for entry in before:
        found = after.get(entry.key)
        if entry.key not in changes and (found is None or found.value != entry.value):
            raise FrontmatterError(entry.first + 2, f"the key '{entry.key}' would change too. Edit it by hand.")
    for key, value in changes.items():
        found = after.get(key)
        wrong = found is not None if value is None else found is None or not is_same(found.value, value)
        if wrong:
            raise FrontmatterError(found.first + 2 if found else 1, f"the key '{key}' cannot be changed in place.")
