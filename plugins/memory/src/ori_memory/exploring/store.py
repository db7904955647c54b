"""Navigated explorations on disk: one file each, for command line and server alike (spec G.9-109)."""

from __future__ import annotations

import contextlib
import datetime
import json
import re
from collections.abc import Iterator
from pathlib import Path

from attrs import asdict, define, evolve
from cattrs.errors import BaseValidationError

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import UserError
from aries_kernel.structuring import strict_converter
from ori_memory.exploring.session import Session

__all__ = ["LIFETIME", "SessionStore"]

LIFETIME = datetime.timedelta(hours=24)
"""After the last use."""
_ID = re.compile(r"exp-[0-9a-z]{1,64}")
_PATIENCE = 60.0
"""Seconds to wait for another client; each holds the lock for one step."""


@define
class SessionStore:
    """Sessions below one folder. May be used by several processes at once: whoever changes one holds the lock."""

    folder: Path
    now: datetime.datetime

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """Nobody else changes a session meanwhile; the lock ends with the process, however that ends.

        Raises: UserError where the vault cannot be written, or another client keeps the lock.
        """
        import filelock

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = filelock.FileLock(self.folder / "explorations.lock")
            lock.acquire(timeout=_PATIENCE)
        except filelock.Timeout as error:
            raise UserError(
                f"Another client has been using the explorations of this vault for {_PATIENCE:.0f} s. Try again."
            ) from error
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            yield
        finally:
            lock.release()

    def save(self, session: Session) -> Session:
        """Keep it, with the time of now; the file is whole or as it was. Raises: UserError."""
        session = evolve(session, touched=self.now.astimezone(datetime.UTC).isoformat(timespec="seconds"))
        text = json.dumps(asdict(session), ensure_ascii=False, indent=1) + "\n"
        try:
            replace_bytes(self._path(session.id), text.encode("utf-8", "replace"), mode=0o600)
        except OSError as error:
            raise self._unwritable(error) from error
        return session

    def load(self, id: str) -> Session:
        """Raises: UserError for one that is not there, expired or damaged."""
        if not _ID.fullmatch(id):
            raise self._unknown(id)
        try:
            session = self._read(self._path(id))
        except FileNotFoundError as error:
            raise self._unknown(id) from error
        if self._is_expired(session):
            known = ", ".join(self.ids()) or "none"
            raise UserError(f"The exploration {id} has expired; it was last used {session.touched}. Known: {known}.")
        return session

    def _unknown(self, id: str) -> UserError:
        known = self.ids()
        going_on = f"Those that go on: {', '.join(known)}." if known else "None goes on; begin one with a question."
        return UserError(
            f"There is no exploration '{id[:80]}' in this vault: it was never begun here, or has been unused for "
            f"{LIFETIME.total_seconds() / 3600:.0f} hours. {going_on}"
        )

    def ids(self) -> list[str]:
        """Those that can be gone on with."""
        return [session.id for session in self._all() if not self._is_expired(session) and not session.is_concluded]

    def sweep(self) -> int:
        """Remove what has expired; how many. Call it with the lock held."""
        gone = [session for session in self._all() if self._is_expired(session)]
        for session in gone:
            self._path(session.id).unlink(missing_ok=True)
        return len(gone)

    def _all(self) -> Iterator[Session]:
        for path in sorted(self.folder.glob("exp-*.json")) if self.folder.is_dir() else ():
            with contextlib.suppress(UserError, FileNotFoundError):
                yield self._read(path)

    def _read(self, path: Path) -> Session:
        try:
            session = strict_converter().structure(json.loads(path.read_text(encoding="utf-8")), Session)
            self._touched(session)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise UserError(f"{path} cannot be read: {error.strerror}.") from error
        except (ValueError, BaseValidationError) as error:
            raise UserError(f"{path} is no exploration of this version. Remove it and start anew.") from error
        if session.id != path.stem:
            raise UserError(f"{path} holds another exploration, {session.id}. Remove it and start anew.")
        return session

    def _is_expired(self, session: Session) -> bool:
        return self._touched(session) + LIFETIME < self.now

    def _touched(self, session: Session) -> datetime.datetime:
        moment = datetime.datetime.fromisoformat(session.touched)
        return moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)

    def _path(self, id: str) -> Path:
        return self.folder / f"{id}.json"

    def _unwritable(self, error: OSError) -> UserError:
        return UserError(
            f"An exploration that goes on needs a vault that can be written: {self.folder}: {error.strerror}. "
            "`ori explore` answers without one."
        )
