"""The agent: prompt, answer, calls, results, again."""

from __future__ import annotations

import asyncio
import datetime
from collections import deque
from collections.abc import Callable

import attrs
from attrs import define, field

from aries_kernel.broker.consent import Person
from aries_kernel.errors import (
    AriesError,
    ContextOverflow,
    EmptyAnswer,
    Interrupted,
    LimitReached,
    RequestRefused,
    Stuck,
    Submitted,
    TurnSignal,
    UserError,
)
from aries_kernel.events import Events
from aries_kernel.loop.asking import Asker
from aries_kernel.loop.compaction import Compactor, estimate
from aries_kernel.loop.errands import Errands
from aries_kernel.loop.limits import Meter, Progress
from aries_kernel.loop.occupancy import Occupancy, measured
from aries_kernel.loop.phases import Exposure
from aries_kernel.loop.prompt import volatile_block
from aries_kernel.loop.redaction import redacted
from aries_kernel.loop.running import CallRunner
from aries_kernel.loop.undoing import Undone
from aries_kernel.model.events import AnswerCompleted, CallFinished, Notice, TurnEvent, UserSpoke
from aries_kernel.model.messages import AssistantMessage, Image, StopReason, UserMessage
from aries_kernel.model.request import Request
from aries_kernel.model.session import Outcome, OutcomeStatus, SessionInfo
from aries_kernel.router.fitness import require_fit, require_prices
from aries_kernel.router.route import Route
from aries_kernel.router.router import Router
from aries_kernel.session.entries import Compacted, ModelSwitched, PrefixSet, TurnUndone
from aries_kernel.session.session import Session
from aries_kernel.settings.schema import Settings

__all__ = ["Agent"]

CONTINUATIONS = 3
"""A text cut at the output limit is continued so many times."""
COMPACTIONS = 2
"""A turn shortens the conversation so many times; each must help."""
NUDGE = "Your last answer was empty. Go on with the task, or say that it is done."
CONTINUE = "Your answer was cut at the output limit. Go on exactly where it stopped; do not repeat anything."


