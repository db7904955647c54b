"""Credit by question, exposure, pairs, sums of stages, counts of evidence, open sessions, resets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlalchemy as sa

__all__ = ["branch_labels", "depends_on", "down_revision", "revision", "upgrade"]

revision = "2"
down_revision = "1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what learning from use needs; nothing that is there changes."""
    import sqlalchemy as sa
    from alembic import op

    def text(*names: str, is_key: bool = False) -> list[sa.Column[Any]]:
        collated = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
        return [sa.Column(name, collated, primary_key=is_key, nullable=False) for name in names]

    def keys(*names: str) -> list[sa.Column[Any]]:
        return text(*names, is_key=True)

    def whole(*names: str) -> list[sa.Column[Any]]:
        kind = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
        return [sa.Column(name, kind, nullable=False) for name in names]

    def clustered(name: str, *columns: sa.Column[Any]) -> None:
        op.create_table(name, *columns, sqlite_with_rowid=False)

    if not sa.inspect(op.get_bind()).has_table("identity"):
        clustered("identity", *keys("path"), *text("id", "stated"))
    reward: sa.Column[Any] = sa.Column("reward", sa.REAL().with_variant(sa.Double(), "postgresql"), nullable=False)
    earned = [reward, *whole("uses"), *text("sources", "first", "last", "words")]
    clustered("credit", *keys("note_id", "topic", "origin"), *earned)
    op.create_table("evidence", *keys("source", "origin"), *whole("sessions", "credits"), *text("last"))
    clustered("pair", *keys("note_a", "note_b", "origin"), *whole("count"), *text("last"))
    op.create_table("reset", *keys("id"), *text("at"), *whole("undone"))
    clustered("shown", *keys("note_id", "origin"), *whole("count"), *text("last"))
    op.create_table("stage_arm", *keys("stage", "origin"), *whole("count"), *text("state", "updated"))
    op.create_table("session", *keys("id", "origin"), *text("client"), *whole("questions"), *text("first", "last"))
    op.create_table("session_event", *keys("id"), *text("session", "origin", "at", "kind", "data"))
    op.create_table("given", *keys("key"), *text("at"))
