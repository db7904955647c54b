"""What each tool takes: one class a tool gives its schema, its checks and what the model reads."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from aries_kernel.tools.schema import described
from ori_memory.operations.own_files import OwnFile

__all__ = [
    "Add",
    "Conclude",
    "Expand",
    "Explore",
    "ExploreStart",
    "Fading",
    "Forget",
    "Health",
    "Important",
    "IndexBuild",
    "Nothing",
    "Orient",
    "Promote",
    "Prune",
    "Query",
    "Ranked",
    "Read",
    "Similar",
    "Sql",
    "Update",
    "Validate",
    "Wake",
    "Warmth",
]

NoteType = Literal["idea", "decision", "learning", "insight", "blocker", "opportunity", "moc", "self", "map"]
Certainty = Literal["speculative", "promising", "validated"]

_CURSOR = "Of a truncated answer: what follows."
_LIMIT = "Notes at most."
_NOTE = "Path, title, alias or id."
_TOKENS = "Of the answer, from 500."


@frozen
class Nothing:
    """No arguments."""


@frozen
class Orient:
    brief: bool = described("false: also the whole identity, goals, methodology, daily and reminders.", default=True)
    cursor: str = described(_CURSOR, default="")


@frozen
class Wake:
    budget: int | None = described("Lines at most.", default=None)


@frozen
class Update:
    file: OwnFile = described("Which file.")
    content: str = described("Its whole new text, in markdown. What was there is kept.")


@frozen
class Health:
    cursor: str = described(_CURSOR, default="")


@frozen
class Add:
    title: str = described("A sentence that says one thing.")
    content: str = described("What supports it; [[links]] to other notes.", default="")
    type: NoteType | None = described("Guessed from its words if not given.", default=None)
    description: str = described("One sentence; taken from the content if not given.", default="")
    project: tuple[str, ...] = described("Projects it belongs to.", default=())
    tags: tuple[str, ...] = described("Tags.", default=())
    confidence: Certainty | None = described("How sure it is.", default=None)
    supersedes: tuple[str, ...] = described("Notes whose place it takes.", default=())
    valid_from: str = described("YYYY-MM-DD", default="")
    valid_until: str = described("YYYY-MM-DD", default="")
    pinned: bool = described("Never propose it for pruning.", default=False)


@frozen
class Promote:
    path: str = described("The note in the inbox: path, title or id.")
    type: NoteType | None = described("Instead of the guess.", default=None)
    description: str = described("Instead of the one taken from its text.", default="")
    links: tuple[str, ...] = described("Notes to list as relevant.", default=())
    project: tuple[str, ...] = described("Instead of the guess.", default=())
    dry_run: bool = described("Tell what would happen, change nothing.", default=False)


@frozen
class Validate:
    path: str = described("The note; empty: all notes, told are those with something wrong.", default="")
    cursor: str = described(_CURSOR, default="")


@frozen
class Query:
    kind: Literal["orphans", "dangling", "backlinks", "cross-project"] = described(
        "orphans: notes nobody links to; dangling: links that lead nowhere; backlinks: what links to `note`; "
        "cross-project: notes of several projects."
    )
    note: str = described(f"For backlinks. {_NOTE}", default="")
    cursor: str = described(_CURSOR, default="")


@frozen
class Ranked:
    query: str = described("A question, or words.")
    limit: int | None = described(_LIMIT, default=None)
    project: tuple[str, ...] = described("Only notes of these projects.", default=())
    folder: str = described("Only notes below this folder.", default="")
    as_of: str = described("Answer as on that day, YYYY-MM-DD.", default="")
    include_archived: bool = described("Archived and superseded ones too.", default=False)
    explain: bool = described("What each signal said.", default=False)
    budget_tokens: int = described(_TOKENS, default=0)
    cursor: str = described(_CURSOR, default="")


@frozen
class Similar:
    query: str = described("A text.")
    limit: int | None = described(_LIMIT, default=None)
    include_archived: bool = described("Archived and superseded ones too.", default=False)
    cursor: str = described(_CURSOR, default="")


@frozen
class Important:
    limit: int = described(_LIMIT, default=10)
    cursor: str = described(_CURSOR, default="")


@frozen
class Fading:
    threshold: float = described("Vitality below which a note is told, 0 to 1.", default=0.3)
    limit: int = described(_LIMIT, default=20)
    cursor: str = described(_CURSOR, default="")


@frozen
class Warmth:
    context: str = described("What is going on, in words.")
    limit: int = described(_LIMIT, default=10)
    cursor: str = described(_CURSOR, default="")


@frozen
class Explore:
    query: str = described("A question that takes several notes.")
    limit: int = described("Notes at most, up to 30.", default=15)
    depth: int = described("How far links are followed, 1 to 3.", default=2)
    recursive: bool = described("Take the question apart too.", default=True)
    include_content: bool = described("The whole text of each note.", default=False)
    include_archived: bool = described("Archived and superseded ones too.", default=False)
    project: tuple[str, ...] = described("Only notes of these projects.", default=())
    folder: str = described("Only notes below this folder.", default="")
    as_of: str = described("Answer as on that day, YYYY-MM-DD.", default="")
    budget_tokens: int = described(_TOKENS, default=0)
    cursor: str = described(_CURSOR, default="")


@frozen
class ExploreStart:
    query: str = described("The question.")
    budget: int = described("Expansions allowed.", default=2)
    project: tuple[str, ...] = described("Only notes of these projects.", default=())
    folder: str = described("Only notes below this folder.", default="")
    as_of: str = described("Answer as on that day, YYYY-MM-DD.", default="")


@frozen
class Expand:
    exploration_id: str = described("From ori_explore_start.")
    sub_question: str = described("Ask this; give one of the three.", default="")
    branch: str = described("Follow the links of all notes of a step, as n0.", default="")
    neighbors: str = described("Follow the links of one note.", default="")
    extend_budget: int = described("Add so many expansions.", default=0)


@frozen
class Conclude:
    exploration_id: str = described("From ori_explore_start.")
    answered: bool = described("Whether the question is answered.")
    used_notes: tuple[str, ...] = described("Notes that were of use: paths or titles.", default=())


@frozen
class Read:
    note: str = described(_NOTE)
    cursor: str = described(_CURSOR, default="")


@frozen
class Prune:
    apply: bool = described("true archives the candidates; otherwise they are only told.", default=False)
    cursor: str = described(_CURSOR, default="")


@frozen
class IndexBuild:
    force: bool = described("Read every note again.", default=False)


@frozen
class Sql:
    sql: str = described("One SELECT over the views that `schema` tells.", default="")
    limit: int = described("Rows at most.", default=100)
    schema: bool = described("Tell views and columns instead.", default=False)
    cursor: str = described(_CURSOR, default="")


@frozen
class Forget:
    query: str = described("A path, a title, an identifier as a whole, or words.")
    purge: bool = described("Remove the files and every trace, instead of hiding the notes.", default=False)
    supersede: str = described("Title of a new note that takes its place.", default="")
    content: str = described("Content of that new note.", default="")
    apply: bool = described("true does it; otherwise the matches are only told.", default=False)
    cursor: str = described(_CURSOR, default="")
