"""The learned store on a PostgreSQL server: one memory, shared by agents on many machines."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from aries_kernel.errors import UserError
from ori_memory.learned import statements
from ori_memory.learned.census import Census
from ori_memory.learned.schema import REVISION
from ori_memory.learned.tables import EXPORTED, Table

if TYPE_CHECKING:
    import sqlalchemy as sa

    from ori_memory.learned.connecting import Connection, Rows

__all__ = ["ServerKeeper"]

T = TypeVar("T")

_SETTING = "learning.url (or ORI_LEARNED_URL, which comes before it)"
_SECONDS = 5
"""How long a server is waited for that does not answer, and how long a lock of another agent."""
_AWAY_SECONDS = 30.0
"""A server that was away is not asked again for so long: whoever asks waits for it once."""
_TABLES = {table.name: table for table in EXPORTED}


class ServerKeeper:
    """The store of one vault at one server, in a schema of its own. Any number of agents may use it at once.

    Writers come one after the other, as in a file. A server that is away is told; reading goes on without it.
    """

    is_kept = True

    def __init__(self, url: str, space: str) -> None:
        """`space`: tells the vault from others at the same server."""
        self.warnings: list[str] = []
        self._url = url
        self._schema = f"ori_{re.sub('[^a-z0-9]', '_', space.lower())[:40]}"
        self._lock = threading.RLock()
        self._engine: sa.Engine | None = None
        self._away: tuple[float, str] | None = None

    def close(self) -> None:
        """Give the connections back; it may be used again afterwards."""
        with self._lock:
            if self._engine is not None:
                self._engine.dispose()
            self._engine = None

    def tables(self, connection: Connection) -> Mapping[str, Table]:
        """All: whoever connects brings them up to date."""
        return _TABLES

    def revision(self, connection: Connection) -> int:
        """The present one, as `tables`."""
        return REVISION

    def held(self) -> contextlib.AbstractContextManager[None]:
        """As in a file; here the connection is kept in any case."""
        return contextlib.nullcontext()

    def read(self, question: Callable[[Connection], T], absent: T, *, is_needed: bool = False) -> T:
        """The answer, or `absent` where the server is away, which is told once; an error where the answer `is_needed`.

        Raises: UserError, also for a wrong URL.
        """
        try:
            with self._speaking() as connection:
                return question(connection)
        except _Away as error:
            if is_needed:
                told = f"The learned store at {self._told} is away ({error}). Try again when it is there."
                raise UserError(told) from error
            self._warn(f"The learned store at {self._told} is away ({error}); nothing learned is known.")
            return absent

    def write(self, change: Callable[[Connection, str], T]) -> T:
        """Run `change` with the origin in one transaction, after all other writers. Raises: UserError."""
        try:
            with self._speaking() as connection:
                connection.execute("SELECT pg_advisory_xact_lock(:key)", {"key": self._key})
                return change(connection, _ensure_origin(connection))
        except _Away as error:
            raise UserError(f"The learned store at {self._told} cannot be written: {error}.") from error

    def mentions(self, text: str) -> tuple[Path, ...]:
        """No file here holds anything."""
        return ()

    def scrub(self) -> None:
        """What was deleted is the server's to clean up."""

    def backup(self, to: Path) -> None:
        """Raises: UserError, always: a server has backups of its own."""
        raise UserError(
            f"The learned store is at {self._told}; back it up there, or write it as text with `ori learned export`."
        )

    def census(self) -> Census:
        """Never raises for a server that is away: it says so."""

        def count(connection: Connection) -> Census:
            rows, told = statements.census(connection, _TABLES)
            size = connection.execute(
                "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c "
                "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = :schema AND c.relkind = 'r'",
                {"schema": self._schema},
            ).fetchone()[0]
            return Census(REVISION, rows, int(size), "ok", told)

        try:
            with self._speaking() as connection:
                return count(connection)
        except (_Away, UserError) as error:
            return Census(0, {}, 0, f"away: {error}", ())

    @property
    def _key(self) -> int:
        return int.from_bytes(hashlib.blake2b(self._schema.encode(), digest_size=7).digest(), "big")

    @functools.cached_property
    def _told(self) -> str:
        """The address, without its password."""
        from sqlalchemy.engine import make_url

        return make_url(self._url).render_as_string(hide_password=True)

    @contextlib.contextmanager
    def _speaking(self) -> Iterator[Connection]:
        """One transaction. Raises: _Away; UserError for a wrong URL, a missing driver or a store of a newer ori."""
        if self._away is not None and time.monotonic() < self._away[0]:
            raise _Away(self._away[1])
        import sqlalchemy.exc

        try:
            with self._connected().begin() as bound:
                yield _Portable(bound)
        except sqlalchemy.exc.DBAPIError as error:
            reason = " ".join(str(error.orig).split("\n")[0].split())
            if isinstance(error, sqlalchemy.exc.OperationalError | sqlalchemy.exc.InterfaceError):
                self._away = (time.monotonic() + _AWAY_SECONDS, reason)
            raise _Away(reason) from error
        self._away = None

    def _connected(self) -> sa.Engine:
        with self._lock:
            if self._engine is None:
                engine = self._make_engine()
                try:
                    self._prepare(engine)
                except BaseException:
                    engine.dispose()
                    raise
                self._engine = engine
            return self._engine

    def _make_engine(self) -> sa.Engine:
        import sqlalchemy as sa
        import sqlalchemy.exc

        _hush_driver()
        options = f"-csearch_path={self._schema} -clock_timeout={_SECONDS * 20}s"
        given = {"connect_timeout": _SECONDS, "options": options, "application_name": "ori", "client_encoding": "utf8"}
        try:
            if (name := sa.make_url(self._url).get_backend_name()) != "postgresql":
                raise UserError(f"{_SETTING} names {name}; ori keeps what it learned in PostgreSQL.")
            return sa.create_engine(self._url, pool_pre_ping=True, connect_args=given)
        except (ImportError, sqlalchemy.exc.NoSuchModuleError) as error:
            raise UserError(
                f"The driver for {self._told} is missing ({error}). Install it: pip install 'ori-memory[postgresql]'"
            ) from error
        except sqlalchemy.exc.ArgumentError as error:
            raise UserError(
                f"{_SETTING} is no address of a database; write postgresql+psycopg://USER@HOST/DATABASE."
            ) from error

    def _prepare(self, engine: sa.Engine) -> None:
        """Make the tables, or bring them up to date; one agent at a time."""
        with engine.begin() as bound:
            connection = _Portable(bound)
            if (encoding := connection.execute("SHOW server_encoding").fetchone()[0]) != "UTF8":
                raise UserError(
                    f"The database at {self._told} keeps text as {encoding}, and notes may say what that cannot. "
                    "Name one that keeps UTF8: createdb -E UTF8 -T template0 NAME."
                )
            revision = self._revision(connection)
            if revision < REVISION:
                connection.execute("SELECT pg_advisory_xact_lock(:key)", {"key": self._key})
                connection.execute(f"CREATE SCHEMA IF NOT EXISTS {self._schema}")
                from ori_memory.learned.migrating import migrate

                migrate(bound)
            elif revision > REVISION:
                raise UserError(
                    f"The store at {self._told} was written by a newer ori (revision {revision}, this one knows "
                    f"{REVISION}). Update ori; the store is left as it is."
                )

    def _revision(self, connection: Connection) -> int:
        found = connection.execute("SELECT to_regclass(:name)", {"name": f"{self._schema}.alembic_version"}).fetchone()
        if found[0] is None:
            return 0
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return int(row[0]) if row else 0

    def _warn(self, message: str) -> None:
        if message not in self.warnings:
            self.warnings.append(message)


