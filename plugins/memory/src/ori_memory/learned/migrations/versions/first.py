"""Uses, warmth, new connections, what was forgotten, ids that notes do not tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlalchemy as sa

__all__ = ["branch_labels", "depends_on", "down_revision", "revision", "upgrade"]

revision = "1"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of revision 1."""
    import sqlalchemy as sa
    from alembic import op

    def text(*names: str, is_key: bool = False) -> list[sa.Column[Any]]:
        collated = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
        return [sa.Column(name, collated, primary_key=is_key, nullable=False) for name in names]

    def keys(*names: str) -> list[sa.Column[Any]]:
        return text(*names, is_key=True)

    def whole(name: str) -> sa.Column[Any]:
        return sa.Column(name, sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False)

    boost: sa.Column[Any] = sa.Column("boost", sa.REAL().with_variant(sa.Double(), "postgresql"), nullable=False)
    op.create_table("access", *keys("note_id", "origin"), whole("count"), *text("first", "last"))
    warmth = [boost, *text("updated"), whole("accesses"), *text("sessions")]
    op.create_table("boost", *keys("note_id", "origin"), *warmth)
    op.create_table("connection", *keys("note_id"), *text("last"))
    op.create_table("forgotten", *keys("mark"), *text("at"))
    op.create_table("meta", *keys("key"), *text("value"))
    op.create_table("identity", *keys("path"), *text("id", "stated"), sqlite_with_rowid=False)
