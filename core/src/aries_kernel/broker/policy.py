"""The permission policy: may a call happen, must somebody be asked, or never.

    mode        reads inside   writes inside   commands, network   outside the workspace
    read-only   pass           refused         refused             reads ask
    ask         pass           ask             ask                 ask
    edits       pass           pass            ask                 ask
    all         pass           pass            pass                refused

Rules add to that: deny wins over ask, ask over allow, and every effect of a call must pass by itself. No rule loosens
`read-only`, and none opens a file that holds secrets. Rules are not a sandbox: they judge what a call says it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import attrs
from attrs import frozen

from aries_kernel.broker.effects import Effect, ReachNetwork, ReadPath, RunCommand, WritePath
from aries_kernel.broker.guarded import guarded_part
from aries_kernel.broker.rules import Rule, parse_rules, rule_for
from aries_kernel.broker.secrets import holds_secrets
from aries_kernel.broker.workspace import Workspace
from aries_kernel.errors import ConfigError, ToolFailed
from aries_kernel.settings.schema import Mode, Permissions

__all__ = ["Decision", "Policy"]

Kind = Literal["allow", "ask", "refuse"]
_STRICTEST_FIRST: tuple[Mode, ...] = ("read-only", "ask", "edits", "all")
_WEIGHT: dict[Kind, int] = {"allow": 0, "ask": 1, "refuse": 2}


@frozen
class Decision:
    """What the policy says about one call."""

    kind: Kind
    reasons: tuple[str, ...] = ()
    """Why it asks or refuses, and what would allow it; for the person and for the model. Empty for `allow`."""
    rules: tuple[str, ...] = ()
    """Rules that, all of them added to `allow`, let calls of just this kind pass; empty where no such rule exists."""


_ALLOW = Decision("allow")


@frozen
class Policy:
    """What is allowed in one session. Immutable: "always" answers make a new one."""

    workspace: Workspace
    mode: Mode = "ask"
    allow: tuple[Rule, ...] = ()
    ask: tuple[Rule, ...] = ()
    deny: tuple[Rule, ...] = ()

    @classmethod
    def make(cls, permissions: Permissions, workspace: Workspace) -> Policy:
        """Read the rules of the settings. Raises: ConfigError naming every bad one."""
        problems: list[str] = []
        allow = parse_rules(permissions.allow, "permissions.allow", problems)
        ask = parse_rules(permissions.ask, "permissions.ask", problems)
        deny = parse_rules(permissions.deny, "permissions.deny", problems)
        if problems:
            raise ConfigError(problems)
        return cls(workspace, permissions.mode, allow, ask, deny)

    def allowing(self, *rules: str) -> Policy:
        """The same policy with more allow rules, for the rest of a session. Raises: ConfigError."""
        problems: list[str] = []
        more = parse_rules(rules, "allow", problems)
        if problems:
            raise ConfigError(problems)
        return attrs.evolve(self, allow=(*self.allow, *more))

    def decide(
        self, tool: str, effects: Sequence[Effect], *, mode: Mode | None = None, reads_only: bool = False
    ) -> Decision:
        """Judge one call.

        `mode` is a phase's clamp: the stricter of it and the session's holds, so a phase of a stranger's project cannot
        loosen anything. `reads_only` is the tool's own: a tool without it that names no write, command or request
        counts as changing something unknown.
        """
        clamped = self.mode if mode is None else min(self.mode, mode, key=_STRICTEST_FIRST.index)
        if clamped not in _STRICTEST_FIRST:
            raise ConfigError([f"'{clamped}' is not a permission mode. Known: {', '.join(_STRICTEST_FIRST)}."])
        found = [self._judge_tool(tool, effects, clamped, reads_only)]
        found += [self._judge(tool, effect, clamped) for effect in effects]
        return _combine(found)

    def _judge_tool(self, tool: str, effects: Sequence[Effect], mode: Mode, reads_only: bool) -> Decision:
        """What holds for the call as a whole: rules by bare name, changes that were not declared."""
        for rule in self.deny:
            if rule.pattern is None and rule.is_about(tool):
                return Decision("refuse", (f"{tool}: the deny rule {rule.text} forbids it.",))
        is_declared = reads_only or any(not isinstance(effect, ReadPath) for effect in effects)
        if mode == "read-only" and not is_declared:
            return Decision("refuse", (f"{tool} changes things, and the mode is read-only.",))
        for rule in self.ask:
            if rule.pattern is None and rule.is_about(tool):
                return Decision("ask", (f"{tool}: the ask rule {rule.text} wants a question each time.",))
        if is_declared or mode == "all" or self._is_bare_allowed(tool):
            return _ALLOW
        return Decision("ask", (f"{tool} does not say what it changes, and no rule {tool} allows it.",), (tool,))

    def _judge(self, tool: str, effect: Effect, mode: Mode) -> Decision:
        shown = _shown(tool, effect)
        if isinstance(effect, ReadPath | WritePath):
            try:
                real = self.workspace.locate(effect.path).real
            except ToolFailed as error:
                return Decision("refuse", (f"{shown}: {error}",))
            if holds_secrets(real) or holds_secrets(self.workspace.named(effect.path)):
                return Decision(
                    "refuse", (f"{shown}: the file holds secrets; no tool may touch it, no rule opens it.",)
                )
        for rule in self._patterned(self.deny, tool, effect):
            if rule.catches(effect, self.workspace):
                return Decision("refuse", (f"{shown}: the deny rule {rule.text} forbids it.",))
        if mode == "read-only" and not isinstance(effect, ReadPath):
            return Decision("refuse", (f"{shown}: the mode is read-only; no rule loosens it.",))
        for rule in self._patterned(self.ask, tool, effect):
            if rule.catches(effect, self.workspace):
                return Decision("ask", (f"{shown}: the ask rule {rule.text} wants a question each time.",))
        found = self._judge_by_mode(tool, effect, mode)
        doubted = self._doubt(tool, effect)
        if doubted is not None and found.kind != "refuse":
            return Decision("ask", (f"{shown}: {doubted}",))
        return found

    def _judge_by_mode(self, tool: str, effect: Effect, mode: Mode) -> Decision:
        if isinstance(effect, RunCommand):
            return self._judge_command(tool, effect, mode)
        if isinstance(effect, ReachNetwork):
            return self._unless_allowed(tool, effect, mode, mode == "all")
        return self._judge_path(tool, effect, mode)

    def _doubt(self, tool: str, effect: Effect) -> str | None:
        """Why it cannot be shown that no deny or ask rule means this."""
        for rule in (*self._patterned(self.deny, tool, effect), *self._patterned(self.ask, tool, effect)):
            if isinstance(effect, RunCommand) and effect.doubt is not None:
                return f"it may be what the rule {rule.text} means, for {effect.doubt}."
            if rule.catches_below(effect, self.workspace):
                return f"the rule {rule.text} is about something in that folder; name a folder without it."
        for rule in (*self.deny, *self.ask):
            if rule.is_named_by(effect, self.workspace):
                return f"it names a file that the rule {rule.text} is about."
        return None

    def _judge_command(self, tool: str, effect: RunCommand, mode: Mode) -> Decision:
        if mode == "all" or self._is_bare_allowed(tool) or self._allowing_rule(tool, effect):
            return _ALLOW
        shown = _shown(tool, effect)
        if effect.doubt is not None:
            reason = f"{shown}: no rule about commands can allow it, for {effect.doubt}."
            return Decision("ask", (f"{reason} Only the rule {tool}, or the mode all, would.",))
        return self._asked(tool, effect)

    def _judge_path(self, tool: str, effect: ReadPath | WritePath, mode: Mode) -> Decision:
        located, rule = self.workspace.locate(effect.path), self._allowing_rule(tool, effect)
        if not located.is_inside and rule is None:
            wanted = rule_for(tool, effect, self.workspace)
            opened = f"; the allow rule {wanted}, or its folder under workspace.also, opens it" if wanted else ""
            kind: Kind = "refuse" if mode == "all" else "ask"
            reason = f"{_shown(tool, effect)}: {located.shown} is outside the workspace{opened}."
            return Decision(kind, (reason,), (wanted,) if wanted else ())
        if isinstance(effect, ReadPath) or mode == "all":
            return _ALLOW
        part = guarded_part(located.real) or guarded_part(self.workspace.named(effect.path))
        if part is not None:
            return self._judge_guarded(tool, effect, part)
        return self._unless_allowed(tool, effect, mode, mode == "edits")

    def _judge_guarded(self, tool: str, effect: WritePath, part: str) -> Decision:
        for rule in self._patterned(self.allow, tool, effect):
            if rule.path is not None and rule.path.names(part) and rule.allows(effect, self.workspace):
                return _ALLOW
        wanted = rule_for(tool, effect, self.workspace)
        reason = f"{_shown(tool, effect)}: what is written to {part} may run as code or change what is allowed"
        return Decision("ask", (f"{reason}; only a rule that names {part} allows it.",), (wanted,) if wanted else ())

    def _unless_allowed(self, tool: str, effect: Effect, mode: Mode, is_open: bool) -> Decision:
        if is_open or mode == "all" or self._is_bare_allowed(tool) or self._allowing_rule(tool, effect):
            return _ALLOW
        return self._asked(tool, effect)

    def _asked(self, tool: str, effect: Effect) -> Decision:
        wanted = rule_for(tool, effect, self.workspace)
        return Decision("ask", (f"{_shown(tool, effect)}: no rule allows it.",), (wanted,) if wanted else ())

    def _is_bare_allowed(self, tool: str) -> bool:
        return any(rule.pattern is None and rule.is_about(tool) for rule in self.allow)

    def _allowing_rule(self, tool: str, effect: Effect) -> Rule | None:
        rules = self._patterned(self.allow, tool, effect)
        return next((rule for rule in rules if rule.allows(effect, self.workspace)), None)

    @staticmethod
    def _patterned(rules: tuple[Rule, ...], tool: str, effect: Effect) -> list[Rule]:
        return [rule for rule in rules if rule.pattern is not None and rule.speaks_for(tool, effect)]


def _shown(tool: str, effect: Effect) -> str:
    if isinstance(effect, RunCommand):
        return f"{tool}({effect.text})"
    if isinstance(effect, ReachNetwork):
        return f"{tool}({effect.url})"
    return f"{tool}({effect.path})"


def _combine(found: Sequence[Decision]) -> Decision:
    """The strictest decision, with every reason of that kind; rules only where they would mend all of them."""
    kind = max((one.kind for one in found), key=_WEIGHT.__getitem__)
    if kind == "allow":
        return _ALLOW
    deciding = [one for one in found if one.kind == kind]
    reasons = tuple(dict.fromkeys(reason for one in deciding for reason in one.reasons))
    mendable = all(one.rules for one in deciding)
    rules = tuple(dict.fromkeys(rule for one in deciding for rule in one.rules)) if mendable else ()
    return Decision(kind, reasons, rules)
