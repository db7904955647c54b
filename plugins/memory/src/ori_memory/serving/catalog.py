"""The tools: one entry a tool, from which its schema, its help and its call come."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from enum import Enum
from typing import Any, Literal

from attrs import frozen

from aries_kernel.errors import UnknownName
from aries_kernel.tools.schema import json_schema
from ori_memory.serving import arguments as given
from ori_memory.serving.told import Call, Told

__all__ = ["PROFILES", "TOOLS", "Needs", "Profile", "ServedTool", "tool_list", "tool_named"]

Profile = Literal["full", "slim"]
PROFILES: tuple[Profile, ...] = ("full", "slim")
_ASKING, _CHANGING = "ori_memory.serving.asking:", "ori_memory.serving.changing:"


class Needs(Enum):
    """What a tool waits for when a server has just started."""

    NOTHING = "nothing"
    INDEX = "index"
    """For a moment; then it takes what is there."""
    MODEL = "model"
    """Likewise, and for the model."""
    WHOLE_INDEX = "whole index"
    """As long as it takes: what it writes rests on that."""


@frozen
class ServedTool:
    """A tool as a client sees it, and who answers."""

    name: str
    about: str
    takes: type[Any]
    answered_by: str
    """`module:function`, imported when it is first called."""
    is_slim: bool = False
    """An agent needs it every day."""
    is_reading: bool = True
    """It changes no note."""
    is_destructive: bool = False
    """What it changes is gone, or hidden: some clients ask the person first."""
    needs: Needs = Needs.INDEX
    is_alone: bool = False
    """It has a process of its own and keeps nobody waiting."""
    looks_at_all: Callable[[Any], bool] = lambda asked: False
    """Whether these arguments ask for a look at every note, or for many looks."""

    def answer(self) -> Callable[[Any, Any, Call], Told]:
        """The function that answers."""
        module, _, name = self.answered_by.partition(":")
        found: Callable[[Any, Any, Call], Told] = getattr(importlib.import_module(module), name)
        return found

    def is_slow(self, asked: Any) -> bool:
        """Who asks something else must not wait for it: it writes, or it looks at everything."""
        return not self.is_reading or self.looks_at_all(asked)

    def listed(self) -> dict[str, Any]:
        """The entry of `tools/list`."""
        effect = {} if self.is_reading else {"destructiveHint": self.is_destructive}
        return {
            "name": self.name,
            "description": self.about,
            "inputSchema": json_schema(self.takes),
            "annotations": {"readOnlyHint": self.is_reading, **effect, "openWorldHint": False},
        }


def _always(asked: Any) -> bool:
    return True


def _reading(name: str, about: str, takes: type[Any], function: str, **more: Any) -> ServedTool:
    return ServedTool(name, about, takes, _ASKING + function, **more)


def _writing(name: str, about: str, takes: type[Any], function: str, **more: Any) -> ServedTool:
    return ServedTool(name, about, takes, _CHANGING + function, is_reading=False, **more)


TOOLS: tuple[ServedTool, ...] = (
    ServedTool(
        "ori_orient",
        "Call it first in a session: who you are, goals, what is due, what happened lately, which notes are warm.",
        given.Orient,
        _CHANGING + "orient",
        is_slim=True,
        needs=Needs.NOTHING,
    ),
    ServedTool("ori_wake", "The brief alone, in few lines.", given.Wake, _CHANGING + "wake", needs=Needs.NOTHING),
    _writing("ori_update", "Write one of your own five files anew.", given.Update, "update", is_slim=True,
             needs=Needs.NOTHING),
    _reading("ori_status", "The vault at a glance: counts.", given.Nothing, "status"),
    _reading(
        "ori_health",
        "What needs care: links that lead nowhere, notes nobody links to, invalid and unreadable notes.",
        given.Health,
        "health",
        looks_at_all=_always,
    ),
    _reading(
        "ori_query_ranked",
        "The notes that answer a question, best first, by words, meaning, links and use together; with paths, snippets "
        "and how sure it is. Read a note with ori_read before you rely on it.",
        given.Ranked,
        "ranked",
        is_slim=True,
        needs=Needs.MODEL,
    ),
    _reading(
        "ori_explore",
        "Notes that answer a question together: what is found, what links lead to, what parts of the question find.",
        given.Explore,
        "explore",
        is_slim=True,
        needs=Needs.MODEL,
        looks_at_all=_always,
    ),
    _reading("ori_read", "A note as it stands in its file, with what links to it.", given.Read, "read", is_slim=True),
    _writing(
        "ori_add",
        "Keep something: one note, one thing. The same twice is kept once. With content it goes from the inbox to the "
        "notes at once.",
        given.Add,
        "add",
        is_slim=True,
        needs=Needs.WHOLE_INDEX,
    ),
    _writing(
        "ori_promote",
        "Move a note from the inbox to the notes: type, description, links, areas.",
        given.Promote,
        "promote",
        is_slim=True,
        needs=Needs.WHOLE_INDEX,
    ),
    _reading("ori_validate", "What is wrong with a note.", given.Validate, "validate",
             looks_at_all=lambda asked: not asked.path.strip()),
    _reading("ori_query", "Lists that the links give.", given.Query, "query"),
    _reading("ori_query_similar", "Notes that mean what a text means.", given.Similar, "similar",
             needs=Needs.MODEL),
    _reading("ori_query_important", "Notes that matter by their links (PageRank).", given.Important, "important"),
    _reading("ori_query_fading", "Notes that are about to be forgotten, the weakest first.", given.Fading, "fading"),
    _reading("ori_warmth", "Notes that are warm for what is going on: they fit it, or were of use lately.",
             given.Warmth, "warmth", needs=Needs.MODEL),
    _reading(
        "ori_explore_start",
        "Begin an exploration that you steer: a first pass, and what could be done next.",
        given.ExploreStart,
        "explore_start",
        needs=Needs.MODEL,
        looks_at_all=_always,
    ),
    _reading("ori_explore_expand", "One step further in an exploration.", given.Expand, "expand",
             needs=Needs.MODEL, looks_at_all=_always),
    _reading(
        "ori_explore_conclude",
        "End an exploration; what was of use is remembered as used.",
        given.Conclude,
        "conclude",
        looks_at_all=_always,
    ),
    _writing(
        "ori_forget",
        "Hide what is meant, remove it with every trace, or put a new note in its place. A preview until apply.",
        given.Forget,
        "forget",
        needs=Needs.WHOLE_INDEX,
        is_destructive=True,
    ),
    _writing("ori_prune", "Propose notes that fade and hold nothing together; apply archives them.", given.Prune,
             "prune", needs=Needs.WHOLE_INDEX, is_destructive=True),
    _writing("ori_index_build", "Bring the index to what the files say; it is kept so anyway.", given.IndexBuild,
             "index_build", needs=Needs.WHOLE_INDEX),
    ServedTool("ori_sql", "Ask the index in SQL, reading only.", given.Sql, _CHANGING + "sql", is_alone=True,
               needs=Needs.WHOLE_INDEX),
)  # fmt: skip
_BY_NAME = {tool.name: tool for tool in TOOLS}


def tool_list(profile: Profile) -> list[dict[str, Any]]:
    """The tools that a client is told of. Any other may be called by its name all the same."""
    return [tool.listed() for tool in TOOLS if profile == "full" or tool.is_slim]


def tool_named(name: str) -> ServedTool:
    """Raises: UnknownName with those that are near, or all."""
    try:
        return _BY_NAME[name]
    except KeyError:
        raise UnknownName("tool", name, _BY_NAME) from None
