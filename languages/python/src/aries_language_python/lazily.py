"""What a package hands out only when it is asked for, by `lazy_loader`: names of its stub, or of a table."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from aries_kernel.contracts import Import

__all__ = ["STUB", "read_lazy_imports"]

STUB = ".__init__"
"""The module of an import that means the stub beside a package's own file."""
_ATTACHED = re.compile(rb"(?<![\w])attach(_stub)?\(\s*__name__\s*,")
_LONGEST = 60_000
"""Bytes of one table."""
_MOST = 20
"""Tables of a file; a package has one."""


def read_lazy_imports(source: bytes, code: bytes, line_at: Callable[[int], int]) -> Iterator[Import]:
    """Rows of what `attach` and `attach_stub` name. `code` is the source without texts and comments."""
    for call in islice(_ATTACHED.finditer(code), _MOST) if b"attach" in code else ():
        line = line_at(call.start())
        if call[1]:
            yield Import(line, "import", STUB, "*")
            continue
        end = _end(code, call.start())
        for module, name in _said(source[call.start() : end]):
            yield Import(line, "import", module, name, name)


def _end(code: bytes, start: int) -> int:
    depth = 0
    for place in range(start, min(len(code), start + _LONGEST)):
        depth += (code[place] in b"([{") - (code[place] in b")]}")
        if not depth and code[place] == 41:
            return place + 1
    return start


def _said(call: bytes) -> Iterator[tuple[str, str]]:
    try:
        node = ast.parse(call.decode("utf-8", "replace"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    if not isinstance(node, ast.Call):
        return
    given: dict[str | None, ast.expr] = dict(zip(("name", "submodules", "submod_attrs"), node.args, strict=False))
    given |= {one.arg: one.value for one in node.keywords}
    for name in _literal(given.get("submodules")) or ():
        if isinstance(name, str):
            yield ".", name
    table = _literal(given.get("submod_attrs"))
    for module, names in table.items() if isinstance(table, dict) else ():
        if isinstance(module, str) and isinstance(names, list | tuple | set):
            yield from ((f".{module}", name) for name in sorted(map(str, names)))


def _literal(node: ast.expr | None) -> Any:
    try:
        found = ast.literal_eval(node) if node is not None else None
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
    return sorted(map(str, found)) if isinstance(found, set | frozenset) else found
