"""The derived index: SQLite beside the notes, disposable, synced by a look at the files."""
