"""The scripts of a component: in which language they are, and the dialect that reads all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aries_language_javascript.dialects import SCRIPT
from aries_language_typescript.dialects import JSX, PLAIN

if TYPE_CHECKING:
    from collections.abc import Collection

    from aries_language_components.markup import Tag
    from aries_language_components.weaving import Woven
    from aries_language_javascript.dialect import Dialect

__all__ = ["add_script", "dialect_of", "language_of"]

_LANGUAGES = {
    "": "js",
    "babel": "js",
    "javascript": "js",
    "js": "js",
    "jsx": "jsx",
    "module": "js",
    "text/babel": "js",
    "text/javascript": "js",
    "text/typescript": "ts",
    "ts": "ts",
    "tsx": "tsx",
    "typescript": "ts",
}


def language_of(tag: Tag, source: bytes) -> str | None:
    """`js`, `jsx`, `ts` or `tsx`; None for what is none of them."""
    said = tag.text(source, b"lang") or tag.text(source, b"type") or b""
    return _LANGUAGES.get(said.decode("utf-8", "replace").strip().lower())


def dialect_of(languages: Collection[str]) -> Dialect:
    """What takes scripts in all of these languages: they see each other, and are read as one program."""
    if "tsx" in languages or {"ts", "jsx"} <= set(languages):
        return JSX
    return PLAIN if "ts" in languages else SCRIPT


def add_script(woven: Woven, start: int, end: int, *, is_module: bool) -> None:
    """Copies a script. `is_module`: what stands in it belongs to the file, not to the component."""
    first = woven.size
    woven.copy(start, end)
    woven.say(b";")
    if is_module:
        woven.module.append((first, woven.size))
