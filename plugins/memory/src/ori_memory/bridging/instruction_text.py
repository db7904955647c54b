"""What an agent reads about its memory in the instruction file of its client."""

from __future__ import annotations

__all__ = ["INSTRUCTIONS"]

INSTRUCTIONS = """## Memory

You have a long-term memory: the MCP server `ori` keeps it as markdown notes that belong to the person you work with.

- Begin a session with `ori_orient`, unless its brief is before you already: it tells who you are and what is due.
- Before you answer what may be known from earlier, ask `ori_query_ranked`; where it takes several notes together,
  `ori_explore`. Read a note with `ori_read` before you rely on it. If nothing relevant is found, say so.
- Keep what will matter later with `ori_add`, as it comes up: decisions with their reasons, preferences, what was
  learned. One thing a note; its title is a sentence that says it. Never keep secrets.
- What changed takes the place of the old: give `supersedes`."""
"""The same for all: clients that read one file share it."""
