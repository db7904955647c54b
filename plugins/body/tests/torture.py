"""Executions that do everything code should not, in random order; the host must answer each and keep nothing."""

from __future__ import annotations

import os
import random
import signal
import tempfile
import threading
from collections import Counter
from pathlib import Path

from attrs import define, field

from aries_body.process.body import Body
from aries_body.process.results import Executed, Status

__all__ = ["KINDS", "Remains", "Tally", "torture"]

KINDS: dict[str, tuple[str, float]] = {
    "compute": ("sum(i * i for i in range(1000))", 20),
    "define": ("def f(x):\n    return x + 1\nkept = {'a': [1, 2, 3]}\nf(1)", 20),
    "fail": ("def f(n):\n    return f(n - 1) if n else 1 / 0\nf(20)", 20),
    "recurse": ("def f():\n    return f()\nf()", 20),
    "print 100 MB": ("block = 'y' * 1_000_000\nfor _ in range(100):\n    print(block)", 60),
    "sleep": ("import time\ntime.sleep(600)", 0.2),
    "loop": ("while True:\n    pass", 0.2),
    "loop that heeds nothing": ("import signal\nsignal.signal(2, lambda *_: None)\nwhile True:\n    pass", 0.2),
    "one long call": ("sum(range(10**14))", 0.2),
    "memory bomb": ("hoard = []\nwhile True:\n    hoard.append(bytearray(20_000_000))", 60),
    "one large value": ("large = bytearray(10**13)", 20),
    "exit": ("import os\nos._exit(5)", 20),
    "kill itself": ("import os\nos.kill(os.getpid(), 9)", 20),
    "crash": ("import ctypes\nctypes.string_at(0)", 20),
    "threads": (
        "import threading, time\nfor _ in range(20):\n"
        "    threading.Thread(target=lambda: [time.sleep(0.01) for _ in range(100)], daemon=True).start()", 20,
    ),
    "forks": ("import os, time\nfor _ in range(5):\n    if os.fork() == 0:\n        time.sleep(600)", 20),
    "forks without end": ("import os, time\nwhile True:\n    if os.fork() == 0:\n        time.sleep(600)", 60),
    "a fork that runs away": (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(600)\n"
        "    os._exit(0)\nos.wait()", 20,
    ),
    "close everything": ("import os\nos.closerange(0, 4096)", 20),
    "noise on every descriptor": (
        "import os\nfor n in range(3, 300):\n    try:\n        os.write(n, b'\\xff' * 64)\n"
        "    except OSError:\n        pass", 20,
    ),
    "files": ("import tempfile\nheld = [tempfile.NamedTemporaryFile(delete=False) for _ in range(20)]\nlen(held)", 20),
    "done": ("done({'status': 'ok', 'id': 1})", 20),
}  # fmt: skip
"""What is run, and its time limit."""


@define
class Tally:
    """What came of it."""

    statuses: Counter[str] = field(factory=Counter)
    restarts: int = 0
    unexpected: list[str] = field(factory=list)


@define
class Remains:
    """What a body may leave behind: taken before and after."""

    processes: set[str]
    descriptors: int
    folders: set[str]
    threads: set[str]

    @classmethod
    def now(cls) -> Remains:
        """What there is at this moment; empty where the system does not list it."""
        tasks = Path("/proc/self/task")
        children = {
            child
            for file in (tasks.glob("*/children") if tasks.is_dir() else ())
            for child in file.read_text(encoding="ascii").split()
        }
        folders = {folder.name for folder in Path(tempfile.gettempdir()).glob("aries-body-*")}
        names = {thread.name for thread in threading.enumerate() if thread.name.startswith("aries-")}
        files = Path("/proc/self/fd")
        return cls(children, len(list(files.iterdir())) if files.is_dir() else 0, folders, names)


def torture(body: Body, count: int, chance: random.Random) -> Tally:
    """Run `count` executions; every third time or so the process is also killed or interrupted from outside."""
    tally = Tally()
    rare = {"print 100 MB", "memory bomb", "forks without end"}
    for _ in range(count):
        kind = chance.choice([name for name in KINDS if name not in rare or chance.random() < 0.3])
        code, seconds = KINDS[kind]
        meddler = _meddler(body, chance)
        executed = body.execute(code, seconds)
        if meddler is not None:
            meddler.join()
        tally.statuses[executed.status.value] += 1
        tally.restarts += executed.restart is not None
        problem = _problem(kind, executed, meddler is not None)
        if problem:
            tally.unexpected.append(f"{kind}: {problem}: {executed}")
    return tally


def _meddler(body: Body, chance: random.Random) -> threading.Timer | None:
    if chance.random() > 0.3:
        return None
    pid = body.pid
    kill = chance.random() < 0.5 and pid is not None and hasattr(signal, "SIGKILL")

    def meddle() -> None:
        if kill and pid is not None:
            for one in [pid, *_below(pid)][1:]:
                try:
                    os.kill(one, signal.SIGKILL)
                except ProcessLookupError:
                    continue
        else:
            body.interrupt()

    timer = threading.Timer(chance.random() * 0.2, meddle)
    timer.start()
    return timer


def _below(pid: int) -> list[int]:
    found: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(word) for word in file.read_text(encoding="ascii").split()]
        except OSError:
            continue
        found += [one for child in children for one in (child, *_below(child))]
    return found


def _problem(kind: str, executed: Executed, is_disturbed: bool) -> str:
    """What is wrong with an answer; nothing is said about one that was disturbed from outside."""
    if is_disturbed:
        return ""
    well = {"compute", "define", "print 100 MB", "threads", "forks", "a fork that runs away", "files"}
    if kind in well and executed.status is not Status.OK:
        return "should have ended well"
    if (
        kind in ("sleep", "loop", "loop that heeds nothing", "one long call")
        and executed.status is not Status.TIMED_OUT
    ):
        return "should have met its limit"
    if kind in ("exit", "kill itself", "crash") and executed.status is not Status.DIED:
        return "should have died"
    return ""
