"""Runs one shell for the tool Bash, and sees to it that nothing of it stays behind. Started as a script, not imported.

It is the parent of the shell, and on Linux adopts whatever the shell leaves (child subreaper), also what called setsid.
Standard input is held open by the host: its end means stop, whether the host closed it or died. Standard output takes
one line at the end: the shell's exit code, and how many processes it had left behind.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time

_GRACE = 2.0
"""Seconds between TERM and KILL when a running command is stopped."""
_LEFTOVER_GRACE = 0.3
"""The same for what a finished command left in the background."""
_LOOK = 0.5
_GIVE_UP = 5.0


def main() -> None:
    output, shell, command = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    parent = os.getppid()
    _adopt_orphans()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    wake, told = os.pipe()
    os.set_blocking(told, False)
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    child = os.fork()
    if child == 0:
        _become_shell(output, shell, command)
    os.close(output)
    code = _wait(child, wake, parent)
    left = _end_all(child, _GRACE if code is None else _LEFTOVER_GRACE, is_stopped=code is None)
    report = f"{'' if code is None else code} {left}\n"
    os.write(1, report.encode("ascii"))


def _adopt_orphans() -> None:
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def _become_shell(output: int, shell: str, command: str) -> None:
    try:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.dup2(nothing, 0)
        os.closerange(3, 4096)
        os.execv(shell, [shell, "-c", command])
    except OSError as error:
        os.write(2, f"{shell}: {error.strerror}\n".encode())
    finally:
        os._exit(126)


def _wait(child: int, wake: int, parent: int) -> int | None:
    """The shell's exit code; None where it has to be stopped."""
    while True:
        ready, _, _ = select.select([0, wake], [], [], _LOOK)
        if wake in ready:
            os.read(wake, 512)
        code = _reap(child)
        if code is not None:
            return code
        if (0 in ready and not os.read(0, 64)) or os.getppid() != parent:
            return None


def _reap(child: int) -> int | None:
    """Collect every process that ended; the exit code of `child` where it is among them."""
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if pid == 0:
            return found
        if pid == child:
            found = os.waitstatus_to_exitcode(status)


def _end_all(child: int, grace: float, *, is_stopped: bool) -> int:
    """TERM, then KILL; the number of processes there were beside a stopped shell."""
    targets = _descendants(child)
    _signal(targets, signal.SIGTERM)
    _signal(targets, signal.SIGCONT)
    started = time.monotonic()
    while _descendants(child) and time.monotonic() - started < grace:
        _pause(child)
    while not _is_alone(child) and time.monotonic() - started < grace + _GIVE_UP:
        _signal(_descendants(child), signal.SIGKILL)
        _pause(child)
    return len(targets) - (1 if is_stopped else 0)


def _is_alone(child: int) -> bool:
    """Whether nothing is left, not even a process that ended and waits to be collected."""
    _reap(child)
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return not _descendants(child)
    return False


def _pause(child: int) -> None:
    time.sleep(0.01)
    _reap(child)


def _signal(targets: set[int], number: int) -> None:
    for pid in targets:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue  # gone meanwhile, or somebody else's by now (sudo)


def _descendants(child: int) -> set[int]:
    if os.path.isdir("/proc/self/task"):  # noqa: PTH112 - see below
        return _below(os.getpid(), _parents())
    try:
        os.killpg(child, 0)
    except (ProcessLookupError, PermissionError):
        return set()
    return {-child}  # no list of processes here: the group is what can be reached


def _parents() -> dict[int, int]:
    found = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib costs this short script half its start-up
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123 - see above
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue  # ended meanwhile
            if fields and fields[0] != b"Z":
                found[int(name)] = int(fields[1])
            elif fields:
                found[-int(name)] = int(fields[1])
    return found


def _below(root: int, parents: dict[int, int]) -> set[int]:
    children: dict[int, list[int]] = {}
    for pid, above in parents.items():
        children.setdefault(above, []).append(pid)
    found: set[int] = set()
    waiting = [root]
    while waiting:
        for pid in children.get(abs(waiting.pop()), ()):
            if pid not in found:
                found.add(pid)
                waiting.append(pid)
    return {pid for pid in found if pid > 0}


if __name__ == "__main__":
    main()
    os._exit(0)  # nothing is left to tidy up, and the host waits for the end
