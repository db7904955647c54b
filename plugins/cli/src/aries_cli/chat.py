"""`aries` on a terminal: a plain conversation, line by line."""

from __future__ import annotations

import asyncio
import sys

from aries_cli.opening import make_host
from aries_cli.running import interruptible
from aries_cli.sessions import Target
from aries_cli.terminal import Keyboard, TerminalPerson
from aries_cli.transcript import Transcript
from aries_kernel.errors import AriesError
from aries_kernel.host import Host, Surroundings
from aries_kernel.loop.agent import Agent
from aries_kernel.model.messages import Image
from aries_kernel.model.session import OutcomeStatus

__all__ = ["run_chat"]


def run_chat(where: Target, surroundings: Surroundings) -> int:
    """Talk until the end of input or `/exit`.

    Raises: AriesError for what is wrong before the session opens.
    """
    face, keyboard = Transcript(sys.stdout, shows_user=False), Keyboard()
    host = make_host(where.flags, surroundings, cwd=where.cwd, person=TerminalPerson(keyboard), show=face)
    return asyncio.run(_talk(host, where, keyboard, face))


async def _talk(host: Host, where: Target, keyboard: Keyboard, face: Transcript) -> int:
    try:
        agent = host.open(resume=where.resume, fork=where.fork)
        face.line(
            "Ctrl-C stops a turn; /model MODEL goes on with another one; /image FILE adds a picture to what you say "
            "next; /compact shortens the conversation; /undo takes back what the last turn wrote; /status tells what "
            "is in use; /exit or Ctrl-D ends the session."
        )
        images: tuple[Image, ...] = ()
        while (line := await keyboard.ask("\n> ")) is not None and line.strip() != "/exit":
            if not line.strip():
                continue
            if line.strip() == "/compact":
                await _compact(agent, face)
                continue
            if line.strip() == "/undo":
                _undo(agent, face)
                continue
            if line.strip() == "/status":
                face.line(f"[{'; '.join(agent.status())}]")
                continue
            if line.split()[0] == "/model":
                _switch(agent, line.strip().removeprefix("/model").strip(), face)
                continue
            if line.split()[0] == "/image":
                images += _attached(line.strip().removeprefix("/image").strip(), face)
                continue
            with interruptible(agent):
                outcome = await agent.run(line, images)
            images = ()
            if outcome.status is not OutcomeStatus.DONE:
                face.line(f"[{outcome.status.value}: {outcome.reason}]")
        face.line(f"\nGo on with: aries --resume {agent.session.id}")
        return 0
    finally:
        await host.close()


async def _compact(agent: Agent, face: Transcript) -> None:
    try:
        await agent.compact()
    except AriesError as error:
        face.line(f"[not shortened: {error}]")


def _undo(agent: Agent, face: Transcript) -> None:
    undone = agent.undo()
    if undone is None:
        face.line("[nothing to undo: no call wrote a file since this session was opened]")
        return
    shown = [agent.runner.undo.workspace.locate(path).shown for path in undone.restored]
    face.line(f"[as before: {', '.join(shown) or 'nothing'}]")
    for path, reason in undone.left:
        face.line(f"[left as it is: {path}: {reason}]")
    if undone.has_commands:
        face.line("[commands ran in that turn; what they changed stays]")


def _attached(path: str, face: Transcript) -> tuple[Image, ...]:
    from aries_cli.attaching import attach_all

    try:
        attached = attach_all([path])
    except AriesError as error:
        face.line(f"[no picture: {error}]")
        return ()
    face.line(" ".join(image.described() for image in attached))
    return attached


def _switch(agent: Agent, words: str, face: Transcript) -> None:
    before = agent.exposure.mode
    try:
        if words:
            agent.switch(words)
    except AriesError as error:
        face.line(f"[the model stays: {error}]")
        return
    route = agent.route
    effort = f", effort {route.effort}" if route.effort else ""
    mode = f", tools {agent.exposure.mode}" if agent.exposure.mode != before else ""
    face.line(f"[model {route.current.spec}{effort}{mode}]")
