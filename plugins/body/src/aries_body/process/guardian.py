"""Stands between host and body, and sees to it that nothing of the body stays behind. Started as a script.

Arguments: the descriptor of a pipe that the host holds open, the most megabytes and the most processes that the body
may have all together, a folder to remove at the end (or empty), and the command. The end of the pipe means: end
everything, the host is done, or dead. On Linux whatever the body leaves is adopted, also what called setsid or forked
twice. Its exit code is that of the body; 120 and more say why it was ended.
"""

# pathlib would take longer to import than all the rest of this takes to run.
# ruff: noqa: PTH123, PTH208

from __future__ import annotations

import os
import select
import signal
import sys
import time

TOO_MUCH_MEMORY = 120
TOO_MANY_PROCESSES = 121
NOT_STARTED = 122
HOST_ENDED = 123
KILLED_BY = 64
"""Added to the number of the signal that ended the body."""
_LOOK = 0.25
_GIVE_UP = 10.0


def main() -> None:
    control, megabytes, processes = (int(word) for word in sys.argv[1:4])
    folder, command = sys.argv[4], sys.argv[5:]
    adopts = _adopt_orphans()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    wake, told = os.pipe()
    os.set_blocking(told, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    child = os.fork()
    if child == 0:
        _become(command, control)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    code = _watch(child, control, wake, megabytes, processes)
    _end_all(child, adopts)
    if folder:
        _remove(folder)
    os._exit(code)


def _adopt_orphans() -> bool:
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    set_child_subreaper = 36
    return bool(ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0) == 0)


def _become(command: list[str], control: int) -> None:
    try:
        os.close(control)
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        if sys.platform.startswith("linux"):
            import ctypes

            set_parent_death_signal = 1
            ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL, 0, 0, 0)
        os.execv(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(NOT_STARTED)


def _watch(child: int, control: int, wake: int, megabytes: int, processes: int) -> int:
    poll = select.poll()
    poll.register(control, select.POLLIN | select.POLLHUP)
    poll.register(wake, select.POLLIN)
    while True:
        ready = {descriptor for descriptor, _ in poll.poll(_LOOK * 1000)}
        if control in ready:
            return HOST_ENDED
        if wake in ready:
            _drain(wake)
        code = _reap(child)
        if code is not None:
            return code
        found = _descendants()
        if len(found) > processes:
            return TOO_MANY_PROCESSES
        # What processes share counts once for each here, so that a second, slower look has to agree.
        if sum(map(_resident, found)) > megabytes and sum(map(_proportional, found)) > megabytes:
            return TOO_MUCH_MEMORY


def _drain(wake: int) -> None:
    try:
        while os.read(wake, 4096):
            continue
    except BlockingIOError:
        return


def _reap(child: int) -> int | None:
    """Collect whatever ended; the code of the body where it is among them."""
    code = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return NOT_STARTED if code is None else code
        if pid == 0:
            return code
        if pid == child:
            found = os.waitstatus_to_exitcode(status)
            code = found if found >= 0 else KILLED_BY - found


def _descendants() -> list[int]:
    """Every process under this one; none where the system does not list them."""
    found, waiting = [], [os.getpid()]
    while waiting:
        one = waiting.pop()
        try:
            tasks = os.listdir(f"/proc/{one}/task")
        except OSError:
            continue
        for task in tasks:
            try:
                with open(f"/proc/{one}/task/{task}/children", encoding="ascii") as file:
                    waiting += (below := [int(word) for word in file.read().split()])
            except OSError:
                continue
            found += below
    return found


def _resident(pid: int) -> float:
    """Megabytes of memory in use, without what is only a file's content."""
    return _figures(pid, "status", ("RssAnon:", "RssShmem:"))


def _proportional(pid: int) -> float:
    """The same, with what several processes share divided among them."""
    return _figures(pid, "smaps_rollup", ("Pss_Anon:", "Pss_Shmem:"))


def _figures(pid: int, name: str, keys: tuple[str, ...]) -> float:
    try:
        with open(f"/proc/{pid}/{name}", encoding="utf-8", errors="replace") as file:
            found = [int(words[1]) for words in map(str.split, file) if len(words) > 1 and words[0] in keys]
    except OSError:
        return 0.0
    return sum(found) / 1024


def _end_all(child: int, adopts: bool) -> None:
    """Stop everything first, so that nothing new is made, then kill. Ends when there is no child any more."""
    until = time.monotonic() + _GIVE_UP
    while time.monotonic() < until:
        found = _descendants() if adopts else []
        for number in (signal.SIGSTOP, signal.SIGKILL):
            _signal_group(child, number)
            for pid in found:
                _signal(pid, number)
        if _is_childless():
            return
        time.sleep(0.005)


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        return


def _signal_group(pid: int, number: int) -> None:
    try:
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        return


def _is_childless() -> bool:
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                return False
        except ChildProcessError:
            return True


def _remove(folder: str) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
