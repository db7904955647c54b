"""Importing: what an importer gives becomes notes, each once, never over anything."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import define, field, frozen

from aries_kernel.atomic import create_file, remove_abandoned
from aries_kernel.contracts.importer import ImportedFile, ImportedNote, Importer, Loss
from aries_kernel.errors import UserError
from ori_memory.notes.naming import comparable, file_name
from ori_memory.operations.classifying import describe
from ori_memory.operations.imported_files import FileImport, SourceLinks
from ori_memory.operations.provenance import SourceKey, known_sources, source_line, yaml_text
from ori_memory.operations.writing import writing
from ori_memory.vault.vault import Vault

__all__ = ["ImportReport", "import_notes"]


@frozen
class ImportReport:
    """What an import did, or would do."""

    importer: str
    source: str
    imported: tuple[str, ...]
    """Paths in the vault, notes and files."""
    already: int
    """Things that an earlier import brought, or that are there with the same content."""
    losses: tuple[Loss, ...]
    is_dry_run: bool


def import_notes(
    vault: Vault,
    importer: Importer,
    source: Path,
    *,
    today: datetime.date,
    is_dry_run: bool = False,
    make_id: Callable[[], str] = lambda: secrets.token_hex(10),
) -> ImportReport:
    """Import everything in `source`; what is there already stays as it is.

    Ended halfway, by a kill too, it may simply be started again.
    Raises: UserError where the source cannot be read at all, the vault cannot be written, or another import runs.
    """
    source = source.resolve()
    _refuse_itself(vault, source)
    with contextlib.ExitStack() as stack:
        if not is_dry_run:
            stack.enter_context(_alone(vault))
        run = _Run(vault, importer, source.name, _folder(vault, importer.into, source), today, is_dry_run, make_id)
        try:
            run.take(importer.read(source))
        except OSError as error:
            raise UserError(
                f"{error.filename or vault.root} cannot be written: {error.strerror}. What was imported before is "
                "kept; free the place and import again."
            ) from error
    return ImportReport(importer.name, str(source), tuple(run.imported), run.already, tuple(run.losses), is_dry_run)


def _refuse_itself(vault: Vault, source: Path) -> None:
    if source == vault.root or source in vault.root.parents or vault.root in source.parents:
        raise UserError(f"{source} and the vault {vault.root} lie in each other; an import would read what it writes.")


def _folder(vault: Vault, into: str, source: Path) -> str:
    """The folder of the import; a vault without `notes/`, as an adopted one, takes it at its root."""
    named = into.replace("{source}", file_name(source.name.lstrip(".") or "import", lambda name: False)[: -len(".md")])
    first, _, rest = named.partition("/")
    return rest if rest and not (vault.root / first).is_dir() else named


@contextlib.contextmanager
def _alone(vault: Vault) -> Iterator[None]:
    import filelock

    lock = filelock.FileLock(vault.state_folder / "import.lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout as error:
        raise UserError(f"Another import into {vault.root} is running. Wait until it is done.") from error
    try:
        yield
    finally:
        lock.release()


@define
class _Run:
    vault: Vault
    importer: Importer
    origin: str
    folder: str
    today: datetime.date
    is_dry_run: bool
    make_id: Callable[[], str]
    imported: list[str] = field(factory=list)
    already: int = 0
    losses: list[Loss] = field(factory=list)
    _known: dict[SourceKey, str] = field(init=False)
    _taken: set[str] = field(init=False)
    _tidied: set[Path] = field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        self._known = known_sources(self.vault, self.importer.name)
        self._taken = self._names_taken()

    def take(self, items: Iterator[ImportedNote | ImportedFile | Loss]) -> None:
        files: list[ImportedFile] = []
        for item in items:
            if isinstance(item, Loss):
                self.losses.append(item)
            elif isinstance(item, ImportedFile):
                files.append(item)  # Only its name; it is opened when its turn comes.
            else:
                self._take_note(item)
        if files:
            links = SourceLinks.of(self.vault, self.folder, files)
            self.losses += links.diverted
            for file in files:
                self._take_file(FileImport(self.importer.name, self.origin, self.folder, file, links))

    def _take_note(self, note: ImportedNote) -> None:
        mark = hashlib.sha256(note.body.encode("utf-8", "replace")).hexdigest()[:16]
        name = note.key or f"sha256:{mark}"
        key = SourceKey(session=name) if note.is_session else SourceKey(file=name)
        if key in self._known:
            self._pass_over(note, changed=self._known[key] not in ("", mark))
            return
        if note.created is None and note.is_session:
            self.losses.append(Loss(note.title, "it has no date; the day of the import was taken"))
        name = file_name(note.title, lambda name: comparable(name) in self._taken)
        text = self._text(note, key, mark)
        path = f"{self.folder}/{name}"
        while not self._write(path, text.encode("utf-8", "replace")):
            self._taken.add(comparable(name))
            name = file_name(note.title, lambda name: comparable(name) in self._taken)
            path = f"{self.folder}/{name}"
        self._taken.add(comparable(name))
        self._known[key] = mark
        self.imported.append(path)

    def _pass_over(self, note: ImportedNote, *, changed: bool) -> None:
        if changed:
            self.losses.append(Loss(note.title, "it has changed since it was imported; the note stays as it is"))
        else:
            self.already += 1

    def _text(self, note: ImportedNote, key: SourceKey, mark: str) -> str:
        head: dict[str, object] = {
            "id": self.make_id(),
            "title": note.title,
            "description": describe(note.title, note.body),
            "type": "insight",
            "status": "inbox" if self.folder.split("/")[0] == "inbox" else "active",
            "created": note.created or self.today,
            **note.properties,
        }
        lines = [f"{name}: {yaml_text(value)}" for name, value in head.items()]
        lines.append(source_line("source", self.importer.name, key, mark))
        body = note.body.strip("\n")
        return "\n".join(["---", *lines, "---", "", f"# {note.title}", "", body, ""])

    def _take_file(self, job: FileImport) -> None:
        try:
            found = job.look(self.vault, self._known)
            if isinstance(found, Loss):
                self.losses.append(found)
            elif found is None:
                self.already += 1
            elif self._write(job.target, found.chunks):
                self.imported.append(job.target)
                self.losses += found.losses
            else:
                self.losses.append(Loss(job.file.path, f"{job.target} appeared meanwhile; it was left as it is"))
        except (UserError, UnicodeError) as error:
            self.losses.append(Loss(job.file.path, str(error)))

    def _write(self, path: str, content: bytes | Callable[[], Iterator[bytes]]) -> bool:
        """Whether the file is new; False: the name is taken."""
        place = self.vault.locate(path)
        if self.is_dry_run:
            return not place.exists()
        with writing(self.vault):
            if place.parent not in self._tidied:
                place.parent.mkdir(parents=True, exist_ok=True)
                remove_abandoned(place.parent)
                self._tidied.add(place.parent)
            try:
                create_file(place, [content] if isinstance(content, bytes) else content())
            except FileExistsError:
                return False
        return True

    def _names_taken(self) -> set[str]:
        place = self.vault.locate(self.folder)
        return {comparable(file.name) for file in place.iterdir()} if place.is_dir() else set()
