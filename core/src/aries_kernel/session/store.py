"""The folder of session logs: opened, resumed, listed by reading the files themselves. Nothing here deletes."""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

from aries_kernel import __version__
from aries_kernel.errors import StoreCorrupt, UnknownName, UserError
from aries_kernel.model.messages import UserMessage
from aries_kernel.session.entries import Opened, Resumed, UserSaid
from aries_kernel.session.log import SessionLog, read_log
from aries_kernel.session.session import History, Session

__all__ = ["SessionStore", "SessionSummary"]


@frozen
class SessionSummary:
    """A line of the list of sessions."""

    id: str
    path: Path
    cwd: str
    model: str
    opened_at: str
    changed: float
    """Seconds since the epoch of the newest write."""
    first_prompt: str
    problem: str = ""


@frozen
class SessionStore:
    """`folder` holds one `ID.jsonl` a session."""

    folder: Path
    now: Callable[[], datetime.datetime]

    def create(self, cwd: Path, model: str, *, forked_from: str | None = None, root: str | None = None) -> Session:
        """A new, empty session.

        Raises: FatalError where the folder cannot be written.
        """
        id = f"{self.now():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        session = Session(SessionLog(self.folder / f"{id}.jsonl", self.now), History())
        opened = Opened(id=id, cwd=str(cwd), model=model, version=__version__, forked_from=forked_from, root=root)
        session.record(opened)
        return session

    def resume(self, id: str, model: str | None = None) -> Session:
        """Go on with session `id` (a unique beginning will do); `model` None keeps the one it had.

        Raises: UnknownName, SessionInUse, StoreCorrupt. A log that cannot be read is left as it is.
        """
        path = self.find(id)
        log = SessionLog(path, self.now)
        try:
            session = Session(log, self._history(path))
            session.record(Resumed(model=model or session.history.model, version=__version__))
        except BaseException:
            log.close()
            raise
        return session

    def fork(self, id: str, cwd: Path, model: str | None = None) -> Session:
        """A new session that begins with the history of `id`, which may be in use and stays as it is."""
        path = self.find(id)
        old = self._history(path)
        root = (old.opened.root if old.opened else None) or path.stem
        session = self.create(cwd, model or old.model, forked_from=path.stem, root=root)
        for line in read_log(path):
            if line.entry is not None and not isinstance(line.entry, Opened | Resumed):
                session.record(line.entry)
        return session

    def history(self, id: str) -> History:
        """What session `id` holds, without owning it."""
        return self._history(self.find(id))

    def _history(self, path: Path) -> History:
        try:
            return History.of(read_log(path))
        except StoreCorrupt as error:
            raise StoreCorrupt(f"{path}: {error} The file was left as it is.") from error

    def find(self, id: str) -> Path:
        """The log of `id`, which may be shortened to a unique beginning.

        Raises: UnknownName listing the newest sessions, UserError for a beginning of several.
        """
        paths = {path.stem: path for path in self._paths()}
        if id in paths:
            return paths[id]
        matching = sorted(name for name in paths if id and name.startswith(id))
        if len(matching) > 1:
            raise UserError(f"'{id}' is the beginning of several sessions: {', '.join(matching)}.")
        if not matching:
            raise UnknownName("session", id, sorted(paths)[-20:])
        return paths[matching[0]]

    def newest(self, cwd: Path) -> str:
        """The id of the session last written in `cwd`.

        Raises: UserError where there is none.
        """
        here = [summary for summary in self.summaries() if summary.cwd == str(cwd) and not summary.problem]
        if not here:
            raise UserError(f"There is no session to continue in {cwd}. Start one with: aries -p PROMPT")
        return here[0].id

    def summaries(self) -> list[SessionSummary]:
        """All sessions, the newest first; one that cannot be read is listed with its problem."""
        return sorted(map(self._summary, self._paths()), key=lambda one: (one.changed, one.id), reverse=True)

    def _paths(self) -> list[Path]:
        return sorted(self.folder.glob("*.jsonl")) if self.folder.is_dir() else []

    def _summary(self, path: Path) -> SessionSummary:
        opened, at, prompt, problem = None, "", "", ""
        changed = path.stat().st_mtime
        try:
            for line in read_log(path):
                if isinstance(line.entry, Opened) and opened is None:
                    opened, at = line.entry, line.at
                elif isinstance(line.entry, UserSaid):
                    prompt = _one_line(line.entry.message)
                    break
        except OSError as error:
            problem = error.strerror or type(error).__name__
        if opened is None:
            return SessionSummary(path.stem, path, "", "", "", changed, "", problem or "no readable opening line")
        return SessionSummary(path.stem, path, opened.cwd, opened.model, at, changed, prompt)


def _one_line(message: UserMessage) -> str:
    text = " ".join(message.text.split())
    return text if len(text) <= 80 else text[:79] + "…"
