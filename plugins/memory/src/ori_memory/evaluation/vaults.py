"""Vaults made of documents, kept from one run to the next, since their embeddings take minutes."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs
from attrs import frozen

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import UserError
from ori_memory import cache_folder as caches
from ori_memory.evaluation.dataset import Document
from ori_memory.evaluation.note_text import WRITER_VERSION, note_name, note_text, targets_of, written_day
from ori_memory.notes.naming import slug
from ori_memory.vault.finding import FORMAT
from ori_memory.vault.vault import MARKER, Vault

__all__ = ["KeptVault", "cache_folder", "forget_broken", "keep_vault"]

_MAPPING = "documents.json"
_UNDATED = datetime.date(2020, 1, 1)
_WAIT = 600


@frozen
class KeptVault:
    """A vault on disk and which document each note is."""

    vault: Vault
    documents: Mapping[str, str]
    """Path of the note: id of the document."""
    today: datetime.date
    """The day after the last document, so that a question about `last week` means the same in every run."""


def cache_folder() -> Path:
    """Where vaults are kept unless another folder is named."""
    return caches.cache_folder() / "eval"


def keep_vault(label: str, documents: Sequence[Document], folder: Path) -> KeptVault:
    """The vault of these documents below `folder`: the one that is there, or a new one.

    A new one is written beside its place and moved there when it is whole. It has no settings file, so that the
    defaults of the code that runs hold.
    Raises: UserError where it cannot be written.
    """
    from filelock import FileLock, Timeout

    digest = _digest(documents)
    place = folder / f"{slug(label)[:60] or 'set'}-{digest[:16]}"
    try:
        if not (place / _MAPPING).is_file():
            folder.mkdir(parents=True, exist_ok=True)
            with FileLock(folder / ".lock", timeout=_WAIT):
                if not (place / _MAPPING).is_file():
                    _write(place, digest, documents)
        mapping = json.loads((place / _MAPPING).read_text(encoding="utf-8"))
    except Timeout as error:
        raise UserError(f"{place} is being written by another process for {_WAIT} s. Try again later.") from error
    except (OSError, ValueError) as error:
        raise UserError(f"The vault for the evaluation at {place} cannot be used: {error}. Remove it.") from error
    return KeptVault(Vault(place / "vault", digest[:16]), mapping, _after(documents))


def forget_broken(vault: Vault) -> None:
    """Remove what was set aside of a kept vault's index, by another version mostly: nothing in it is anybody's."""
    for file in vault.state_folder.glob(f"{vault.index_path.name}.broken-*"):
        with contextlib.suppress(OSError):  # Somebody has it open; the next evaluation removes it.
            file.unlink()


def _digest(documents: Sequence[Document]) -> str:
    made = hashlib.sha256(f"{WRITER_VERSION}\n".encode())
    for document in documents:
        made.update(json.dumps(attrs.astuple(document)).encode("utf-8") + b"\n")
    return made.hexdigest()


def _after(documents: Sequence[Document]) -> datetime.date:
    days = [day for document in documents if (day := written_day(document)) is not None]
    return max(days, default=_UNDATED) + datetime.timedelta(days=1)


def _write(place: Path, digest: str, documents: Sequence[Document]) -> None:
    for unfinished in (place.with_name(f".{place.name}.part"), place):
        if unfinished.exists():
            shutil.rmtree(unfinished)
    made = place.with_name(f".{place.name}.part")
    root = made / "vault"
    (root / MARKER).parent.mkdir(parents=True)
    (root / MARKER).write_text(json.dumps({"id": digest[:16], "format": FORMAT}) + "\n", encoding="utf-8")
    names = {document.id: note_name(number, len(documents)) for number, document in enumerate(documents, 1)}
    targets = targets_of(names, {document.id: document.title for document in documents})
    for document in documents:
        note = root / names[document.id]
        note.write_text(note_text(document, targets), encoding="utf-8", newline="")
        # Where a note says no date its file does, and that must not depend on when it was written here.
        day = written_day(document) or _UNDATED
        moment = datetime.datetime.combine(day, datetime.time(12), datetime.UTC).timestamp()
        os.utime(note, (moment, moment))
    mapping = {name: id for id, name in names.items()}
    replace_bytes(made / _MAPPING, json.dumps(mapping, ensure_ascii=False, indent=0).encode("utf-8"))
    made.replace(place)
