"""Rules of the settings: `Tool` or `Tool(pattern)`, and whether one speaks about an effect."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import urlsplit

from attrs import field, frozen

from aries_kernel.broker.command_words import JOINERS, CommandPattern
from aries_kernel.broker.effects import Effect, ReachNetwork, ReadPath, RunCommand, WritePath
from aries_kernel.broker.globs import PathPattern
from aries_kernel.broker.workspace import Workspace
from aries_kernel.errors import ConfigError, ToolFailed

__all__ = ["Rule", "parse_rules", "rule_for"]

_FORM = re.compile(r"(?P<tool>[A-Za-z_][\w.-]*)(?:\((?P<pattern>.*)\))?", re.DOTALL)
_COVERS: dict[str, type[Effect]] = {"bash": RunCommand, "read": ReadPath, "write": WritePath, "edit": WritePath}
"""Tools whose patterned rules speak for every tool: what `Read(x)` denies, `cat x` in a command may not give away."""


@frozen
class Rule:
    """One rule. `pattern` is None where it speaks about every use of the tool."""

    text: str
    tool: str
    pattern: str | None = None
    command: CommandPattern | None = field(default=None, repr=False, eq=False)
    path: PathPattern | None = field(default=None, repr=False, eq=False)

    def is_about(self, tool: str) -> bool:
        """Whether the rule names `tool`; letters' case does not count, a deny rule must not miss by it."""
        return self.tool.casefold() == tool.casefold()

    def speaks_for(self, tool: str, effect: Effect) -> bool:
        """Whether a pattern of this rule is to be held against `effect` of a call of `tool`."""
        covered = _COVERS.get(self.tool.casefold())
        if covered is not None:
            return isinstance(effect, covered) or (covered is not RunCommand and self.is_about(tool))
        return self.is_about(tool)

    def allows(self, effect: Effect, workspace: Workspace) -> bool:
        """The strict reading, to the letter: for allow rules."""
        if self.pattern is None or self.command is None or self.path is None:
            return True
        if isinstance(effect, RunCommand):
            return effect.doubt is None and self.command.allows(effect.words)
        if isinstance(effect, ReachNetwork):
            return _fits_url(self.pattern, effect.url)
        return self.path.covers(workspace.locate(effect.path).real, workspace.root)

    def catches(self, effect: Effect, workspace: Workspace) -> bool:
        """The wide reading, by name and by real place: for deny and ask rules."""
        if self.pattern is None or self.command is None or self.path is None:
            return True
        if isinstance(effect, RunCommand):
            return self.command.catches(effect.words) or any(self.command.catches((one,)) for one in effect.through)
        if isinstance(effect, ReachNetwork):
            return _fits_url(self.pattern, effect.url)
        places = (workspace.locate(effect.path).real, workspace.named(effect.path))
        return any(self.path.touches(place, workspace.root) for place in places)

    def is_named_by(self, effect: Effect, workspace: Workspace) -> bool:
        """Whether a command has a word that is a path this rule is about: `cat x` under a rule about `Read(x)`."""
        if self.path is None or _COVERS.get(self.tool.casefold()) in (None, RunCommand):
            return False
        words = effect.words[1:] if isinstance(effect, RunCommand) else ()
        pieces = (piece for word in words for piece in {word, word.rpartition("=")[2]})
        return any(self._is_path(piece, workspace) for piece in pieces if piece and not piece.startswith("-"))

    def _is_path(self, word: str, workspace: Workspace) -> bool:
        try:
            return self.catches(ReadPath(Path(word)), workspace)
        except ToolFailed:
            return False  # no file system takes it, so it names no file

    def catches_below(self, effect: Effect, workspace: Workspace) -> bool:
        """Whether `effect` is about a tree in which something may be caught."""
        if self.path is None or not isinstance(effect, ReadPath | WritePath):
            return False
        real = workspace.locate(effect.path).real
        return real.is_dir() and self.path.reaches_into(real, workspace.root)


def parse_rules(texts: Iterable[str], key: str, problems: list[str]) -> tuple[Rule, ...]:
    """Read the rules under `key` of the settings; what is wrong with them is added to `problems`."""
    found = []
    for text in texts:
        try:
            found.append(_parse(text))
        except ConfigError as error:
            problems += [f"{key}: {problem}" for problem in error.problems]
    return tuple(found)


def _parse(text: str) -> Rule:
    match = _FORM.fullmatch(text.strip())
    if match is None:
        raise ConfigError([f"{text!r} is not a rule. Write Tool or Tool(pattern), as in Read or Bash(git status)."])
    tool, pattern = match["tool"], match["pattern"]
    if pattern is None or pattern.strip() in ("*", "**", ":*"):
        return Rule(text.strip(), tool)
    pattern = pattern.strip()
    if not pattern or "\0" in pattern:
        raise ConfigError([f"{text!r} has an empty pattern. Write {tool} for every use of it, or {tool}(pattern)."])
    words = _words(pattern)
    if JOINERS & set(words):
        raise ConfigError([f"{text!r} joins commands. A rule is about one: write a rule for each, as {tool}(git log)."])
    return Rule(text.strip(), tool, pattern, CommandPattern(words), PathPattern(pattern))


def _words(pattern: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(pattern))
    except ValueError:
        return tuple(pattern.split())  # a path may hold a lone quote


def _fits_url(pattern: str, url: str) -> bool:
    """`https://host/path*` by scheme, host and path; anything else is a glob of the host."""
    try:
        asked, host = urlsplit(url), urlsplit(url).hostname or ""
        meant = urlsplit(pattern if "://" in pattern else f"//{pattern}")
        is_place = fnmatchcase(host.casefold(), (meant.hostname or "").casefold())
        is_port = meant.port is None or meant.port == asked.port
    except ValueError:
        return False
    is_scheme = not meant.scheme or meant.scheme.casefold() == asked.scheme.casefold()
    path = meant.path.rstrip("/") if meant.path == "/" else meant.path
    is_path = not path or fnmatchcase(asked.path or "/", path) or asked.path.startswith(path.rstrip("/") + "/")
    return is_place and is_port and is_scheme and is_path and ".." not in asked.path.split("/")


def rule_for(tool: str, effect: Effect, workspace: Workspace) -> str | None:
    """The narrowest useful rule that allows effects of this kind; None where no rule does."""
    pattern = _pattern_for(effect, workspace)
    if pattern is None:
        return None
    owner = tool
    if _covers_commands(tool) and isinstance(effect, ReadPath | WritePath):
        owner = "Read" if isinstance(effect, ReadPath) else "Write"
    problems: list[str] = []
    for rule in parse_rules([f"{owner}({pattern})"], "", problems):
        if rule.pattern is not None and rule.speaks_for(tool, effect) and rule.allows(effect, workspace):
            return rule.text
    return None  # a path or a word that no rule can spell


def _pattern_for(effect: Effect, workspace: Workspace) -> str | None:
    if isinstance(effect, RunCommand):
        return None if effect.doubt or not effect.words else CommandPattern.kind_of(effect.words)
    if isinstance(effect, ReachNetwork):
        return _host_and_port(effect.url)
    shown = workspace.locate(effect.path).shown
    escaped = re.sub(r"[*?\[]", r"[\g<0>]", shown)
    return escaped if "/" in escaped else f"./{escaped}"


def _host_and_port(url: str) -> str | None:
    """What a rule about an address names: a port that stands in it too, for behind each is another program."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not host:
        return None
    host = f"[{host}]" if ":" in host else host
    return host if port is None else f"{host}:{port}"


def _covers_commands(tool: str) -> bool:
    return _COVERS.get(tool.casefold()) is RunCommand
