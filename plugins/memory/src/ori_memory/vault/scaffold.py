"""The files of a new vault."""

from __future__ import annotations

from collections.abc import Mapping

from ori_memory.vault.reading import default_text
from ori_memory.vault.vault import CONFIG_NAME

__all__ = ["FIRST_SESSION", "FOLDERS", "scaffold_files"]

FIRST_SESSION = "<!-- First session:"
"""Stands in the identity file until somebody wrote in it."""

FOLDERS = ("notes", "inbox", "templates", "self", "self/memory", "ops", "ops/sessions", "ops/observations")

_INDEX = """---
description: Where to start
type: moc
---

# index

The map of this vault. Link here what others should find first.

- `ori add "A sentence that says one thing"` keeps a note.
- `ori query backlinks NOTE` tells who links to it, `ori query important` what much leads to.
- `ori health` says what needs care.

## Key Notes
"""

_DAILY = """---
date:
---

# Daily

## Completed Today

## Pending Today

## Notes
"""

_REMINDERS = """# Reminders

<!-- One a line: - [ ] 2026-01-31: what is due -->
<!-- When done:  - [x] 2026-01-31: what was due (done 2026-01-30) -->
"""

_IDENTITY = f"""---
type: self
---

# Identity

{FIRST_SESSION} tell who you are and replace this line. -->

## Who I Am

## How I Communicate

## What I Value
"""

_GOALS = """---
type: self
---

# Goals

## Active Threads

## What's Next

## Completed
"""

_METHODOLOGY = """---
type: self
---

# Methodology

## Processing Principles

## Session Rhythm

## Evolved Patterns
"""

_OPTIONAL = (
    "project, tags, confidence, rationale, alternatives, next_step, source, supersedes, superseded_by, "
    "valid_from, valid_until, pinned"
)
# Each list on one line: that much YAML is read without the library for all of it, which takes longer than `ori add`.
_NOTE_TEMPLATE = (
    """---
_schema:
  entity_type: note
  applies_to: notes/*.md
  required: [description, type, status, created]
  optional: ["""
    + _OPTIONAL
    + """]
  enums:
    type: [idea, decision, learning, insight, blocker, opportunity]
    status: [inbox, active, completed, superseded, archived, released]
    confidence: [speculative, promising, validated]
  constraints:
    description: {max_length: 200}
description: ""
type: insight
project: []
status: inbox
---

# {title}

{content}
"""
)

_MAP_TEMPLATE = """---
_schema:
  entity_type: map
  applies_to: notes/*-map.md
  required: [description, type]
  optional: [project, tags]
  enums:
    type: [moc]
  constraints:
    description: {max_length: 200}
description: ""
type: moc
---

# {title}

{content}

## Key Notes

## Recent Additions
"""


def scaffold_files() -> Mapping[str, str]:
    """Path and text of every file a new vault starts with. No template holds a link: it would be in every note."""
    return {
        CONFIG_NAME: default_text(),
        "notes/index.md": _INDEX,
        "templates/note.md": _NOTE_TEMPLATE,
        "templates/map.md": _MAP_TEMPLATE,
        "self/identity.md": _IDENTITY,
        "self/goals.md": _GOALS,
        "self/methodology.md": _METHODOLOGY,
        "ops/daily.md": _DAILY,
        "ops/reminders.md": _REMINDERS,
    }
