"""The operations of the body as data: `help`, the first lines of a session, the docs and the proxies come from it.

A group is a name in the namespace (`fs`) with operations below it, or a set of plain functions (`name` empty). Whoever
adds one to a body gives a `Group`; those that the host answers need nothing else in the body.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import asdict, field, frozen

from aries_kernel.contracts.body import Group, Operation

__all__ = ["BUILT_IN", "Found", "as_data", "banner", "find", "from_data", "stub"]

_FILES = Group(
    "fs",
    "files of the project; writes are the host's and meet its permissions",
    (
        Operation(
            "read",
            "(path, offset=0, limit=None)",
            "str",
            "The text of a file, or `limit` lines from `offset`.",
            "local",
        ),
        Operation("list", "(path='.')", "[{name, path, kind, size}]", "What a folder holds, sorted by name.", "local"),
        Operation("glob", "(pattern, path='.', limit=500)", "list[str]", "Paths that fit, sorted.", "local"),
        Operation(
            "grep",
            "(pattern, path='.', glob='**/*', limit=200, ignore_case=False)",
            "[{path, line, text}]",
            "Lines that a regular expression is found in.",
            "local",
        ),
        Operation(
            "write", "(path, content)", "{path, changed, text}", "Make a file or replace it.", effects=("writes",)
        ),
        Operation(
            "edit",
            "(path, old, new, all=False)",
            "{path, changed, text}",
            "Replace a text that occurs once, or every one with `all`.",
            effects=("writes",),
        ),
    ),
    factory="aries_body.repl.files:Files",
)
_SHELL = Group(
    "shell",
    "commands, run by the host outside of this process",
    (
        Operation(
            "run",
            "(command, timeout=120)",
            "{code, output, text}",
            "Run a bash script in the project; a code that is not 0 raises nothing.",
            "command",
            ("runs",),
        ),
    ),
)
_WEB = Group(
    "web",
    "the network, through the host",
    (
        Operation(
            "fetch",
            "(url)",
            "str",
            "A page as markdown, whole; where it is cut, its end says so.",
            "network",
            ("network",),
        ),
        Operation(
            "search",
            "(query, limit=10, site=None)",
            "[{title, url, snippet}]",
            "Pages found, the best first; `site` keeps to one, as docs.python.org.",
            "network",
            ("network",),
        ),
    ),
)
_STATE = Group(
    "state",
    "values that outlive this process and this session",
    (
        Operation("put", "(key, value)", "None", "Keep a JSON value.", effects=("state",)),
        Operation("get", "(key, default=None)", "Any", "The value, or the default.", effects=("state",)),
        Operation("keys", "(prefix='')", "list[str]", "The keys there are, sorted.", effects=("state",)),
        Operation("delete", "(key)", "bool", "Forget a key; False where there was none.", effects=("state",)),
    ),
)
_SPEAKING = Group(
    "",
    "the person, and the end of the work",
    (
        Operation("say", "(text)", "None", "Show the person a text now.", "local", ("says",)),
        Operation("ask", "(question)", "str", "Ask the person and wait for the answer.", "person", ("asks",)),
        Operation("done", "(value=None)", "never", "Give the final answer and end this execution.", "local", ("ends",)),
        Operation("help", "(what=None)", "None", "Print what is known about a name, or about everything.", "local"),
    ),
    factory="aries_body.repl.speaking:speaking",
)
_MODELS = Group(
    "",
    "questions to a small model: no tools, no memory, so many an execution as the settings say",
    (
        Operation(
            "rlm_call",
            "(question, context='', budget=1000)",
            "Answer | Failure",
            "An answer (a str) within `budget` tokens, or a failure: false, and raises when it is used as text.",
            "model",
            ("network",),
        ),
        Operation(
            "rlm_batch",
            "(pairs, concurrency=5, budget=1000)",
            "list[Answer | Failure]",
            "The same for (question, context) pairs, side by side, in their order.",
            "model",
            ("network",),
        ),
    ),
    factory="aries_body.repl.asking:asking",
)

_KEYS_SHOWN = 6
_RECORD = re.compile(rf"\{{((?:\w+, ){{{_KEYS_SHOWN + 1}}}[\w, ]+)\}}")

BUILT_IN: tuple[Group, ...] = (_FILES, _SHELL, _WEB, _STATE, _SPEAKING, _MODELS)
"""What every body has."""


@frozen
class Found:
    """A name that was looked up."""

    group: Group
    operation: Operation | None = field(default=None)


def find(groups: Iterable[Group], name: str) -> Found | None:
    """The group or operation of that full name, None where there is none."""
    for group in groups:
        if group.name and group.name == name:
            return Found(group)
        for operation in group.operations:
            if group.full_name(operation) == name:
                return Found(group, operation)
    return None


def stub(groups: Iterable[Group]) -> str:
    """Every operation in one line, for the model's first look."""
    lines: list[str] = []
    for group in groups:
        if group.absent is not None:
            lines.append(f"# {group.name}: not here. {group.absent}")
            continue
        lines.append(f"# {group.name + ': ' if group.name else ''}{group.summary}")
        lines += [f"{group.full_name(one)}{one.signature} -> {one.returns}" for one in group.operations]
    return "\n".join(lines)


def banner(groups: Iterable[Group]) -> str:
    """Every operation, a group a paragraph: for the stable prefix of a model that works with the REPL."""
    paragraphs = ["Code in `Repl` finds what follows; records have keys and attributes; help(name) tells more."]
    for group in groups:
        if group.absent is not None:
            paragraphs.append(f"{group.name}: not here. {group.absent}")
            continue
        head = f"{group.name}. ({group.summary})" if group.name else f"({group.summary})"
        lines = (f"{one.name}{one.signature} -> {_shortened(one.returns)}" for one in group.operations)
        paragraphs.append("\n".join([head, *lines]))
    return "\n\n".join(paragraphs)


def _shortened(returns: str) -> str:
    """A shape with the first keys of each record; those of a long one are too many for every request."""
    return _RECORD.sub(lambda found: f"{{{', '.join([*found[1].split(', ')[:_KEYS_SHOWN], '...'])}}}", returns)


def as_data(groups: Iterable[Group]) -> list[dict[str, Any]]:
    """The groups as JSON, for the way into the body."""
    return [asdict(group) for group in groups]


def from_data(data: Sequence[dict[str, Any]]) -> tuple[Group, ...]:
    """The groups again; by hand, since what structures them elsewhere takes longer to import than a body to start."""
    made = []
    for one in data:
        operations = tuple(Operation(**{**values, "effects": tuple(values["effects"])}) for values in one["operations"])
        made.append(Group(**{**one, "operations": operations}))
    return tuple(made)
