"""A block of ours in a text for people: between a start mark and an end mark, the rest left as it is.

Clients that read one file share its block; the start mark names them, and it goes with the last of them.
"""

from __future__ import annotations

import re

from attrs import frozen

from ori_memory.bridging.place import CannotEdit, line_of

__all__ = ["drop_block", "has_block", "put_block"]

_START = re.compile(r"^[ \t]*<!-- ori-bridge:start (?P<clients>[a-z0-9, -]+?)(?: \(.*?\))? -->", re.MULTILINE)
_END = re.compile(r"^[ \t]*<!-- ori-bridge:end -->", re.MULTILINE)
_NOTE = "(written by `ori bridge`; changes between these marks are lost)"


@frozen
class _Block:
    start: int
    end: int
    clients: tuple[str, ...]


def put_block(text: str, client: str, content: str) -> str:
    """Put the block at the end, or bring the one that is there up to date.

    Raises: CannotEdit where one mark of two is missing.
    """
    # Behind a bare carriage return, a line feed of ours would make a line break of both.
    ending = "\r\n" if "\r\n" in text or text.endswith("\r") else "\n"
    found = _block(text)
    if found is not None:
        clients = tuple(dict.fromkeys([*found.clients, client]))
        return text[: found.start] + _written(clients, content, ending) + text[found.end :]
    block = _written((client,), content, ending)
    if not text:
        return block + ending
    # Before the last line break, so that the end of the file stays what it was.
    body, last = (text[: -len(ending)], ending) if text.endswith(ending) else (text, "")
    return body + ending * 2 + block + last


def drop_block(text: str, client: str) -> str:
    """Take the client out, and with the last one the block and the blank line before it. Raises: as `put_block`."""
    found = _block(text)
    if found is None or client not in found.clients:
        return text
    rest = [one for one in found.clients if one != client]
    if rest:
        head = _START.match(text, found.start)
        assert head is not None
        return text[: head.start("clients")] + ", ".join(rest) + text[head.end("clients") :]
    start = found.start
    for _ in range(2):
        start -= 2 if text[:start].endswith("\r\n") else 1 if text[:start].endswith("\n") else 0
    left = text[:start] + text[found.end :]
    return left if left.strip("\r\n") else ""


def has_block(text: str, client: str) -> bool:
    """Whether the block is there, for this client. Raises: as `put_block`."""
    found = _block(text)
    return found is not None and client in found.clients


def _written(clients: tuple[str, ...], content: str, ending: str) -> str:
    head = f"<!-- ori-bridge:start {', '.join(clients)} {_NOTE} -->"
    return ending.join([head, *content.strip().splitlines(), "<!-- ori-bridge:end -->"])


def _block(text: str) -> _Block | None:
    starts, ends = [*_START.finditer(text)], [*_END.finditer(text)]
    if not starts and not ends:
        return None
    if len(starts) != 1 or len(ends) != 1 or starts[0].end() > ends[0].start():
        odd = (starts or ends)[-1]
        raise CannotEdit(
            "of the marks ori-bridge:start and ori-bridge:end there must be one each, in this order; remove what is "
            "left over.",
            *line_of(text, odd.start()),
        )
    return _Block(starts[0].start(), ends[0].end(), tuple(starts[0]["clients"].split(", ")))
