"""Hooks in a client's JSON: groups with matchers as Claude Code has them, or flat entries as Cursor has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from aries_kernel.contracts.bridge import Activation, Setting
from ori_memory.bridging.command_words import hook_of, hook_words, shell_text, vault_in
from ori_memory.bridging.files import Files
from ori_memory.bridging.json_editing import drop_items, drop_json, put_items, put_json, value_at
from ori_memory.bridging.surface import Found, Where

__all__ = ["HookEntries", "Moment", "direct_entry", "flat_entry", "grouped_entry"]

_ROOT = "hooks"


@frozen
class Moment:
    """When the client runs a hook of ours."""

    event: str
    """As the client calls it."""
    hook: str
    """orient, validate or capture."""
    timeout: int
    """In the unit that the client takes."""
    matcher: str = ""
    activations: tuple[Activation, ...] = ("auto",)


Entry = Callable[[Moment, tuple[str, ...], str], dict[str, Any]]
"""From the words to run and the platform."""


def grouped_entry(moment: Moment, words: tuple[str, ...], platform: str) -> dict[str, Any]:
    """A group with one hook, whose command is a line for a shell."""
    return _grouped(moment, {"type": "command", "command": shell_text(words, platform), "timeout": moment.timeout})


def direct_entry(moment: Moment, words: tuple[str, ...], platform: str) -> dict[str, Any]:
    """A group with one hook that is started without a shell."""
    command = {"command": words[0], "args": list(words[1:])}
    return _grouped(moment, {"type": "command", **command, "timeout": moment.timeout})


def flat_entry(moment: Moment, words: tuple[str, ...], platform: str) -> dict[str, Any]:
    """The hook alone."""
    return {"command": shell_text(words, platform), **({"matcher": moment.matcher} if moment.matcher else {})}


def _grouped(moment: Moment, hook: dict[str, Any]) -> dict[str, Any]:
    return {**({"matcher": moment.matcher} if moment.matcher else {}), "hooks": [hook]}


@frozen
class HookEntries:
    """All hooks of ours in one file."""

    where: Where
    client: str
    moments: tuple[Moment, ...]
    entry: Entry = grouped_entry
    head: Mapping[str, Any] = {}
    """Members that the file must have beside."""

    def path(self, setting: Setting) -> Path | None:
        return self.where(setting)

    def put(self, setting: Setting, files: Files) -> None:
        path = self.where(setting)
        if not any(setting.activation in moment.activations for moment in self.moments):
            self.take(setting, files)
        elif path is not None:
            files.change(path, lambda text: self._put(text, setting), "hooks")

    def take(self, setting: Setting, files: Files) -> None:
        path = self.where(setting)
        if path is not None and files.text(path) is not None:
            files.change(path, self._drop, "hooks", remove_if="{}")

    def found(self, setting: Setting, files: Files) -> Found | None:
        path = self.where(setting)
        if path is None or files.text(path) is None:
            return None
        seen: list[str] = []

        def look(text: str) -> str:
            seen.extend(_commands(value_at(text, (_ROOT,))))
            return text

        files.change(path, look, "")
        if not seen:
            return None
        is_auto = any(hook_of(command.split("\0")) in ("orient", "capture") for command in seen)
        return Found(path, (), vault_in(seen[0].split("\0")), "auto" if is_auto else "manual")

    def _put(self, text: str, setting: Setting) -> str:
        active = [moment for moment in self.moments if setting.activation in moment.activations]
        for event in _events(text):
            text = self._drop_event(text, event, keep_whole=any(moment.event == event for moment in active))
        for name, value in self.head.items():
            text = text if value_at(text, (name,)) is not None else put_json(text, (name,), value)
        for event in dict.fromkeys(moment.event for moment in active):
            wanted = [
                self.entry(moment, hook_words(setting, moment.hook, self.client), setting.platform)
                for moment in active
                if moment.event == event
            ]
            text = put_items(text, (_ROOT, event), wanted, _is_ours)
        return text

    def _drop(self, text: str) -> str:
        before = text
        for event in _events(text):
            text = self._drop_event(text, event)
        names = value_at(text, ())
        if text != before and isinstance(names, dict) and names == dict(self.head):
            for name in self.head:
                text = drop_json(text, (name,))
        return text

    def _drop_event(self, text: str, event: str, *, keep_whole: bool = False) -> str:
        """`keep_whole`: groups that are all ours stay, to be brought up to date."""
        groups = value_at(text, (_ROOT, event))
        for at, group in enumerate(groups if isinstance(groups, list) else []):
            if not _is_ours(group) and isinstance(group, dict) and _commands(group):
                text = drop_items(text, (_ROOT, event, at, "hooks"), _is_ours, prune=False)
        return text if keep_whole else drop_items(text, (_ROOT, event), _is_ours)


def _events(text: str) -> list[str]:
    """Events with something of ours."""
    hooks = value_at(text, (_ROOT,))
    return [name for name, groups in hooks.items() if _commands(groups)] if isinstance(hooks, dict) else []


def _commands(value: Any) -> list[str]:
    """Commands of ours, wherever they stand; the words of one apart by NUL, where it is a list."""
    if isinstance(value, dict):
        given = [value.get(name) for name in ("command", "bash")]
        args = value.get("args")
        lines = [
            "\0".join([one, *map(str, args)]) if isinstance(args, list) else one
            for one in given
            if isinstance(one, str)
        ]
        own = [line for line in lines if hook_of(line.split("\0"))]
        return own[:1] + [one for part in value.values() for one in _commands(part)]
    return [one for part in value for one in _commands(part)] if isinstance(value, list) else []


def _is_ours(value: Any) -> bool:
    """A hook of ours, or a group in which there is no other."""
    if not isinstance(value, dict):
        return False
    inner = value.get("hooks")
    if isinstance(inner, list) and inner:
        return all(_is_ours(one) for one in inner)
    return bool(_commands(value))
