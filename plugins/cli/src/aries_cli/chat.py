"""`aries` on a terminal: a plain conversation, line by line."""

from __future__ import annotations

import asyncio
import sys

from aries_cli.opening import make_host
from aries_cli.running import interruptible
from aries_cli.sessions import Target
from aries_cli.slash import Desk
from aries_cli.terminal import Keyboard, TerminalPerson
from aries_cli.transcript import Transcript
from aries_kernel.host import Host, Surroundings
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
        face.line("Ctrl-C stops a turn; /exit or Ctrl-D ends the session; /help tells what else there is.")
        desk = Desk(agent, face)
        while (line := await keyboard.ask("\n> ")) is not None and line.strip() != "/exit":
            if not line.strip() or await desk.takes(line):
                continue
            before = agent.status()
            with interruptible(agent):
                outcome = await agent.run(line, desk.images)
            desk.images = ()
            if agent.status() != before:
                desk.status("")
            if outcome.status is not OutcomeStatus.DONE:
                face.line(f"[{outcome.status.value}: {outcome.reason}]")
        face.line(f"\nGo on with: aries --resume {agent.session.id}")
        return 0
    finally:
        await host.close()
