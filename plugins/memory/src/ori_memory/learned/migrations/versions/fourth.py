"""Resets of one note, and what gave credit on whichever machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlalchemy as sa

__all__ = ["branch_labels", "depends_on", "down_revision", "revision", "upgrade"]

revision = "4"
down_revision = "3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables; nothing that is there changes."""
    import sqlalchemy as sa
    from alembic import op

    def text(name: str, *, is_key: bool = False) -> sa.Column[Any]:
        collated = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
        return sa.Column(name, collated, primary_key=is_key, nullable=False)

    whole: Any = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
    undone: sa.Column[Any] = sa.Column("undone", whole, nullable=False)
    op.create_table("credited", text("key", is_key=True), text("at"))
    op.create_table("note_reset", text("id", is_key=True), text("mark"), text("at"), undone)
