"""The way every call takes before it runs: policy, hooks, the person."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from aries_kernel.broker.consent import Consent, Person, Question
from aries_kernel.broker.effects import Effect
from aries_kernel.broker.policy import Policy
from aries_kernel.contracts.tool import Tool
from aries_kernel.errors import PluginError, Refused
from aries_kernel.events import Events
from aries_kernel.model.messages import ToolCall
from aries_kernel.model.session import SessionInfo
from aries_kernel.settings.schema import Mode

__all__ = ["Gate"]


@define
class Gate:
    """Lets a call pass or raises Refused with what the model is told."""

    policy: Policy
    person: Person
    events: Events
    info: SessionInfo

    async def admit(
        self,
        call: ToolCall,
        tool: Tool,
        effects: Sequence[Effect],
        clamp: Mode | None,
        *,
        passed: Sequence[Effect] | None = None,
    ) -> None:
        """Return where the call may run.

        `passed` are the effects of a call of this tool that was let pass before: the same question is not asked twice.
        A hook may refuse what the policy allows and allow what it would ask; what the policy refuses stays refused.
        Raises: Refused.
        """
        decision = self.policy.decide(tool.name, effects, mode=clamp, reads_only=tool.reads_only)
        if decision.kind == "refuse":
            raise Refused(" ".join(decision.reasons))
        try:
            verdict = self.events.before_tool(session=self.info, call=call, effects=effects)
        except PluginError as error:
            raise Refused(f"A plugin that guards calls failed: {error}") from error
        if verdict is not None and not verdict.is_allowed:
            raise Refused(verdict.reason)
        if decision.kind == "allow" or verdict is not None:
            return
        if passed is not None and decision.rules:
            before = self.policy.decide(tool.name, passed, mode=clamp, reads_only=tool.reads_only)
            if before.kind == "ask" and before.rules == decision.rules:
                return
        reply = await self.person.may_run(Question(call, decision.reasons, decision.rules))
        if reply.consent is Consent.NO:
            raise Refused(" ".join([*decision.reasons, reply.feedback]).strip())
        if reply.consent is Consent.ALWAYS and decision.rules:
            self.policy = self.policy.allowing(*decision.rules)
