"""Revisions of the learned store, for SQLite and PostgreSQL."""
