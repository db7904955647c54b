"""What lies in a tree and is not its authors' work: installed packages, vendored code, generated and minified files."""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import define, field

__all__ = ["Strangers", "why_not_written"]

_FOLDERS = {
    **dict.fromkeys(("node_modules", "bower_components", "jspm_packages"), "installed packages"),
    **dict.fromkeys(("site-packages", "dist-packages", ".venv", ".tox", ".nox", ".eggs"), "installed packages"),
    **dict.fromkeys(("vendor", "third_party", "third-party", "thirdparty"), "vendored code"),
    "__pycache__": "a cache",
}
_MARKED_BY = {"pyvenv.cfg": "a virtual environment", "CACHEDIR.TAG": "a cache"}
"""A file of this name says what its folder is."""

_NAMES = re.compile(
    r"(?:_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h|c)|_pb\.(?:js|d\.ts|ts)|\.g\.dart|\.designer\.cs)\Z", re.I
)
_MINIFIED_NAME = re.compile(r"[.-]min\.(?:m|c)?js\Z", re.IGNORECASE)
_MAY_BE_MINIFIED = (".js", ".mjs", ".cjs")
_HEAD = 4_000
_COMMENT = re.compile(rb"(?:[ \t]*(?:(?:#|//|/\*|\*|--|;|<!--|%)[^\n]*)?\n)+")
"""Comment lines at the top of a file; further down a marker may be what a program writes into others."""
_GENERATED = re.compile(
    rb"\bgenerated\b[^\n]*\bdo not (?:edit|modify)|\bdo not (?:edit|modify)\b[^\n]*\bgenerated"
    rb"|@generated\b|<auto-?generated",
    re.IGNORECASE,
)
_LONG_LINE = 5_000
_LONG_ON_AVERAGE = 500


@define
class Strangers:
    """Knows the folders that hold somebody else's files."""

    marked: dict[str, str]
    """Folders with a file that says what they are."""
    _known: dict[str, tuple[str, str] | None] = field(factory=dict)

    @classmethod
    def among(cls, paths: Iterable[str]) -> Strangers:
        """`paths`: all that is listed, since some folders are known by a file in them."""
        marked: dict[str, str] = {}
        for path in paths:
            if path.endswith(tuple(_MARKED_BY)):
                folder, _, name = path.rpartition("/")
                if folder and name in _MARKED_BY:
                    marked[folder] = _MARKED_BY[name]
        return cls(marked)

    def folder_of(self, path: str) -> tuple[str, str] | None:
        """The outermost folder of others that `path` lies in, with a slash, and what it is; None for our own files."""
        folder = path.rpartition("/")[0]
        if folder not in self._known:
            self._known[folder] = self._judge(folder)
        return self._known[folder]

    def _judge(self, folder: str) -> tuple[str, str] | None:
        if not folder:
            return None
        parent, _, name = folder.rpartition("/")
        if parent not in self._known:
            self._known[parent] = self._judge(parent)
        above = self._known[parent]
        if above is not None:
            return above
        reason = _FOLDERS.get(name) or self.marked.get(folder)
        return None if reason is None else (f"{folder}/", reason)


def why_not_written(path: str, source: bytes) -> str:
    """Why a file is taken for made by a program: generated or minified; empty where people wrote it."""
    name = path.rpartition("/")[2]
    if _NAMES.search(name):
        return "generated, by its name"
    if _MINIFIED_NAME.search(name):
        return "minified, by its name"
    top = _COMMENT.match(source, 0, _HEAD)
    marker = _GENERATED.search(source, 0, top.end()) if top is not None else None
    if marker is not None:
        line = source.count(b"\n", 0, marker.end()) + 1
        return f"generated, by its line {line}"
    if name.lower().endswith(_MAY_BE_MINIFIED) and len(source) > _LONG_LINE:
        lines = source.count(b"\n") + 1
        if len(source) > lines * _LONG_ON_AVERAGE and max(map(len, source.split(b"\n"))) > _LONG_LINE:
            return "minified, by the length of its lines"
    return ""
