"""What a link leads to. The one resolver: the index, the graph, `ori mv` and every query ask it.

A target is tried as these, and the first that any note answers to decides:

1. the note's path, whole, or relative to the note that holds the link (`./`, `../`, `/` and markdown links);
2. the end of its path, or its name alone;
3. its title; 4. one of its aliases; 5. any of these as a slug (`[[My Note]]` and my-note.md);
6. the folder whose page it is (index.md, README.md, or a note with the folder's name);
7. the day whose page it is (`[[May 3rd, 2024]]` and 2024_05_03.md).

Within one of them a name in the same case wins over one in another. Whoever is left are the candidates, in this order:
same folder, root, fewest folders, shortest path, name. More than one is ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ori_memory.links._matching import Match, best_match
from ori_memory.links.names import NamedNote, is_attachment, keys_for, keys_of, names_of
from ori_memory.model import Link, LinkKind, Resolution

__all__ = ["NamedNote", "Resolver", "decide", "keys_for", "keys_of", "names_of"]


class Resolver:
    """Names of all notes, in memory; notes come and go."""

    def __init__(self) -> None:
        self._notes: dict[str, NamedNote] = {}
        self._paths_by_name: dict[str, dict[str, None]] = {}

    @classmethod
    def of(cls, notes: Iterable[NamedNote]) -> Resolver:
        """One that knows these notes."""
        resolver = cls()
        for note in notes:
            resolver.add(note)
        return resolver

    @property
    def notes(self) -> Mapping[str, NamedNote]:
        """By path."""
        return self._notes

    def add(self, note: NamedNote) -> None:
        """The note is there now, or its names changed."""
        if note.path in self._notes:
            self.remove(note.path)
        self._notes[note.path] = note
        for name in names_of(note):
            self._paths_by_name.setdefault(name, {})[note.path] = None

    def remove(self, path: str) -> None:
        """The note is gone; nothing happens where it never was."""
        note = self._notes.pop(path, None)
        if note is None:
            return
        for name in names_of(note):
            paths = self._paths_by_name[name]
            del paths[path]
            if not paths:
                del self._paths_by_name[name]

    def resolve(self, link: Link, source: str) -> Resolution:
        """What `link`, found in the note at `source`, leads to."""
        return decide(link, source, self._answering(keys_of(link, source)))

    def match(self, link: Link, source: str) -> Match:
        """Like `resolve`, with how the note was found."""
        return best_match(link, source, self._answering(keys_of(link, source)))

    def _answering(self, keys: Iterable[str]) -> list[NamedNote]:
        paths: dict[str, None] = {}
        for key in keys:
            paths.update(self._paths_by_name.get(key, {}))
        return [self._notes[path] for path in paths]


def decide(link: Link, source: str, notes: Iterable[NamedNote]) -> Resolution:
    """The resolution among `notes`: all that share one of `keys_of(link, source)`; others do no harm."""
    if not link.target:
        return Resolution(source, (source,))
    paths = best_match(link, source, notes).paths
    if not paths:
        is_image = link.kind is LinkKind.MARKDOWN_EMBED
        return Resolution(None, is_attachment=is_image or is_attachment(link.target))
    return Resolution(paths[0], paths)
