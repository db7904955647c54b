"""Words of the questions that credit was given for, so that they are found without reading all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlalchemy as sa

__all__ = ["branch_labels", "depends_on", "down_revision", "revision", "upgrade"]

revision = "3"
down_revision = "2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the words of what is there already."""
    import sqlalchemy as sa
    from alembic import op

    from aries_kernel.word_roots import root_of

    def key(name: str) -> sa.Column[Any]:
        collated = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
        return sa.Column(name, collated, primary_key=True, nullable=False)

    table = op.create_table("asked_word", key("word"), key("topic"), sqlite_with_rowid=False)
    op.create_index("credit_topic", "credit", ["topic"])
    known = op.get_bind().execute(sa.text("SELECT DISTINCT topic, words FROM credit"))
    rows = {(root_of(word), topic) for topic, words in known for word in words.split(" ") if word}
    op.bulk_insert(table, [{"word": word, "topic": topic} for word, topic in sorted(rows)])
