"""What of a namespace can be had again in another process, taken after every execution while there is still time.

Imports, functions and classes are kept as source, other values pickled. Both are brought back in a body as confined as
the one they come from; the host only holds them, as text that it never reads.
"""

from __future__ import annotations

import ast
import base64
import io
import pickle
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from aries_body.repl.display import cut

__all__ = ["Keeper"]

_LARGEST = 1_000_000
"""Bytes of one value that is kept."""
_ALL_TOGETHER = 4_000_000
_MOST_NAMES = 2_000


class _TooLarge(Exception):
    pass


class _Bounded(io.RawIOBase):
    """Takes bytes up to a limit, so that pickling a large value ends early."""

    def __init__(self, limit: int) -> None:
        self._limit, self.pieces, self.size = limit, list[bytes](), 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.size += len(data)
        if self.size > self._limit:
            raise _TooLarge
        self.pieces.append(bytes(data))
        return len(data)


class Keeper:
    """Follows one namespace. `own` are the names that were there before any user code."""

    def __init__(self, namespace: dict[str, Any], own: Mapping[str, Any]) -> None:
        self._namespace, self._own = namespace, dict(own)
        self._sources: dict[str, tuple[str, object]] = {}
        self._hashes: dict[str, int] = {}
        self._large: dict[str, int] = {}
        self._told: dict[str, str] = {}

    def note(self, tree: ast.Module, code: str) -> None:
        """Remember the source of what a finished execution defined."""
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
                source = _source(node, code)
                for name in _bound(node):
                    if name in self._namespace:
                        self._sources[name] = (source, self._namespace[name])

    def changes(self) -> dict[str, Any]:
        """What is new since this was asked last: `values`, `sources`, `lost` (name and type), `gone`."""
        values: dict[str, str] = {}
        sources: dict[str, str] = {}
        lost: dict[str, str] = {}
        names = [name for name in self._namespace if not self._is_own(name)][:_MOST_NAMES]
        budget = _ALL_TOGETHER
        for name in names:
            value = self._namespace[name]
            source, defined = self._sources.get(name, ("", None))
            if source and defined is value:
                sources[name] = source
                continue
            data = self._pickled(name, value, budget)
            if data is None:
                lost[name] = type(value).__name__
                continue
            budget -= len(data)
            values[name] = base64.b85encode(data).decode("ascii")
        return self._news(values, sources, lost)

    def restore(self, values: Mapping[str, str], sources: Mapping[str, str]) -> dict[str, str]:
        """Bring back what was kept; gives the names that did not come back, with the reason."""
        failed: dict[str, str] = {}
        for source in dict.fromkeys(sources.values()):
            names = [name for name, one in sources.items() if one == source]
            try:
                tree = ast.parse(source)
                exec(compile(tree, "<restored>", "exec"), self._namespace)
                self.note(tree, source)
            except Exception as error:  # user code
                failed.update(dict.fromkeys(names, _reason(error)))
        for name, data in values.items():
            try:
                self._namespace[name] = pickle.loads(base64.b85decode(data))
            except Exception as error:  # user code
                failed[name] = _reason(error)
        return failed

    def _is_own(self, name: str) -> bool:
        is_given = name in self._own and self._namespace[name] is self._own[name]
        return is_given or name == "_" or (name.startswith("__") and name.endswith("__"))

    def _pickled(self, name: str, value: object, budget: int) -> bytes | None:
        if isinstance(value, ModuleType) or self._large.get(name) == id(value):
            return None
        target = _Bounded(min(_LARGEST, budget))
        try:
            pickle.Pickler(target, protocol=5).dump(value)
        except _TooLarge:
            self._large[name] = id(value)
            return None
        except Exception:  # Whatever a foreign class raises here means that it cannot be kept; it is named as lost.
            return None
        return b"".join(target.pieces)

    def _news(self, values: dict[str, str], sources: dict[str, str], lost: dict[str, str]) -> dict[str, Any]:
        before = self._told
        self._told = {**dict.fromkeys(values, "value"), **dict.fromkeys(sources, "source"), **lost}
        hashes = {name: hash(text) for name, text in (*values.items(), *sources.items())}
        old, self._hashes = self._hashes, hashes
        return {
            "values": {name: text for name, text in values.items() if old.get(name) != hashes[name]},
            "sources": {name: text for name, text in sources.items() if old.get(name) != hashes[name]},
            "lost": {name: kind for name, kind in lost.items() if before.get(name) != kind},
            "gone": [name for name in before if name not in self._told],
        }


def _source(node: ast.stmt, code: str) -> str:
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    lines = code.split("\n")
    if node.col_offset or first == node.lineno:
        return ast.get_source_segment(code, node) or ast.unparse(node)
    return "\n".join(lines[first - 1 : node.end_lineno])


def _bound(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [one.asname or one.name.partition(".")[0] for one in node.names]
    return [node.name] if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else []


def _reason(error: Exception) -> str:
    return cut(f"{type(error).__name__}: {error}", 200)
