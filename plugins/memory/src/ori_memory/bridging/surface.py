"""The places in which a client is configured: each can put ours in, take it out, and tell what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from attrs import frozen

from aries_kernel.contracts.bridge import Activation, Setting
from aries_kernel.errors import UserError
from ori_memory.bridging.command_words import SERVER_NAME, is_server, server_words, vault_in, words_in
from ori_memory.bridging.files import Files
from ori_memory.bridging.instruction_text import INSTRUCTIONS
from ori_memory.bridging.json_editing import drop_json, put_json, value_at
from ori_memory.bridging.marked_block import drop_block, has_block, put_block
from ori_memory.bridging.toml_editing import drop_table, put_table
from ori_memory.bridging.toml_reading import read_toml
from ori_memory.bridging.yaml_editing import data_at, drop_yaml, put_yaml

__all__ = ["Found", "InstructionBlock", "JsonServer", "OwnFile", "Surface", "TomlServer", "Where", "YamlServer"]

Where = Callable[[Setting], Path | None]
"""The file for a setting; None: there is none at this scope."""
Others = Callable[[Setting], tuple[Path, ...]]
"""Files in which it may have been put at another time, when the file to choose was another one."""
Shape = Callable[[tuple[str, ...]], dict[str, Any]]
"""The entry of a server, as a client wants it, from the words that start it."""


@frozen
class Found:
    """What of ours is at a place."""

    path: Path
    command: tuple[str, ...] = ()
    vault: str | None = None
    activation: Activation | None = None
    """What this place says about it; None: nothing."""
    is_server: bool = False


class Surface(Protocol):
    """One place."""

    def put(self, setting: Setting, files: Files) -> None:
        """Bring it to what the setting asks. Raises: UserError."""
        ...

    def take(self, setting: Setting, files: Files) -> None:
        """Remove ours. Raises: UserError."""
        ...

    def found(self, setting: Setting, files: Files) -> Found | None:
        """What is there. Raises: UserError."""
        ...

    def path(self, setting: Setting) -> Path | None:
        """The file, or None where there is none at this scope."""
        ...


def plain_shape(words: tuple[str, ...]) -> dict[str, Any]:
    """The form that most clients share."""
    return {"command": words[0], "args": list(words[1:])}


def _nowhere(setting: Setting) -> tuple[Path, ...]:
    return ()


@frozen
class _Server:
    """The entry of the server in a file of one format; `above` is the path of names to the list of servers."""

    where: Where
    above: tuple[str, ...]
    shape: Shape = plain_shape
    others: Others = _nowhere

    def path(self, setting: Setting) -> Path | None:
        return self.where(setting)

    def put(self, setting: Setting, files: Files) -> None:
        path = self.where(setting)
        if path is None:
            return
        entry = self._entry(files, path)
        if entry is not None and not is_server(entry):
            name = ".".join(self._names)
            raise UserError(f"{path}: {name} is there and does not start ori. Rename or remove it, then try again.")
        files.change(path, lambda text: self._put(text, self.shape(server_words(setting))), ".".join(self._names))
        self._take_from([other for other in self.others(setting) if other != path], files)

    def take(self, setting: Setting, files: Files) -> None:
        self._take_from(_places(self.where(setting), self.others(setting)), files)

    def found(self, setting: Setting, files: Files) -> Found | None:
        for path in _places(self.where(setting), self.others(setting)):
            entry = self._entry(files, path)
            if is_server(entry):
                words = words_in(entry)
                return Found(path, tuple(words), vault_in(words), is_server=True)
        return None

    def _take_from(self, paths: Iterable[Path], files: Files) -> None:
        for path in paths:
            if files.text(path) is not None and is_server(self._entry(files, path)):
                files.change(path, self._drop, ".".join(self._names), remove_if=self._nothing)

    @property
    def _names(self) -> tuple[str, ...]:
        return (*self.above, SERVER_NAME)

    def _entry(self, files: Files, path: Path) -> Any:
        seen: list[Any] = []

        def look(text: str) -> str:
            seen.append(self._read(text))
            return text

        files.change(path, look, "")
        return seen[0]

    _nothing = ""

    def _read(self, text: str) -> Any:
        raise NotImplementedError

    def _put(self, text: str, entry: Mapping[str, Any]) -> str:
        raise NotImplementedError

    def _drop(self, text: str) -> str:
        raise NotImplementedError


@frozen
class JsonServer(_Server):
    """In JSON, with comments or without."""

    _nothing = "{}"

    def _read(self, text: str) -> Any:
        return value_at(text, self._names)

    def _put(self, text: str, entry: Mapping[str, Any]) -> str:
        return put_json(text, self._names, dict(entry))

    def _drop(self, text: str) -> str:
        return drop_json(text, self._names)


@frozen
class TomlServer(_Server):
    """In TOML, as a table of its own."""

    note: str = "ori-bridge: written by `ori bridge`"

    def _read(self, text: str) -> Any:
        data: Any = read_toml(text)
        for name in self._names:
            data = data.get(name) if isinstance(data, dict) else None
        return data

    def _put(self, text: str, entry: Mapping[str, Any]) -> str:
        return put_table(text, self._names, entry, self.note)

    def _drop(self, text: str) -> str:
        return drop_table(text, self._names)


@frozen
class YamlServer(_Server):
    """In YAML."""

    def _read(self, text: str) -> Any:
        return data_at(text, self._names)

    def _put(self, text: str, entry: Mapping[str, Any]) -> str:
        return put_yaml(text, self._names, entry)

    def _drop(self, text: str) -> str:
        return drop_yaml(text, self._names)


@frozen
class InstructionBlock:
    """What the agent reads about its memory, in a file that belongs to the person."""

    where: Where
    client: str
    others: Others = _nowhere

    def path(self, setting: Setting) -> Path | None:
        return self.where(setting)

    def put(self, setting: Setting, files: Files) -> None:
        path = self.where(setting)
        if path is not None:
            files.change(path, lambda text: put_block(text, self.client, INSTRUCTIONS), "instructions")
            self._take_from([other for other in self.others(setting) if other != path], files)

    def take(self, setting: Setting, files: Files) -> None:
        self._take_from(_places(self.where(setting), self.others(setting)), files)

    def found(self, setting: Setting, files: Files) -> Found | None:
        for path in _places(self.where(setting), self.others(setting)):
            text = files.text(path)
            if text is not None and has_block(text, self.client):
                return Found(path)
        return None

    def _take_from(self, paths: Iterable[Path], files: Files) -> None:
        for path in paths:
            if files.text(path) is not None:
                files.change(path, lambda text: drop_block(text, self.client), "instructions", remove_if="")


@frozen
class OwnFile:
    """A whole file of ours; `mark` is in its text, so that a stranger's file of that name is left alone."""

    where: Where
    content: Callable[[Setting], str]
    mark: str
    activations: tuple[Activation, ...] = ("auto", "manual")
    """At which of them it is there."""
    activation: Activation | None = None
    """What its being there says."""

    def path(self, setting: Setting) -> Path | None:
        return self.where(setting)

    def put(self, setting: Setting, files: Files) -> None:
        path = self.where(setting)
        if path is None:
            return
        if setting.activation not in self.activations:
            self.take(setting, files)
            return
        text = files.text(path)
        if text is not None and self.mark not in text:
            raise UserError(f"{path} is there and is not ours. Move it away, then try again.")
        files.replace(path, self.content(setting), path.name)

    def take(self, setting: Setting, files: Files) -> None:
        path = self.where(setting)
        if path is not None and self.mark in (files.text(path) or ""):
            files.replace(path, None, path.name)

    def found(self, setting: Setting, files: Files) -> Found | None:
        path = self.where(setting)
        is_there = path is not None and self.mark in (files.text(path) or "")
        return Found(path, activation=self.activation) if is_there and path is not None else None


def _places(chosen: Path | None, others: tuple[Path, ...]) -> list[Path]:
    return list(dict.fromkeys([chosen, *others] if chosen is not None else others))
