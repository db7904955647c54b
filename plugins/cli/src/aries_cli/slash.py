"""What a person can type in a conversation besides saying something: `/model`, `/undo` and so on."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Awaitable, Callable, Mapping

from attrs import define, frozen

from aries_cli.filling import filling
from aries_cli.running import finished
from aries_cli.transcript import Transcript
from aries_kernel.errors import AriesError
from aries_kernel.loop.agent import Agent
from aries_kernel.model.messages import Image

__all__ = ["COMMANDS", "Desk"]


@define
class Desk:
    """What commands work on."""

    agent: Agent
    face: Transcript
    images: tuple[Image, ...] = ()
    """Pictures for what is said next."""

    async def takes(self, line: str) -> bool:
        """Do what a line says, where it is a command."""
        name, _, rest = line.strip().partition(" ")
        command = COMMANDS.get(name)
        if command is None:
            near = difflib.get_close_matches(name, COMMANDS, 1, 0.75) if name.startswith("/") else []
            if near:
                self.face.line(f"[no command {name}; did you mean {near[0]}? /help lists them]")
            return bool(near)
        done = command.run(self, rest.strip())
        if inspect.isawaitable(done):
            await done
        return True

    def help(self, rest: str) -> None:
        """Tell the commands."""
        lines = [f"{name} {command.argument}".strip() for name, command in COMMANDS.items()]
        width = max(map(len, lines))
        told = [f"  {line:<{width}}  {command.about}" for line, command in zip(lines, COMMANDS.values(), strict=True)]
        self.face.line("\n".join(told))

    def switch(self, words: str) -> None:
        """Another model, another effort; without words, which it is."""
        agent, before = self.agent, self.agent.exposure.mode
        try:
            if words:
                agent.switch(words)
        except AriesError as error:
            self.face.line(f"[the model stays: {error}]")
            return
        route = agent.route
        effort = f", effort {route.effort}" if route.effort else ""
        mode = f", tools {agent.exposure.mode}" if agent.exposure.mode != before else ""
        self.face.line(f"[model {route.current.spec}{effort}{mode}]")

    def attach(self, path: str) -> None:
        """A picture for what is said next."""
        from aries_cli.attaching import attach_all

        try:
            attached = attach_all([path])
        except AriesError as error:
            self.face.line(f"[no picture: {error}]")
            return
        self.face.line(" ".join(image.described() for image in attached))
        self.images += attached

    async def compact(self, rest: str) -> None:
        """Shorten the conversation."""

        async def work() -> bool:
            await self.agent.compact()
            return True

        try:
            if await finished(work()) is None:
                self.face.line("[not shortened: stopped]")
        except AriesError as error:
            self.face.line(f"[not shortened: {error}]")

    async def occupancy(self, rest: str) -> None:
        """What fills the window."""
        found = await finished(self.agent.occupancy())
        self.face.line("[stopped]" if found is None else filling(found))

    def undo(self, rest: str) -> None:
        """Take back what the last turn wrote."""
        undone, line = self.agent.undo(), self.face.line
        if undone is None:
            line("[nothing to undo: no call wrote a file since this session was opened]")
            return
        shown = [self.agent.runner.undo.workspace.locate(path).shown for path in undone.restored]
        line(f"[as before: {', '.join(shown) or 'nothing'}]")
        for path, reason in undone.left:
            line(f"[left as it is: {path}: {reason}]")
        if undone.has_commands:
            line("[commands ran in that turn; what they changed stays]")

    def status(self, rest: str) -> None:
        """What is in use."""
        self.face.line(f"[{'; '.join(self.agent.status())}]")


@frozen
class _Command:
    """One of them."""

    run: Callable[[Desk, str], Awaitable[None] | None]
    argument: str
    about: str


COMMANDS: Mapping[str, _Command] = {
    "/model": _Command(Desk.switch, "[MODEL] [EFFORT]", "goes on with another model or effort; alone, tells which"),
    "/image": _Command(Desk.attach, "FILE", "adds a picture to what you say next"),
    "/context": _Command(Desk.occupancy, "", "tells what fills the model's window"),
    "/compact": _Command(Desk.compact, "", "shortens the conversation"),
    "/undo": _Command(Desk.undo, "", "takes back what the last turn wrote"),
    "/status": _Command(Desk.status, "", "tells what is in use"),
    "/help": _Command(Desk.help, "", "tells this"),
}
