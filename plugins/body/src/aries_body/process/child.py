"""The body itself: started by its guardian, configured by the first frame, then at the host's service until the end."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from aries_body.process.frames import BrokenFrame, Frame
from aries_body.process.link import Link

if TYPE_CHECKING:
    from aries_body.repl.capturing import Capturing
    from aries_body.repl.execution import Executor

__all__ = ["main"]


def main() -> None:
    """Serve until the host closes the pipe."""
    link = Link()
    hello = link.first()
    if hello is None:
        return
    from aries_body.confinement.applying import apply

    # Before there is any other thread: what is applied holds for this thread and those that it starts.
    applied = apply(hello.data["confinement"])
    from aries_body.repl.api import from_data
    from aries_body.repl.capturing import Capturing
    from aries_body.repl.execution import Executor

    capturing = Capturing()
    link.start()
    os.chdir(hello.data["project"])
    sys.argv = [""]
    executor = Executor(link, from_data(hello.data["groups"]), hello.data["project"], capturing)
    link.send("ready", hello.id, applied=applied, python=sys.version.split()[0])
    while True:
        _serve(link, executor, capturing, link.next())


def _serve(link: Link, executor: Executor, capturing: Capturing, frame: Frame) -> None:
    link.send("started", frame.id)
    link.flush()  # Whoever is not told that it began may run it again elsewhere.
    if frame.type == "execute":
        outcome = executor.execute(frame.id, frame.data["code"])
    elif frame.type == "restore":
        outcome = executor.restore(frame.id, frame.data["values"], frame.data["sources"])
    elif frame.type == "complete":
        outcome = executor.complete(frame.id, frame.data["text"])
    else:
        return
    if not link.is_mine:
        capturing.flush()
        os._exit(0)  # User code forked, and this is the other one: its execution is over.
    capturing.end(bytes.fromhex(frame.data["marker"]))
    try:
        link.send("result", frame.id, **outcome)
    except BrokenFrame:
        link.send("result", frame.id, status="error", error="The answer was too large.", bindings=None)


if __name__ == "__main__":
    main()