@define
class Agent:
    """One session with one model. `run` is one turn of the person."""

    session: Session
    info: SessionInfo
    settings: Settings
    router: Router
    asker: Asker
    errands: Errands
    compactor: Compactor
    exposure: Exposure
    runner: CallRunner
    person: Person
    events: Events
    show: Callable[[TurnEvent], None]
    redact: Callable[[str], str]
    clock: Callable[[], float]
    now: Callable[[], datetime.datetime]
    system: str
    compose: Callable[[], str]
    """Makes the text of the stable prefix anew, for what is shown by then."""
    meter: Meter
    _steering: deque[str] = field(factory=deque)
    _follow_ups: deque[str] = field(factory=deque)
    _task: asyncio.Task[None] | None = None
    _is_interrupted: bool = False
    _untold: list[str] = field(factory=list)
    """What happened between two turns, for the next message."""
    _compactions: int = 0

    @property
    def route(self) -> Route:
        """Where the session's requests go now."""
        return self.router.route("primary")

    def switch(self, words: str) -> None:
        """Go on with another model, or another effort: `MODEL`, `MODEL EFFORT`, `EFFORT`, or the name of a slot.

        Raises: UserError and its kinds, PluginError; everything stays as it is then.
        """
        old, system = self.route, self.system
        route = self.router.switch(words)
        try:
            require_prices(route, self.settings.budget)
            if self.exposure.follow(route.current.spec):
                self.system = self.compose()
            require_fit(route, self.system, self.exposure.schemas())
        except UserError:
            self.router.restore(old)
            self.exposure.follow(old.current.spec)
            self.system = system
            raise
        self.session.record(ModelSwitched(route.current.spec, route.effort))
        self.info = attrs.evolve(self.info, model=route.current.spec)
        self.runner = attrs.evolve(self.runner, info=self.info)
        self.runner.gate.info = self.info

    def status(self) -> tuple[str, ...]:
        """For a status line: the model, the phase with its mode, and what tools hold open."""
        route, shown = self.route, self.exposure
        model = f"{route.current.spec}{f' {route.effort}' if route.effort else ''}"
        return (model, f"phase {shown.name}, tools {shown.mode}", *shown.toolbox.statuses())

    def undo(self) -> Undone | None:
        """Take back what the newest turn that wrote files wrote; None where there is none. Not while a turn runs."""
        undone = self.runner.undo.undo()
        if undone is None:
            return None
        shown = [self.runner.undo.workspace.locate(path).shown for path in undone.restored]
        left = [self.runner.undo.workspace.locate(path).shown for path, _ in undone.left]
        self.session.record(TurnUndone(tuple(shown), tuple(left)))
        if undone.restored:
            self.events.files_changed(session=self.info, paths=undone.restored)
            self._untold.append(f"The person undid your changes; these files are as they were: {', '.join(shown)}")
        return undone

    def steer(self, text: str) -> None:
        """Say something while the agent works: delivered before the next call that has not started."""
        self._steering.append(text)

    def follow_up(self, text: str) -> None:
        """Say something when the agent is done with what it does."""
        self._follow_ups.append(text)

    def is_steered(self) -> bool:
        """Whether the person said something that is not delivered yet."""
        return bool(self._steering)

    def interrupt(self) -> None:
        """Stop the turn at once; the outcome says so and the session stays whole."""
        self._is_interrupted = True
        if self._task is not None:
            self._task.cancel()

    async def run(self, text: str, images: tuple[Image, ...] = ()) -> Outcome:
        """Take a prompt and work until there is an answer, a limit, an interruption or an error.

        Raises: asyncio.CancelledError where the caller was cancelled (the session is healed first); defects.
        """
        self.meter = Meter(self.settings.budget, self.clock)
        self.asker.account.turn = len(self.session.history.outcomes) + 1
        self.route.begin_turn()
        self._is_interrupted = False
        try:
            outcome = await self._supervised(text, images)
        except asyncio.CancelledError:
            self._finish(OutcomeStatus.INTERRUPTED, "Interrupted.")
            raise
        self.events.after_turn(session=self.info, outcome=outcome)
        self.tell_complaints()
        return outcome

    def tell_complaints(self) -> None:
        """Warn of plugins that failed meanwhile."""
        for complaint in self.events.complaints():
            self.show(Notice(complaint))

    async def _supervised(self, text: str, images: tuple[Image, ...]) -> Outcome:
        try:
            await self._until_signal(text, images)
        except TurnSignal as signal:
            return self._finish(signal.status, signal.reason)
        except AriesError as error:
            return self._finish(OutcomeStatus.FAILED, " ".join([str(error), *getattr(error, "__notes__", ())]))
        raise AssertionError("a turn ends by a signal")

    async def _until_signal(self, text: str, images: tuple[Image, ...]) -> None:
        self._task = asyncio.create_task(self._turn(text, images))
        scope = asyncio.timeout(self.meter.seconds_left)
        try:
            async with scope:
                await self._task
        except TimeoutError as error:
            if not scope.expired():
                raise
            limit = self.settings.budget.max_seconds
            raise LimitReached(f"The limit of {limit:g} seconds is used up (budget.max_seconds).") from error
        except asyncio.CancelledError:
            if not self._is_interrupted:
                raise
            raise Interrupted("Interrupted.") from None
        finally:
            self._task = None

    async def _turn(self, text: str, images: tuple[Image, ...]) -> None:
        notes = (*self._untold, *self.events.before_turn(session=self.info, text=text))
        self._untold.clear()
        self.runner.undo.begin_turn()
        self._say(text, notes, images)
        progress, nudged, continued = Progress(), False, 0
        self._compactions = 0
        while True:
            self._deliver_steering(progress)
            self.meter.check()
            if self._compactions < COMPACTIONS and self._fitted_compactor().is_due(self.session.messages):
                await self.compact()
            try:
                answer = await self._ask()
            except ContextOverflow:
                # A single prompt that is too long does not get shorter by a summary of nothing.
                if self._compactions >= COMPACTIONS or len(self.session.messages) < 2:
                    raise
                await self.compact()
                continue
            except EmptyAnswer:
                if nudged:
                    raise
                nudged = True
                self._say(NUDGE, ())
                continue
            nudged = False
            if answer.calls:
                await self._run_calls(answer, progress)
            elif answer.stop is StopReason.LENGTH and continued < CONTINUATIONS:
                continued += 1
                self._say(CONTINUE, ())
            elif not self._deliver_next(progress):
                self._submit(answer)

    async def compact(self) -> None:
        """Make the conversation shorter; called by itself when it is time, and by a person who wants it.

        Raises: ContextOverflow where it cannot be made shorter, RetriableError and FatalError of the model.
        """
        self._compactions += 1
        messages = self.session.messages
        notes = self.events.compacting(session=self.info, messages=messages)
        shorter = await self._fitted_compactor().compact(messages, notes)
        self.session.record(Compacted(shorter))
        before, after = estimate(messages), estimate(shorter)
        self.show(Notice(f"The conversation was shortened, from about {before:,} to {after:,} tokens."))

    async def occupancy(self) -> Occupancy:
        """What fills the model's window now."""
        used = next((m.usage.total for m in reversed(self.session.messages) if isinstance(m, AssistantMessage)), 0)
        return await measured(self._request(self._prefix()), self.route, used or None)

    def _fitted_compactor(self) -> Compactor:
        return attrs.evolve(self.compactor, window=self.route.window)

    async def _ask(self) -> AssistantMessage:
        prefix = self._prefix()
        if prefix != self.session.history.prefix:
            self.session.record(prefix)
        request = self._request(prefix)
        self.events.before_model(session=self.info, request=request)
        answer = await self.asker.ask(request, self.route)
        self.meter.answers += 1
        # What runs is what the model wrote; what is kept, shown and sent again holds no known secret.
        kept = attrs.evolve(answer, parts=tuple(redacted(part, self.redact) for part in answer.parts))
        self.session.answer(kept)
        self.show(AnswerCompleted(kept))
        self.events.after_model(session=self.info, message=kept)
        return answer

    def _prefix(self) -> PrefixSet:
        shown = self.exposure
        return PrefixSet(self.system, shown.schemas(), shown.name, tuple(shown.widened), shown.mode)

    def _request(self, prefix: PrefixSet) -> Request:
        return Request(
            model=self.route.current.model.name,
            system=prefix.system,
            tools=prefix.tools,
            messages=self.session.messages,
            session=self.session.root,
            max_output=self.route.max_output,
            effort=self.route.effort,
        )

    async def _run_calls(self, answer: AssistantMessage, progress: Progress) -> None:
        try:
            progress.before(answer)
        except Stuck as limit:
            if not await self.person.may_continue(limit.reason):
                self.runner.refuse(answer.calls, limit.reason)
                raise
            progress.forget()
        self.meter.calls += len(answer.calls)
        results = await self.runner.run(answer)
        try:
            progress.after(answer.calls, results)
        except Stuck as limit:
            if not await self.person.may_continue(limit.reason):
                raise
            progress.forget()

    def _submit(self, answer: AssistantMessage) -> None:
        if answer.stop is StopReason.FILTERED:
            raise RequestRefused("The answer was withheld by the model's content filter.")
        if answer.stop is StopReason.LENGTH:
            raise LimitReached("The answer is longer than the model's output limit, several times over.")
        raise Submitted

    def _deliver_steering(self, progress: Progress) -> bool:
        texts = list(self._steering)
        self._steering.clear()
        for text in texts:
            progress.forget()
            self._say(text, ())
        return bool(texts)

    def _deliver_next(self, progress: Progress) -> bool:
        if self._deliver_steering(progress):
            return True
        if not self._follow_ups:
            return False
        progress.forget()
        text = self._follow_ups.popleft()
        self._say(text, self.events.before_turn(session=self.info, text=text))
        return True

    def _say(self, text: str, notes: tuple[str, ...], images: tuple[Image, ...] = ()) -> None:
        volatile = volatile_block(self.now(), self.session.messages, self.route.window, notes)
        message = UserMessage(self.redact(text), self.redact(volatile), images)
        self.session.say(message)
        self.show(UserSpoke(message))

    def _finish(self, status: OutcomeStatus, reason: str) -> Outcome:
        for result in self.session.heal():
            self.show(CallFinished(result))
        outcome = Outcome(
            status=status,
            text=self._last_text(),
            reason=self.redact(reason),
            answers=self.meter.answers,
            calls=self.meter.calls,
            usage=self.meter.usage,
            cost=self.meter.cost,
            seconds=round(self.meter.seconds, 3),
        )
        self.session.end_turn(outcome)
        return outcome

    def _last_text(self) -> str:
        """The last answer's text, with the parts that were continued in front."""
        pieces: list[str] = []
        for message in reversed(self.session.messages):
            if isinstance(message, AssistantMessage):
                pieces.append(message.text)
            elif not (isinstance(message, UserMessage) and message.text == CONTINUE):
                break
        return "".join(reversed(pieces))
