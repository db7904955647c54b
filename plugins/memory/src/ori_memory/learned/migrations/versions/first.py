"""Uses, warmth, new connections, what was forgotten, ids that notes do not tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlalchemy as sa

revision = "1"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of revision 1."""
    import sqlalchemy as sa
    from alembic import op

    def text(name: str, *, is_key: bool = False) -> sa.Column[Any]:
        collated = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
        return sa.Column(name, collated, primary_key=is_key, nullable=False)

    def whole(name: str) -> sa.Column[Any]:
        kind = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
        return sa.Column(name, kind, nullable=False)

    note, origin = text("note_id", is_key=True), text("origin", is_key=True)
    op.create_table("access", note.copy(), origin.copy(), whole("count"), text("first"), text("last"))
    boost: sa.Column[Any] = sa.Column("boost", sa.REAL().with_variant(sa.Double(), "postgresql"), nullable=False)
    op.create_table("boost", note.copy(), origin.copy(), boost, text("updated"), whole("accesses"), text("sessions"))
    op.create_table("connection", note.copy(), text("last"))
    op.create_table("forgotten", text("mark", is_key=True), text("at"))
    op.create_table("meta", text("key", is_key=True), text("value"))
    op.create_table("identity", text("path", is_key=True), text("id"), text("stated"), sqlite_with_rowid=False)