class _Away(Exception):
    """The server does not answer, or refuses."""


def _hush_driver() -> None:
    """What the driver has to say of a server that went away is told by whoever asked, and not written between answers.

    A program that collects messages still gets them.
    """
    logger = logging.getLogger("psycopg")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())


class _Portable:
    """SQLAlchemy's connection, asked as SQLite's is."""

    def __init__(self, bound: sa.Connection) -> None:
        self._bound = bound

    def execute(self, statement: str, values: Mapping[str, Any] | None = None, /) -> Rows:
        return self._bound.execute(_text(statement), dict(values or {}))

    def executemany(self, statement: str, values: Iterable[Mapping[str, Any]], /) -> Rows:
        rows = [dict(row) for row in values]
        # An empty list would be one row without values.
        return self._bound.execute(_text(statement), rows) if rows else self._bound.execute(_text("SELECT 1 WHERE 1=0"))


@functools.cache
def _text(statement: str) -> sa.TextClause:
    import sqlalchemy as sa

    return sa.text(statement)


def _ensure_origin(connection: Connection) -> str:
    """All who write to this server count under one id: there is one copy of this store, and each count is added."""
    from ori_memory.learned.origin import new_origin

    connection.execute(
        "INSERT INTO meta (key, value) VALUES ('origin', :origin) ON CONFLICT (key) DO NOTHING",
        {"origin": new_origin()},
    )
    return str(connection.execute("SELECT value FROM meta WHERE key = 'origin'").fetchone()[0])
