"""Bringing a store to the present revision. Alembic and SQLAlchemy are imported here, and only when one is behind."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ori_memory.learned.schema import ALEMBIC, APPLICATION, REVISION

if TYPE_CHECKING:
    import sqlalchemy

__all__ = ["copy_before", "metadata", "migrate", "migrate_file"]

_FOLDER = Path(__file__).parent / "migrations"


def copy_before(path: Path, revision: int) -> Path:
    """Where the copy lies that is made before a store of this revision is brought up to date."""
    return path.with_name(f"{path.stem}.revision-{revision}{path.suffix}")


def migrate_file(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the file that `connection` has open up to date; a copy of it as it was is kept. Many may try at once.

    Raises: OSError, sqlite3.Error, Damaged; then the file is as it was.
    """
    from ori_memory.learned.recovery import copy_to, locked

    with locked(path):
        revision = _revision(connection)
        if revision >= REVISION:
            return
        copy_to(connection, copy_before(path, revision))
        with _engine_over(connection) as bound:
            connection.execute("BEGIN IMMEDIATE")
            try:
                # A file from before alembic says its revision in its header only.
                connection.execute(ALEMBIC)
                known = connection.execute("SELECT count(*) FROM alembic_version").fetchone()[0]
                if not known:
                    connection.execute("INSERT INTO alembic_version VALUES (:revision)", {"revision": str(revision)})
                migrate(bound)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {REVISION}")
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise


def migrate(bound: sqlalchemy.Connection) -> None:
    """Run the revisions that are missing, all in an empty database, in the transaction that is open."""
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    script = ScriptDirectory.from_config(config)

    def steps(found: Any, context: Any) -> Any:
        return script._upgrade_revs("head", found)  # as alembic's own commands do

    with EnvironmentContext(config, script, fn=steps) as environment:
        environment.configure(connection=bound, transactional_ddl=True, transaction_per_migration=False)
        environment.run_migrations()


def metadata() -> sqlalchemy.MetaData:
    """The tables as SQLAlchemy has them, from the one definition."""
    import sqlalchemy as sa

    from ori_memory.learned.tables import TABLES, Kind, Merge

    text: Any = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    whole: Any = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
    real: Any = sa.REAL().with_variant(sa.Double(), "postgresql")
    types = {Kind.COUNT: whole, Kind.SHARE: real, Kind.SUM: real}
    known = sa.MetaData()
    for table in TABLES.values():
        columns = [
            sa.Column(one.name, types.get(one.kind, text), primary_key=one.merge is Merge.KEY, nullable=False)
            for one in table.columns
        ]
        sa.Table(table.name, known, *columns)
    sa.Index("credit_topic", known.tables["credit"].c.topic)
    return known


def _revision(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@contextlib.contextmanager
def _engine_over(connection: sqlite3.Connection) -> Any:
    """SQLAlchemy over a connection that is open already; begin and commit stay with whoever opened it."""
    import sqlalchemy as sa
    from sqlalchemy.pool import StaticPool

    engine = sa.create_engine(
        "sqlite://", creator=lambda: connection, poolclass=StaticPool, isolation_level="AUTOCOMMIT"
    )
    bound = engine.connect()
    try:
        yield bound
    finally:
        # The connection is not ours to close.
        bound.detach()
