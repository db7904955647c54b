"""Everything a session is made of, put together: what the command line, the screen and tests have in common."""

from __future__ import annotations

import asyncio
import datetime
import functools
import glob
import random
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from attrs import define, field, frozen

from aries_kernel.broker.consent import Nobody, Person
from aries_kernel.broker.policy import Policy
from aries_kernel.broker.secrets import Redactor, child_environment, secret_values
from aries_kernel.broker.workspace import Workspace
from aries_kernel.contracts.tool import ToolContext
from aries_kernel.discovery.registry import Plugins
from aries_kernel.events import Events
from aries_kernel.loop.agent import Agent
from aries_kernel.loop.asking import Asker, NoJournal
from aries_kernel.loop.compaction import Compactor
from aries_kernel.loop.errands import CodeQuestions, Errands
from aries_kernel.loop.gate import Gate
from aries_kernel.loop.inner import SessionCalls, Way
from aries_kernel.loop.limits import Meter
from aries_kernel.loop.phases import Exposure
from aries_kernel.loop.prompt import folder_line, read_instructions, system_prompt
from aries_kernel.loop.redaction import redacting
from aries_kernel.loop.running import CallRunner
from aries_kernel.loop.undoing import Undo
from aries_kernel.model.events import Notice, SessionOpened, TurnEvent
from aries_kernel.model.messages import AssistantMessage
from aries_kernel.model.session import PromptSection, SessionInfo
from aries_kernel.model.usage import Usage
from aries_kernel.router.accounting import Account
from aries_kernel.router.fitness import require_fit, require_prices, unfit_fallbacks
from aries_kernel.router.ledger import Ledger
from aries_kernel.router.listed import ListedModels
from aries_kernel.router.naming import resolved
from aries_kernel.router.route import SlotName
from aries_kernel.router.router import Router
from aries_kernel.session.entries import PrefixSet
from aries_kernel.session.session import Session
from aries_kernel.session.store import SessionStore
from aries_kernel.settings.loading import Loaded
from aries_kernel.tools.registry import Toolbox

__all__ = ["Host", "Surroundings"]


@frozen
class Surroundings:
    """What the kernel takes from the machine; passed in, so that every test is repeatable."""

    environ: Mapping[str, str]
    home: Path
    state_folder: Path
    cache_folder: Path
    now: Callable[[], datetime.datetime]
    clock: Callable[[], float]
    """Seconds, monotonic."""
    chance: random.Random
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


def _summariser(errands: Errands, slot: SlotName) -> Callable[[str, str], Awaitable[AssistantMessage]]:
    async def summarise(system: str, transcript: str) -> AssistantMessage:
        return await errands.ask(slot, system, transcript, purpose="summary")

    return summarise


