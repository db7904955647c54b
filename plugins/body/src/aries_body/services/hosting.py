"""Answers requests of user code: tools through the session's policy, state, the small model, the person, providers."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from aries_body.process.services import ServiceRefused
from aries_body.services.small_model import SessionModel, SmallModelCalls
from aries_body.services.state import StateStore
from aries_kernel.contracts.body import GroupProvider
from aries_kernel.contracts.tool import InnerCalls, ToolOutput
from aries_kernel.errors import PluginError, Refused, UnknownName, UserError

__all__ = ["HostServices"]

_LONGEST_OUTPUT = 4_000_000
"""Bytes of a command's output that user code gets."""


class HostServices:
    """Runs on the event loop of the session; requests come from other threads."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        *,
        inner: InnerCalls | None = None,
        state: StateStore | None = None,
        models: SmallModelCalls | None = None,
        providers: Iterable[GroupProvider] = (),
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.loop = loop
        """Where requests are answered; a session that goes on in another loop sets it."""
        self._inner, self._state = inner, state
        self._say = say or (inner.show_person if inner is not None else _unheard)
        self._models = models or SmallModelCalls(None if inner is None else SessionModel(inner))
        self._providers = {provider.group.name: provider for provider in providers}
        self._handlers: dict[str, Callable[[Mapping[str, Any]], Any]] = {
            "fs.write": self._write,
            "fs.edit": self._edit,
            "shell.run": self._run,
            "web.fetch": self._fetch,
            "web.search": self._search,
            "ask": self._ask_person,
            "rlm_call": self._models.answer,
        }

    def begin(self, execution: int) -> None:
        """Counts start anew."""
        self._models.begin()
        self._tell_stale()

    async def close(self) -> None:
        """The session is over: providers keep what they have."""
        for provider in self._providers.values():
            await provider.close()

    def _tell_stale(self) -> None:
        for provider in self._providers.values():
            provider.stale()

    def submit(self, name: str, arguments: Mapping[str, Any]) -> Future[Any]:
        """Start an operation; cancelling the future cancels it."""
        return asyncio.run_coroutine_threadsafe(self._answer(name, arguments), self.loop)

    def said(self, text: str) -> None:
        """Show it, on the session's own thread."""
        self.loop.call_soon_threadsafe(self._say, text)

    async def _answer(self, name: str, arguments: Mapping[str, Any]) -> Any:
        group, _, operation = name.rpartition(".")
        try:
            if group in self._providers:
                return await self._provided(self._providers[group], operation, arguments)
            if group == "state":
                return await asyncio.to_thread(self._keep, operation, arguments)
            if name not in self._handlers:
                raise ServiceRefused(f"The host knows no {name}.", "absent")
            found = self._handlers[name](arguments)
            return await found if inspect.isawaitable(found) else found
        except Refused as error:
            raise ServiceRefused(f"Refused: {error}", "refused") from error
        except (UserError, PluginError) as error:
            raise ServiceRefused(str(error), "failed") from error

    async def _provided(self, provider: GroupProvider, operation: str, arguments: Mapping[str, Any]) -> Any:
        known = {one.name: one for one in provider.group.operations}
        if operation not in known:
            name = provider.group.name
            raise ServiceRefused(f"{name} has no operation {operation!r}; help({name!r}) lists them.", "absent")
        try:
            return await provider.call(operation, arguments)
        finally:
            if "writes" in known[operation].effects:
                self._tell_stale()

    async def _call(self, tool: str, arguments: Mapping[str, object]) -> ToolOutput:
        if self._inner is None:
            raise ServiceRefused(f"This needs the tool {tool}, and there is no session around this process.", "absent")
        try:
            return await self._inner(tool, arguments)
        except UnknownName as error:
            raise ServiceRefused(f"This needs the tool {tool}, which is not installed.", "absent") from error
        finally:
            self._tell_stale()

    async def _write(self, given: Mapping[str, Any]) -> dict[str, Any]:
        arguments = {"path": _text(given, "path"), "content": _text(given, "content")}
        return _written(arguments["path"], await self._call("Write", arguments))

    async def _edit(self, given: Mapping[str, Any]) -> dict[str, Any]:
        arguments: dict[str, object] = {name: _text(given, name) for name in ("path", "old", "new")}
        arguments["all"] = bool(given.get("all"))
        return _written(str(arguments["path"]), await self._call("Edit", arguments))

    async def _run(self, given: Mapping[str, Any]) -> dict[str, Any]:
        timeout = given.get("timeout", 120)
        if isinstance(timeout, bool) or not isinstance(timeout, int | float):
            raise ServiceRefused("shell.run: timeout is a number of seconds.")
        output = await self._call("Bash", {"command": _text(given, "command"), "timeout": float(timeout)})
        return await asyncio.to_thread(_ran, output)

    async def _fetch(self, given: Mapping[str, Any]) -> str:
        output = await self._call("WebFetch", {"url": _text(given, "url")})
        if output.is_error:
            raise ServiceRefused(output.text, "failed")
        # The whole of it: what a model is shown at a time is no limit for code. Where it is not the whole, it says so.
        text, notes = str(output.details.get("text", output.text)), output.details.get("notes")
        return f"{text}\n\n[{'; '.join(map(str, notes))}]" if isinstance(notes, list) and notes else text

    async def _search(self, given: Mapping[str, Any]) -> list[Any]:
        arguments = {name: given[name] for name in ("query", "limit", "site") if given.get(name) is not None}
        output = await self._call("WebSearch", arguments)
        results = output.details.get("results")
        if output.is_error or not isinstance(results, list):
            raise ServiceRefused(output.text, "failed")
        return results

    async def _ask_person(self, given: Mapping[str, Any]) -> str:
        if self._inner is None:
            raise ServiceRefused("Nobody can be asked here. End with the question as your answer.", "absent")
        return await self._inner.ask_person(_text(given, "question"))

    def _keep(self, operation: str, given: Mapping[str, Any]) -> Any:
        if self._state is None:
            raise ServiceRefused("state: there is no place to keep it here.", "absent")
        match operation:
            case "put":
                return self._state.put(_text(given, "key"), given.get("value"))
            case "get":
                return self._state.get(_text(given, "key"), given.get("default"))
            case "keys":
                return self._state.keys(_text(given, "prefix"))
            case "delete":
                return self._state.delete(_text(given, "key"))
        raise ServiceRefused(f"The host knows no state.{operation}.", "absent")


def _unheard(text: str) -> None:
    return


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str):
        raise ServiceRefused(f"{name} is a text, not {type(value).__name__}.")
    return value


def _written(path: str, output: ToolOutput) -> dict[str, Any]:
    if output.is_error:
        raise ServiceRefused(output.text, "failed")
    return {"path": path, "changed": bool(output.changed), "text": output.text}


def _ran(output: ToolOutput) -> dict[str, Any]:
    details = output.details
    printed = str(details.get("printed", output.text))
    if "file" in details:
        with Path(str(details["file"])).open("rb") as file:
            data = file.read(_LONGEST_OUTPUT + 1)
        printed = data[:_LONGEST_OUTPUT].decode("utf-8", "replace")
        if len(data) > _LONGEST_OUTPUT:
            printed += f"\n[cut after {_LONGEST_OUTPUT:,} bytes]"
    return {"code": details.get("code"), "output": printed, "text": output.text}
