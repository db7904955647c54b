"""What a Rust file brings in: use trees, modules, and paths that name a crate or a module at the place of use."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aries_kernel.contracts import Import
from aries_language_rust.modules import BY_MACRO
from aries_language_rust.uses import UseRow, use_rows
from aries_language_syntax.binding import Unbound
from aries_language_syntax.grammar import Marks
from aries_language_syntax.outline import Outline
from aries_language_syntax.text import Text

__all__ = ["Imports"]

_DECLARED = re.compile(r"((?:pub(?:\s*\([^)]*\))?\s+)?)(?:use|mod|extern\s+crate)\s+(.*?)\s*;?$", re.DOTALL)
_DECLARED_BY_MACRO = re.compile(rb"(?<![\w$'!])mod\s+(?:r#)?([A-Za-z_]\w*)\s*;")
_LINE_COMMENT = re.compile(rb"//[^\n]*")
_PATH_ATTRIBUTE = re.compile(rb"\bpath\s*=\s*\"([^\"\n]*)\"")
_ROOTS = ("crate", "super", "self")
_PRELUDE = frozenset(
    b"Some None Ok Err Option Result Vec String Box ToString ToOwned Clone Copy Drop Default Iterator IntoIterator "
    b"Extend Eq PartialEq Ord PartialOrd From Into AsRef AsMut Send Sync Sized Fn FnMut FnOnce Self self super "
    b"crate".split()
)


class Imports:
    """The rows of imports. Paths at places of use add to them while references are bound."""

    def __init__(self, marks: Marks, text: Text, outline: Outline, heads: dict[int, int]) -> None:
        self.rows: list[Import] = []
        self.bound: dict[tuple[int, bytes], int] = {}
        self.globs: dict[int, tuple[int, ...]] = {}
        self.aliases: dict[tuple[int, bytes], tuple[int, bytes]] = {}
        self.handed_on: dict[int, bool] = {}
        """Imports of the file itself that its children or its importers may ask for, and whether these may."""
        self._heads = heads
        self._text, self._symbols, self._members = text, outline.symbols, outline.members
        self._adopted: dict[tuple[str, str], int] = {}
        self._sees_all = False
        nodes = [
            (node.start_byte, node.end_byte, mark) for mark in ("use", "module", "extern") for node in marks.of(mark)
        ]
        self._rooms = _rooms(sorted(start for start, _, _ in nodes), outline)
        for start, end, mark in sorted(nodes):
            self._read(start, end, mark)
        for start, end in marks.spans("macro"):
            self._read_macro(start, end)

    def adopt(self, use: Unbound) -> tuple[int, bytes, bytes] | None:
        """An import for a path that names where it leads: `crate::a::run()`, `serde::Serialize`."""
        root, path = use.root, use.path
        after = use.start + len(root)
        is_path = bool(path) and self._text.source[after : after + 8].lstrip()[:2] == b"::"
        if is_path and (root[:1].islower() or root[:1] == b"_"):
            return self._adopt_path(use)
        if use.called[:1] == b"!":
            # Macros are seen by all that comes after them, in other files too.
            return None if path else (-1, root + b"!", path)
        return (-1, root, path) if self._sees_all and root not in _PRELUDE else None

    def _adopt_path(self, use: Unbound) -> tuple[int, bytes, bytes] | None:
        words = [use.root.decode(), *use.path.decode("utf-8", "replace").split(".")]
        words = _outside(words, self._inline(use.inside))
        size = next((place for place, word in enumerate(words) if place and word[:1].isupper()), len(words) - 1)
        while size > 1 and words[size] in _ROOTS:
            size -= 1
        if len(words) < 2:
            return None
        module, name, rest = "::".join(words[:size]), words[size], words[size + 1 :]
        place = self._adopted.get((module, name))
        if place is None:
            place = self._adopted[module, name] = len(self.rows)
            self.rows.append(Import(self._text.line(use.start), "import", module, name))
        return place, use.root, ".".join(rest).encode()

    def _inline(self, place: int) -> list[str]:
        """Names of the inline modules around a symbol, outermost first."""
        names = []
        while place >= 0:
            if self._symbols[place].kind == "namespace":
                names.append(self._symbols[place].name)
            place = self._symbols[place].parent
        return names[::-1]

    def _module(self, place: int) -> int:
        while place >= 0 and self._symbols[place].kind != "namespace":
            place = self._symbols[place].parent
        return place

    def _read(self, start: int, end: int, mark: str) -> None:
        room, line = self._rooms[start], self._text.line(start)
        text = self._text.source[start:end].decode("utf-8", "replace")
        if mark == "module" and "{" in text:
            return
        found = _DECLARED.match(text)
        if found is None:
            return
        is_public, said = bool(found[1]), found[2]
        if mark == "module":
            inline = self._inline(room)
            named = "::".join([*inline, said.removeprefix("r#")])
            for written in self._written_paths(start):
                self._add(Import(line, "module", named, "", said.removeprefix("r#"), written), room, is_public)
        elif mark == "extern":
            name, _, local = (part.strip() for part in said.partition(" as "))
            self._add(Import(line, "import", name, local=local or name), room, is_public)
        else:
            for row in use_rows(said):
                self._add_use(row, line, room, is_public)

    def _read_macro(self, start: int, end: int) -> None:
        """Modules that a macro declares for whom it is called by: in this file, or in one around it."""
        body = _LINE_COMMENT.sub(lambda found: b" " * len(found[0]), self._text.source[start:end])
        for found in _DECLARED_BY_MACRO.finditer(body):
            name, line = found[1].decode(), self._text.line(start + found.start(1))
            above = max(body.rfind(sign, 0, found.start()) for sign in (b";", b"{", b"}"))
            paths = _PATH_ATTRIBUTE.findall(body, above + 1, found.start())
            written = [path.decode("utf-8", "replace") for path in paths]
            self.rows += [Import(line, "module", name, text=f"{BY_MACRO}{path}") for path in written or [""]]

    def _written_paths(self, start: int) -> list[str]:
        """What attributes with `path = "…"` above say; several where conditions choose."""
        head = self._heads.get(start, start)
        written = _PATH_ATTRIBUTE.findall(self._text.source, head, start)
        return [path.decode("utf-8", "replace") for path in written] or [""]

    def _add_use(self, use: UseRow, line: int, room: int, is_public: bool) -> None:
        if self._is_of_this_file(use.path, use.local, room):
            return
        words = _outside(use.path, self._inline(room))
        kind = "reexport" if is_public else "import"
        if words[-1] == "*":
            self._sees_all = self._sees_all or words[0] not in ("std", "core", "alloc")
            self._add(Import(line, kind, "::".join(words[:-1]), "*"), room, is_public)
        elif len(words) == 1 or words[-1] in _ROOTS:
            self._add(Import(line, kind, "::".join(words), local=use.local), room, is_public)
        else:
            self._add(Import(line, kind, "::".join(words[:-1]), words[-1], use.local), room, is_public)

    def _is_of_this_file(self, path: tuple[str, ...], local: str, room: int) -> bool:
        """Whether a path stays within the file; then its name leads straight to symbols."""
        target, words = self._module(room), list(path)
        is_relative = words[0] in ("self", "super")
        if not is_relative and (len(words) < 2 or (target, words[0].encode()) not in self._members):
            return False
        while words and words[0] in ("self", "super"):
            if words.pop(0) == "super":
                if target < 0:
                    return False
                target = self._module(self._symbols[target].parent)
        while len(words) > 1:
            inner = self._members.get((target, words.pop(0).encode()))
            if inner is None:
                return False
            target = inner
        if not words or target == room:
            return False
        if words[0] == "*":
            self.globs[room] = (*self.globs.get(room, ()), target)
        elif local:
            self.aliases[room, local.encode()] = (target, words[0].encode())
        return True

    def _add(self, row: Import, room: int, is_public: bool) -> None:
        place = len(self.rows)
        self.rows.append(row)
        if row.local:
            self.bound.setdefault((room, row.local.encode()), place)
        if room < 0:
            self.handed_on[place] = is_public


def _outside(path: Sequence[str], inline: list[str]) -> list[str]:
    """A path as the file itself would write it, of one that is written in inline modules of it."""
    words, here, above = list(path), list(inline), []
    if words[0] not in ("self", "super"):
        return words
    while words and words[0] in ("self", "super"):
        if words.pop(0) == "super":
            if here:
                here.pop()
            else:
                above.append("super")
    return [*(above or ["self"]), *here, *words]


def _rooms(starts: list[int], outline: Outline) -> dict[int, int]:
    """The innermost symbol around each of these places."""
    rooms, stack, following = {}, [], 0
    symbols = outline.symbols
    for start in starts:
        while following < len(symbols) and symbols[following].start <= start:
            stack.append(following)
            following += 1
        while stack and symbols[stack[-1]].end <= start:
            stack.pop()
        rooms[start] = stack[-1] if stack else -1
    return rooms
