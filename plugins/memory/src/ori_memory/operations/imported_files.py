"""Files that are taken over at their own place: what they become here, so that their links lead where they did."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import IO
from urllib.parse import quote

from attrs import define, field, frozen

from aries_kernel.contracts.importer import ImportedFile, Loss
from ori_memory.links.resolving import NamedNote, Resolver
from ori_memory.links.scanning import FoundLink, scan_links
from ori_memory.model import Link, LinkKind, ParsedNote
from ori_memory.notes.code import find_code
from ori_memory.notes.lines import LineCounter, flatten
from ori_memory.notes.naming import stem_of
from ori_memory.notes.parsing import parse_note
from ori_memory.notes.properties import read_properties
from ori_memory.notes.text import NoteText, UnwritableText, decode_note
from ori_memory.operations.provenance import SourceKey, with_source
from ori_memory.scanning.walk import scan_notes
from ori_memory.vault.vault import Vault

__all__ = ["FileImport", "Prepared", "SourceLinks"]

_CHUNK = 1 << 20


@frozen
class Prepared:
    """What is to be written, and what could not be kept as it was."""

    chunks: Callable[[], Iterator[bytes]]
    losses: tuple[Loss, ...] = ()


@define
class SourceLinks:
    """Both places that links are looked up in: the source as it is, and the vault as it will be."""

    folder: str
    there: Resolver = field(factory=Resolver)
    here: Resolver = field(factory=Resolver)
    diverted: list[Loss] = field(factory=list)
    """Links of notes that were here before and that a new note takes over, or may; those notes are not touched."""

    @classmethod
    def of(cls, vault: Vault, folder: str, files: Iterable[ImportedFile]) -> SourceLinks:
        """Reads the names of all notes on both sides. Imported files that cannot be read are told of in their turn."""
        links = cls(folder)
        written: list[tuple[str, Link]] = []
        most = vault.config.index.max_bytes
        for stamp in scan_notes(vault.root, vault.config.index.skip).files:
            if stamp.size > most:
                # For the index it is no note, so no link leads to it and none from it counts.
                reason = (
                    f"it has {stamp.size:,} bytes and index.max_bytes allows {most:,}: its links were not looked at"
                )
                links.diverted.append(Loss(stamp.path, reason))
                continue
            try:
                parsed = _parsed(stamp.path, (vault.root / stamp.path).read_bytes())
            except OSError as error:
                reason = f"cannot be read ({error.strerror}): whether its links lead elsewhere now was not seen"
                links.diverted.append(Loss(stamp.path, reason))
                continue
            links.here.add(NamedNote(stamp.path, parsed.title, parsed.aliases))
            written += [(stamp.path, link) for link in parsed.links if link.target]
        before = [links.here.resolve(link, path).path for path, link in written]
        links._add(vault, files)
        for (path, link), meant in zip(written, before, strict=True):
            now = links.here.resolve(link, path).path
            if meant is not None and now != meant:
                reason = f"line {link.line}: the link to '{link.target}' meant {meant} and now means {now}"
                links.diverted.append(Loss(path, reason))
        return links

    def _add(self, vault: Vault, files: Iterable[ImportedFile]) -> None:
        for file in files:
            if file.is_note:
                try:
                    data = _content(file, vault.config.index.max_bytes)
                except OSError:
                    continue
                parsed = _parsed(file.path, data or b"")
                self.there.add(NamedNote(file.path, parsed.title, parsed.aliases))
                if data is not None:
                    self.here.add(NamedNote(f"{self.folder}/{file.path}", parsed.title, parsed.aliases))

    def mended(self, path: str, text: str) -> tuple[str, int]:
        """The text of the note at `path` with links that would lead elsewhere naming their note by its path."""
        head = read_properties(text)
        flat = flatten(text)
        found = scan_links(flat, head.block, find_code(flat, head.body_start), LineCounter(flat))
        pieces, last, count = [], 0, 0
        for one in found:
            target = self._new_target(path, one)
            if target is not None:
                pieces += [text[last : one.target_start], target]
                last, count = one.target_end, count + 1
        return "".join([*pieces, text[last:]]), count

    def _new_target(self, path: str, found: FoundLink) -> str | None:
        meant = self.there.resolve(found.link, path).path
        if meant is None or not found.link.target or found.quote:
            return None
        if self.here.resolve(found.link, f"{self.folder}/{path}").path == f"{self.folder}/{meant}":
            return None
        if found.link.kind in (LinkKind.WIKI, LinkKind.EMBED):
            return f"{self.folder}/{meant}".removesuffix(".md")
        relative = PurePosixPath(os.path.relpath(meant, PurePosixPath(path).parent)).as_posix()
        return relative if found.is_angled else quote(relative, safe="/-_.~!$&'*+,;=:@")


@frozen
class FileImport:
    """One file on its way into the vault."""

    client: str
    origin: str
    """The name of the source."""
    folder: str
    file: ImportedFile
    links: SourceLinks

    @property
    def target(self) -> str:
        return f"{self.folder}/{self.file.path}"

    def look(self, vault: Vault, known: Mapping[SourceKey, str]) -> Prepared | Loss | None:
        """What to write; a loss where it cannot be; None: it is here already.

        Raises: OutsideVault.
        """
        place = vault.locate(self.target)
        try:
            data = _content(self.file, vault.config.index.max_bytes) if self.file.is_note else None
            if data is None:
                if place.exists():
                    return self._compare(place.stat().st_size, lambda: _chunks_of(place.open("rb")))
                large = (Loss(self.file.path, "too large for a note; it was copied as it is"),)
                return Prepared(lambda: _chunks_of(self.file.open_bytes()), large if self.file.is_note else ())
        except OSError as error:
            return Loss(self.file.path, f"it cannot be read: {error.strerror or error}")
        key = SourceKey(file=f"{self.origin}/{self.file.path}")
        mark = hashlib.sha256(data).hexdigest()[:16]
        if key in known:
            if known[key] == mark:
                return None
            return Loss(self.file.path, "it has changed since it was imported; the note here was left as it is")
        fresh, losses = self._rewritten(data, key, mark)
        if place.exists():
            if place.is_file() and place.read_bytes() in (data, fresh):
                return None
            return Loss(self.file.path, f"{self.target} is there already and differs; it was left as it is")
        return Prepared(lambda: iter([fresh]), losses)

    def _compare(self, size: int, chunks: Callable[[], Iterator[bytes]]) -> Loss | None:
        ours, theirs = hashlib.sha256(), hashlib.sha256()
        for chunk in chunks():
            ours.update(chunk)
        for chunk in _chunks_of(self.file.open_bytes()):
            theirs.update(chunk)
        if ours.digest() == theirs.digest():
            return None
        return Loss(self.file.path, f"{self.target} is there already ({size:,} bytes) and differs; it stays")

    def _rewritten(self, data: bytes, key: SourceKey, mark: str) -> tuple[bytes, tuple[Loss, ...]]:
        read: NoteText = decode_note(data)
        text, _ = self.links.mended(self.file.path, read.text)
        marked = with_source(text, self.client, key, mark)
        losses = []
        if marked is None:
            losses.append(Loss(self.file.path, "nothing can be added to its head; it was copied without its source"))
        try:
            return read.encode(text if marked is None else marked), tuple(losses)
        except UnwritableText as error:
            return data, (*losses, Loss(self.file.path, f"it was copied as it is: {error}"))


def _parsed(path: str, data: bytes) -> ParsedNote:
    return parse_note(decode_note(data).text, stem_of(path))


def _content(file: ImportedFile, most: int) -> bytes | None:
    """The file's bytes; None: more than a note may have."""
    with file.open_bytes() as opened:
        data = opened.read(most + 1)
    return data if len(data) <= most else None


def _chunks_of(opened: IO[bytes]) -> Iterator[bytes]:
    with opened as file:
        while chunk := file.read(_CHUNK):
            yield chunk
