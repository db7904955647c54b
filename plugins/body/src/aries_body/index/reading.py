"""Reading one file: bytes, text, facts. The same code runs in this process and in workers."""

from __future__ import annotations

import functools
import sys
from hashlib import blake2b
from operator import attrgetter
from typing import NamedTuple

from aries_body.index.facts import Facts, Parts, packed
from aries_body.index.packs import Packs
from aries_body.tree.source import Source, Unreadable, decoded, read_bytes
from aries_body.tree.vendored import why_not_written
from aries_kernel.contracts import FileFacts, LanguagePack, OtherLanguage, References, TooIntricate
from aries_kernel.discovery.report import described_error
from aries_kernel.errors import UserError

__all__ = ["Reading", "Summary", "key_of", "other_reader", "read_file", "source_of", "suffix_of"]

_NONE = Parts(b"", b"", b"")
_PARENT, _SYMBOL, _BINDING = attrgetter("parent"), attrgetter("symbol"), attrgetter("binding")


class Summary(NamedTuple):
    """The few figures about a file that are always at hand."""

    language: str = ""
    """Empty: nothing is known of the file but its text."""
    lines: int = 0
    symbols: int = 0
    imports: int = 0
    references: int = 0
    error_line: int = 0
    namespace: str = ""
    note: str = ""
    """What had to be guessed when the file was read."""
    through: str = ""
    """Where the pack of the suffix said that another one is to read the file: that one's suffix, name and version."""


class Reading(NamedTuple):
    """What came of reading one file."""

    path: str
    key: bytes
    """Says what was read and by whom; empty where the file could not be read."""
    skipped: str
    """Why the file is left out; empty where it is not."""
    summary: Summary
    parts: Parts
    broken_pack: str = ""
    """The pack of this suffix cannot work at all; its reason."""
    facts: Facts | None = None
    """What `parts` say, where this process read the file and need not unpack them."""


def suffix_of(path: str) -> str:
    """The suffix in small letters without its dot; empty where the name has none."""
    name = path.rpartition("/")[2]
    stem, _, suffix = name.rpartition(".")
    return suffix.lower() if stem else ""


def key_of(source: bytes, path: str, pack: LanguagePack) -> bytes:
    """What facts are kept by: the text, the dialect or the name, the version of the pack and of Python."""
    what = path.rpartition("/")[2] if getattr(pack, "reads_names", False) else suffix_of(path)
    return blake2b(source, digest_size=16, person=_made_by(what, pack.name, pack.version)).digest()


@functools.lru_cache(4096)
def _made_by(what: str, name: str, version: str) -> bytes:
    made_by = f"{what} {name} {version} {sys.version_info[:2]}"
    return blake2b(made_by.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def source_of(place: str, path: str, most: int, packs: Packs) -> Source:
    """The text of a source file.

    Raises: Unreadable for what is no text, or was made by a program.
    """
    source = decoded(read_bytes(place, most), packs.encoding(suffix_of(path)))
    reason = why_not_written(path, source.data)
    if reason:
        raise Unreadable(reason)
    return source


def read_file(root: str, path: str, most: int, packs: Packs, twins: dict[bytes, Reading] | None = None) -> Reading:
    """Everything about the source file at `path`. Never raises for what is in a file.

    `twins`: what was read so far, by its keys; this reading is added. In some trees a fifth of the files say to the
    letter what another one says.
    """
    suffix = suffix_of(path)
    pack = packs.get(suffix)
    if pack is None:
        return _left_out(path, packs.problems.get(suffix, f"no language pack for .{suffix}"))
    try:
        source = source_of(f"{root}/{path}", path, most, packs)
    except Unreadable as error:
        return _left_out(path, str(error))
    key = key_of(source.data, path, pack)
    if twins is not None and (twin := twins.get(key)) is not None:
        # The same text may be written in another encoding.
        return twin._replace(path=path, summary=twin.summary._replace(note=source.note))
    try:
        facts, through = _read(source.data, path, pack, packs)
        uses = References.of(facts.references)
        _check(facts, uses)
        kept = packed(facts, uses)
    except TooIntricate as error:
        return _left_out(path, str(error))
    except UserError as error:
        return _left_out(path, str(error))._replace(broken_pack=str(error))
    except Exception as error:  # A pack may be anybody's code: one file it stumbles over costs that file.
        return _left_out(path, f"the language pack {pack.name} fails: {described_error(error)}")
    summary = Summary(
        facts.language,
        source.data.count(b"\n") + (not source.data.endswith(b"\n") and bool(source.data)),
        len(facts.symbols),
        len(facts.imports),
        len(facts.references),
        facts.error_line,
        facts.namespace,
        source.note,
        through,
    )
    reading = Reading(path, key, "", summary, kept.parts, facts=kept)
    if twins is not None:
        twins[key] = reading
    return reading


def other_reader(suffix: str, packs: Packs) -> str:
    """How `Summary.through` names the pack of a suffix."""
    pack = packs.get(suffix)
    return f"{suffix} {pack.name} {pack.version}" if pack is not None else f"{suffix} -"


def _read(source: bytes, path: str, pack: LanguagePack, packs: Packs) -> tuple[FileFacts, str]:
    try:
        return pack.read(source, path), ""
    except OtherLanguage as error:
        through = other_reader(error.suffix.lower(), packs)
        other = packs.get(error.suffix.lower())
    if other is None:
        return pack.read(source, path, is_final=True), through
    return other.read(source, path, is_final=True), through


def _check(facts: FileFacts, uses: References) -> None:
    """Raises: ValueError for places that are none: whoever follows one would stumble far from here."""
    for name in ("language", "namespace", "doc"):
        if not isinstance(getattr(facts, name), str):
            raise ValueError(f"the {name} is no text")
    symbols, imports = len(facts.symbols), len(facts.imports)
    places = {
        "parent of a symbol": (max(map(_PARENT, facts.symbols), default=-1), symbols),
        "symbol of an export": (max(map(_SYMBOL, facts.exports), default=-1), symbols),
        "binding of an export": (max(map(_BINDING, facts.exports), default=-1), imports),
        "symbol of a reference": (max(map(_SYMBOL, uses.asked), default=-1), symbols),
        "binding of a reference": (max(map(_BINDING, uses.asked), default=-1), imports),
        "place of a reference": (max(uses.insides, default=0) - 1, symbols),
    }
    for name, (last, count) in places.items():
        if last >= count:
            raise ValueError(f"the {name} is number {last}, and there are {count}")


def _left_out(path: str, reason: str) -> Reading:
    return Reading(path, b"", reason, Summary(), _NONE)