@define
class Host:
    """One program that opens sessions in one folder."""

    surroundings: Surroundings
    cwd: Path
    loaded: Loaded
    plugins: Plugins
    person: Person = field(factory=Nobody)
    show: Callable[[TurnEvent], None] = lambda event: None
    warnings: list[str] = field(factory=list)
    _open: list[tuple[Agent, Router]] = field(factory=list)
    _closing: list[Callable[[], Awaitable[None]]] = field(factory=list)

    @property
    def store(self) -> SessionStore:
        """The sessions of this machine."""
        return SessionStore(self.surroundings.state_folder / "sessions", self.surroundings.now)

    @property
    def workspace(self) -> Workspace:
        """The folder of the session and those that the settings add to it."""
        also = (Path(path).expanduser() for path in self.loaded.settings.workspace.also)
        return Workspace(self.cwd, tuple(self.cwd / path for path in also))

    def router(self) -> Router:
        """The slots and their models; what is odd about them is added to the warnings."""
        surroundings = self.surroundings
        listed = ListedModels(surroundings.cache_folder / "models")
        return Router(self.plugins.drivers, self.loaded, surroundings.environ, self.cwd, listed, self.warnings)

    @property
    def usage_folder(self) -> Path:
        """Where sessions record what they spend."""
        return self.surroundings.state_folder / "usage"

    def exposure(self, spill: Path, inner: SessionCalls | None = None) -> Exposure:
        """The tools of the configured phase; `inner` is for those that call others."""
        settings = self.loaded.settings
        toolbox = Toolbox(self.plugins.drivers, self._tool_context(spill, inner))
        model = resolved(settings.models.primary.model, settings.models.shortnames)
        phase = settings.phases[settings.phase]
        return Exposure(toolbox, settings.phase, phase, modes=settings.tools, model=model)

    def calls(self) -> tuple[SessionCalls, Exposure]:
        """Tools without a model: what calls them meets the same policy and the same hooks, and no log.

        Raises: UserError and its kinds, PluginError.
        """
        inner, spill = SessionCalls(), self._spill_folder()
        exposure, events = self.exposure(spill, inner), self.plugins.events()
        info = SessionInfo("none", self.cwd, "none", False, self.loaded.settings.overview)
        gate = Gate(self._policy(spill), self.person, events, info)
        models = self.questions()
        inner.open(Way(exposure.toolbox, gate, exposure.clamp, events, self.redactor(), show=self.show, models=models))
        return inner, exposure

    def questions(self) -> CodeQuestions | None:
        """Questions to the cheap slot where there is no session; None where no model is set for it.

        What they spend is recorded, and what they hold open is freed by `close`.
        """
        router = self.router()
        if router.configured("cheap") != "cheap":
            return None
        surroundings, settings = self.surroundings, self.loaded.settings
        meter = Meter(settings.budget, surroundings.clock)
        name = f"code-{surroundings.now():%Y%m%d-%H%M%S}-{surroundings.chance.randrange(16**6):06x}"
        ledger = Ledger.of(self.usage_folder, name)
        account = Account(name, ledger, surroundings.now, self.show, meter.spend)
        asker = Asker(NoJournal(name), settings.retry, self.show, account, surroundings.chance, surroundings.sleep)

        async def close() -> None:
            ledger.close()
            await router.close()

        self._closing.append(close)
        return CodeQuestions(Errands(asker, router), settings.budget, meter.check_spending)

    def open(self, *, resume: str | None = None, fork: bool = False) -> Agent:
        """A session that is ready for its first prompt; everything that can be wrong is said before one exists.

        Raises: UserError and its kinds, PluginError, FatalError.
        """
        inner, spill = SessionCalls(), self._spill_folder()
        policy = self._policy(spill)
        exposure = self.exposure(spill, inner)
        router = self.router()
        route = router.route("primary")
        slots: set[SlotName] = {"primary", self.loaded.settings.compact.slot}
        for slot in sorted(slots):
            require_prices(router.route(slot), self.loaded.settings.budget)
        instructions, _ = read_instructions(self.workspace, self.loaded.settings.instructions)
        exposure.follow(route.current.spec)
        told = [*exposure.sections(), *instructions]
        system, tools = system_prompt(self.cwd, exposure.hidden(), told), exposure.schemas()
        require_fit(route, system, tools)
        for spec, reason in unfit_fallbacks(route, system, tools).items():
            route.leave_out(spec)
            self.warnings.append(f"models.primary.fallbacks: {spec} cannot be used. {reason}")
        session = self._session(route.current.spec, resume, fork)
        agent = self._assemble(session, router, policy, exposure, resume is not None)
        inner.open(self._way(agent, exposure))
        self._open.append((agent, router))
        self._greet(agent, exposure)
        return agent

    def _way(self, agent: Agent, exposure: Exposure) -> Way:
        models = CodeQuestions(agent.errands, self.loaded.settings.budget, lambda: agent.meter.check_spending())
        return Way(
            exposure.toolbox,
            agent.runner.gate,
            exposure.clamp,
            agent.events,
            agent.redact,
            record=agent.session.record,
            show=self.show,
            undo=agent.runner.undo,
            models=models,
        )

    async def close(self) -> None:
        """End every session that was opened; their logs stay."""
        while self._closing:
            await self._closing.pop()()
        while self._open:
            agent, router = self._open.pop()
            outcomes = agent.session.history.outcomes
            agent.events.session_end(session=agent.info, outcome=outcomes[-1] if outcomes else None)
            agent.tell_complaints()
            await agent.exposure.toolbox.close()
            agent.session.log.close()
            agent.asker.account.ledger.close()
            await router.close()

    def redactor(self) -> Redactor:
        """Keeps the values of secret variables and of the project's `.env` files out of text."""
        environ = self.surroundings.environ
        dotenv = [file for file in sorted(self.cwd.glob(".env*")) if file.is_file()]
        named = (environ[name] for name in self._key_variables() if len(environ.get(name, "")) >= 8)
        return Redactor(secret_values(environ, dotenv).union(named))

    def _key_variables(self) -> set[str]:
        """Variables that the settings name as holding a key, whatever they are called."""
        providers = self.loaded.settings.providers.values()
        named = {str(value) for options in providers for key, value in options.items() if key.endswith("key_env")}
        return named | ({self.loaded.settings.web.search.api_key_env} - {""})

    def _spill_folder(self) -> Path:
        return self.surroundings.state_folder / "spill" / f"{self.surroundings.chance.randrange(16**12):012x}"

    def _policy(self, spill: Path) -> Policy:
        policy = Policy.make(self.loaded.settings.permissions, self.workspace)
        # What did not fit a result is named to the model, which may read it there.
        kept = f"{glob.escape(spill.as_posix())}/**"
        return policy.allowing(f"Read({kept})", f"Grep({kept})")

    def _tool_context(self, spill: Path, inner: SessionCalls | None) -> ToolContext:
        def keep(suffix: str, data: bytes) -> Path:
            spill.mkdir(parents=True, exist_ok=True, mode=0o700)
            stamp = f"{self.surroundings.now():%Y%m%d-%H%M%S-%f}"
            path = spill / f"{stamp}-{self.surroundings.chance.randrange(16**6):06x}{suffix}"
            path.touch(mode=0o600)
            path.write_bytes(data)
            return path

        settings = self.loaded.settings
        return ToolContext(
            workspace=self.workspace,
            environ=child_environment(self.surroundings.environ, self._key_variables()),
            limits=settings.output,
            spill=keep,
            spill_folder=spill,
            inner=inner,
            state_folder=self.surroundings.state_folder,
            plugins=self.plugins.drivers,
            home=self.surroundings.home,
            body=settings.body,
            web=settings.web,
            secret=self.surroundings.environ.get,
        )

    def _session(self, model: str, resume: str | None, fork: bool) -> Session:
        if resume is None:
            return self.store.create(self.cwd, model)
        return self.store.fork(resume, self.cwd, model) if fork else self.store.resume(resume, model)

    def _assemble(
        self, session: Session, router: Router, policy: Policy, exposure: Exposure, is_resumed: bool
    ) -> Agent:
        settings, events, redact = self.loaded.settings, self.plugins.events(), self.redactor()
        model = router.route("primary").current.spec
        info = SessionInfo(session.id, self.cwd, model, is_resumed, settings.overview)
        prefix = self._kept_prefix(session.history.prefix, exposure)
        if prefix is not None:
            exposure.widen(prefix.widened)
        events.session_start(session=info)
        asker = self._asker(session, lambda usage, cost: agent.meter.spend(usage, cost), redacting(self.show, redact))
        errands = Errands(asker, router)
        compose = self._composer(info, exposure, events, redact)
        gate = Gate(policy, self.person, events, info)
        runner = CallRunner(
            session, info, exposure, gate, events, self.show, redact, Undo(self.workspace), lambda: agent.is_steered()
        )
        agent = Agent(
            session=session,
            info=info,
            settings=settings,
            router=router,
            asker=asker,
            errands=errands,
            compactor=Compactor(settings.compact, None, _summariser(errands, settings.compact.slot)),
            exposure=exposure,
            runner=runner,
            person=self.person,
            events=events,
            show=self.show,
            redact=redact,
            clock=self.surroundings.clock,
            now=self.surroundings.now,
            system=prefix.system if prefix is not None else compose(),
            compose=compose,
            meter=Meter(settings.budget, self.surroundings.clock),
        )
        return agent

    def _asker(
        self, session: Session, spend: Callable[[Usage, float | None], None], show: Callable[[TurnEvent], None]
    ) -> Asker:
        ledger = Ledger.of(self.usage_folder, session.id)
        account = Account(session.id, ledger, self.surroundings.now, self.show, spend)
        return Asker(
            session, self.loaded.settings.retry, show, account, self.surroundings.chance, self.surroundings.sleep
        )

    def _kept_prefix(self, prefix: PrefixSet | None, exposure: Exposure) -> PrefixSet | None:
        """What is resumed is what was sent, whatever the project's files say by now.

        None where it would name another folder, or the hidden tools of another phase: the prefix begins anew then.
        """
        if prefix is None or (prefix.phase, prefix.mode) != (exposure.name, exposure.mode):
            return None
        return prefix if folder_line(self.cwd) in prefix.system else None

    def _composer(self, info: SessionInfo, exposure: Exposure, events: Events, redact: Redactor) -> Callable[[], str]:
        @functools.cache
        def fixed() -> list[PromptSection]:
            """What does not depend on what is shown: asked for once a session."""
            instructions, warnings = read_instructions(self.workspace, self.loaded.settings.instructions)
            self.warnings += warnings
            return [*events.prompt_sections(session=info), *instructions]

        def compose() -> str:
            return redact(system_prompt(self.cwd, exposure.hidden(), [*exposure.sections(), *fixed()]))

        return compose

    def _greet(self, agent: Agent, exposure: Exposure) -> None:
        self.show(SessionOpened(agent.session.id, agent.info.model, str(self.cwd), agent.info.is_resumed))
        history = agent.session.history
        for problem in history.problems:
            self.show(Notice(f"Session log: {problem}; it was left out."))
        repairs = agent.session.heal()
        if repairs:
            self.show(Notice(f"{len(repairs)} calls were cut short when the session ended; each has a result now."))
        exposure.tools()
        self.warnings += map(str, exposure.toolbox.broken)
        self.warnings += map(str, self.plugins.report.take_untold())
        self.warnings += (f"There is no plugin {unknown}." for unknown in self.plugins.unknown_switches)
        for warning in self.warnings:
            self.show(Notice(warning))
        self.warnings.clear()
