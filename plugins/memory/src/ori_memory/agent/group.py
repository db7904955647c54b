"""`vault`: the memory as operations for code that runs in the body."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from aries_kernel.contracts.body import Group, GroupContext, Operation, absent, as_rows
from aries_kernel.errors import BadArguments, ToolFailed, UserError
from ori_memory.agent.place import GROUP, connected_vault
from ori_memory.answer import plain

if TYPE_CHECKING:
    from ori_memory.memory import Memory
    from ori_memory.vault.vault import Vault

__all__ = ["OPERATIONS", "VaultGroup"]

_SUMMARY = "notes that outlive sessions"
_FOUND = "[{path, title, score, snippet, line}]"

OPERATIONS = (
    Operation(
        "query_ranked",
        "(query, limit=10, project=(), folder='', as_of='', include_archived=False)",
        _FOUND,
        "Notes that answer a question, best first; `.note` says how sure that is.",
    ),
    Operation(
        "query_similar",
        "(query, limit=10, include_archived=False)",
        _FOUND,
        "Notes that mean what a text means.",
    ),
    Operation("query_important", "(limit=10)", "[{path, title, score}]", "Notes that matter by their links."),
    Operation(
        "query_warmth",
        "(context, limit=10)",
        "[{path, title, score, source, warmth}]",
        "Notes that are warm for what is going on: they fit it, or were of use lately.",
    ),
    Operation(
        "explore",
        "(query, depth=2, limit=15, recursive=True, include_content=False)",
        "{verdict, confidence, results, paths, dead_ends, note}",
        "Notes that answer a question together; each of `results` has path, title, score, source, found_by, "
        "description, preview, line, content.",
    ),
    Operation(
        "read",
        "(note)",
        "{path, title, type, status, tags, text, backlinks, accesses, note}",
        "A note by path, title, alias or id; that is a use of it.",
    ),
    Operation(
        "add",
        "(title, content='', type='', description='', project=(), tags=())",
        "{path, id, title, is_new, is_promoted, note}",
        "Keep one thing as a note, by the tool VaultAdd; the same twice is kept once.",
        effects=("writes",),
    ),
    Operation(
        "neighbors",
        "(note)",
        "[{path, title, direction, links}]",
        "Notes that it links to (`out`), that link to it (`in`), or both.",
    ),
    Operation("backlinks", "(note)", "[{path, title, line, context}]", "Links to a note, or to `note#heading`."),
)


class VaultGroup:
    """Opened when it is first asked, on a thread of its own, since an index is one thread's."""

    def __init__(self, context: GroupContext) -> None:
        self._context = context
        self._vault: Vault | None = None
        self._memory: Memory | None = None
        self._is_stale = False
        try:
            self._vault = connected_vault(context.options, context.environ, context.project, context.home)
            self.group = Group(GROUP, f"{_SUMMARY}, in {self._vault.root}", OPERATIONS)
        except UserError as error:
            self.group = absent(GROUP, _SUMMARY, str(error))
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ori-vault")
        self._asks: Mapping[str, Callable[..., Any]] = {
            one.name: getattr(self, f"_{one.name}") for one in OPERATIONS if one.name != "add"
        }

    def stale(self) -> None:
        """The next question looks at the files first."""
        self._is_stale = True

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Ask, or keep a note. Raises: UserError and its kinds."""
        if self._vault is None:
            raise UserError(str(self.group.absent))
        if operation == "add":
            return await self._add(arguments)
        if operation not in self._asks:
            raise BadArguments(f"vault has no operation {operation!r}; help('vault') lists them.")
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answer, operation, arguments)

    async def close(self) -> None:
        """Give the files back."""
        if self._memory is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._memory.close)
            self._memory = None
        self._thread.shutdown()

    async def _add(self, arguments: Mapping[str, Any]) -> Any:
        """By the tool, so that the policy judges it and the log has it."""
        if self._context.inner is None:
            raise UserError("vault.add: there is no session around this process that could allow it.")
        wanted = dict(arguments)
        for name in ("project", "tags"):
            wanted[name] = list(_texts(wanted.get(name, ()), name))
        given = {name: value for name, value in wanted.items() if value not in ("", [])}
        output = await self._context.inner("VaultAdd", given)
        if output.is_error:
            raise ToolFailed(output.text)
        return dict(output.details)

    def _answer(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        memory = self._current()
        memory.take_warnings()
        try:
            return plain(self._asks[operation](memory, **arguments))
        except (TypeError, ValueError) as error:
            raise BadArguments(f"vault.{operation}: {error}") from error

    def _current(self) -> Memory:
        from ori_memory.memory import Memory

        assert self._vault is not None
        if self._memory is None:
            self._memory = Memory.open(self._vault, environ=self._context.environ)
        elif self._is_stale:
            # Only looked at: a question leaves no store behind where nothing was learned yet.
            self._memory.take_in(self._memory.index.sync(), makes_store=False)
            self._memory.forget_figures()
        self._is_stale = False
        return self._memory

    @staticmethod
    def _query_ranked(
        memory: Memory,
        query: str,
        limit: int,
        project: Sequence[str],
        folder: str,
        as_of: str,
        include_archived: bool,
    ) -> Any:
        from ori_memory.retrieval.answer import Asked
        from ori_memory.serving.asking import day

        asked = Asked(
            _text(query, "query"),
            limit=_count(limit),
            as_of=day("as_of", as_of),
            include_archived=include_archived,
            projects=_texts(project, "project"),
            folder=folder,
        )
        return _ranked(memory, asked)

    @staticmethod
    def _query_similar(memory: Memory, query: str, limit: int, include_archived: bool) -> Any:
        from ori_memory.retrieval.answer import Asked

        asked = Asked(_text(query, "query"), _count(limit), include_archived=include_archived, only=("semantic",))
        return _ranked(memory, asked)

    @staticmethod
    def _query_important(memory: Memory, limit: int) -> Any:
        from ori_memory.operations.listing import important

        found = important(memory, _count(limit))["results"]
        titles = _titles(memory)
        rows = [{"path": one["path"], "title": titles.get(one["path"], ""), "score": one["score"]} for one in found]
        return as_rows(rows, note=_note(memory))

    @staticmethod
    def _query_warmth(memory: Memory, context: str, limit: int) -> Any:
        from ori_memory.operations.warming import warm_notes

        found = warm_notes(memory, _text(context, "context"), _count(limit))
        return as_rows(found.data["results"], note=_note(memory, *found.notices))

    @staticmethod
    def _explore(memory: Memory, query: str, depth: int, limit: int, recursive: bool, include_content: bool) -> Any:
        from ori_memory.exploring.exploration import Exploring
        from ori_memory.exploring.telling import exploration_data

        found = memory.explore(
            Exploring(
                _text(query, "query"),
                limit=_count(limit),
                depth=_count(depth, "depth"),
                is_recursive=recursive,
                include_content=include_content,
            )
        )
        data = exploration_data(found)
        return {
            "verdict": data["verdict"],
            "confidence": data["confidence"],
            "results": [_discovered(one) for one in data["results"]],
            "paths": data["paths"],
            "dead_ends": [one["query"] for one in data["sub_queries"] if one["dead_end"]],
            "note": _note(memory, data["stopped"], *found.notices),
        }

    @staticmethod
    def _read(memory: Memory, note: str) -> Any:
        found = memory.read(_text(note, "note"))
        known = found.note
        return {
            "path": known.path,
            "title": known.title,
            "type": known.type,
            "status": known.status,
            "tags": known.tags,
            "text": found.text,
            "backlinks": found.backlinks,
            "accesses": found.accesses,
            "note": _note(memory),
        }

    @staticmethod
    def _neighbors(memory: Memory, note: str) -> Any:
        start = memory.index.note(_text(note, "note")).path
        out, back = memory.index.outgoing(start), memory.index.backlinks(start)
        leads = [one.target for one in out if one.target not in (None, start)]
        led = [one.source for one in back if one.source != start]
        titles = _titles(memory)
        rows = [
            {
                "path": path,
                "title": titles.get(path, ""),
                "direction": "both" if path in leads and path in led else "out" if path in leads else "in",
                "links": leads.count(path) + led.count(path),
            }
            for path in dict.fromkeys([*leads, *led])
        ]
        return as_rows(rows, note=_note(memory))

    @staticmethod
    def _backlinks(memory: Memory, note: str) -> Any:
        from ori_memory.operations.backlinks import backlinks_of

        _, found = backlinks_of(memory, _text(note, "note"))
        titles = _titles(memory)
        rows = [
            {"path": one.source, "title": titles.get(one.source, ""), "line": one.link.line, "context": one.context}
            for one in found
        ]
        return as_rows(rows, note=_note(memory))


def _ranked(memory: Memory, asked: Any) -> Any:
    answer = memory.ask(asked)
    rows = [
        {"path": hit.path, "title": hit.title, "score": hit.score, "snippet": hit.snippet, "line": hit.line}
        for hit in answer.hits
    ]
    sure = f"{answer.verdict.value} (confidence {answer.confidence:.2f})"
    return as_rows(rows, len(rows) + answer.left_out, _note(memory, sure, *answer.notices))


def _discovered(one: Mapping[str, Any]) -> dict[str, Any]:
    look = one["snippet"]
    return {
        **{key: one[key] for key in ("path", "title", "score", "source", "found_by")},
        "description": look["description"],
        "preview": look["preview"],
        "line": look["line"],
        "content": one.get("content", ""),
    }


def _titles(memory: Memory) -> dict[str, str]:
    return {note.path: note.title for note in memory.index.notes()}


def _note(memory: Memory, *texts: str) -> str:
    """What should be known of an answer, in one text."""
    return " ".join(dict.fromkeys(text for text in (*texts, *memory.take_warnings()) if text))


def _text(value: object, name: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise BadArguments(f"{name} is a text that says something, not {value!r}.")
    return value


def _texts(value: object, name: str) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise BadArguments(f"{name} is a text or a list of texts, not {value!r}.")
    return tuple(value)


def _count(value: object, name: str = "limit") -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise BadArguments(f"{name} is a number from 1 on, not {value!r}.")
    return value
