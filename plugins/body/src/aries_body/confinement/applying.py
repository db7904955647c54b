"""What a body does to itself before any user code runs, and a look whether it holds."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["apply"]

_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def apply(data: Mapping[str, Any]) -> dict[str, bool]:
    """Confine this process as `data` says; gives what was tried afterwards and whether it was kept from it.

    Raises: OSError where the system does not take it.
    """
    kind = data["kind"]
    _limit(data["limits"], counts_alone=kind == "bubblewrap")
    if kind == "landlock":
        from aries_body.confinement import landlock

        temporary = data["place"]["temporary"]
        read = [data["place"]["project"], *data["place"]["readable"]]
        rules = [(path, landlock.READ) for path in read]
        rules += [(path, landlock.WRITE) for path in _DEVICES]
        rules.append((f"/proc/{os.getpid()}", landlock.READ))
        landlock.restrict([*rules, *([(temporary, landlock.WRITE)] if temporary else [])])
    if kind != "none":
        from aries_body.confinement import seccomp

        if seccomp.is_available():
            seccomp.forbid_calls(about_files=kind == "landlock")
    return {} if kind == "none" else _try_out(data["place"]["project"])


def _limit(limits: Mapping[str, int], *, counts_alone: bool) -> None:
    """Limits of the system for each process; the guardian watches over all of them together.

    `counts_alone`: in a namespace of its own only its own processes and threads are counted.
    """
    try:
        import resource
    except ImportError:
        return
    megabyte = 1024 * 1024
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: limits["cpu"],
        resource.RLIMIT_FSIZE: limits["file"] * megabyte,
        resource.RLIMIT_NOFILE: 1024,
        resource.RLIMIT_DATA: limits["memory"] * megabyte,
        # Address space is cheap and threads reserve much of it; what is shared between processes counts only here.
        resource.RLIMIT_AS: limits["memory"] * 4 * megabyte,
    }
    if counts_alone:
        wanted[resource.RLIMIT_NPROC] = limits["processes"] * 8
    for which, value in wanted.items():
        _, most = resource.getrlimit(which)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        with contextlib.suppress(OSError, ValueError):  # macOS takes some of them and not others
            resource.setrlimit(which, (value, value))


def _try_out(project: str) -> dict[str, bool]:
    """True for what was refused."""
    return {attempt.__name__[1:]: _is_refused(attempt, project) for attempt in (_read, _write, _connect, _start)}


def _read(project: str) -> None:
    os.close(os.open("/etc/passwd", os.O_RDONLY))


def _write(project: str) -> None:
    try:
        # A file without a name: where it can be made after all, it leaves nothing behind.
        os.close(os.open(project, os.O_TMPFILE | os.O_WRONLY))
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.EISDIR):
            raise
        name = f"{project}/.aries-{os.getpid()}-{os.urandom(6).hex()}.tmp"
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.unlink(name)  # noqa: PTH108 - pathlib is not imported yet in a body that starts


def _connect(project: str) -> None:
    import _socket

    one = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    try:
        one.setblocking(False)
        one.connect(("192.0.2.1", 9))
    except BlockingIOError:
        return  # it is on its way
    finally:
        one.close()


def _start(project: str) -> None:
    os.waitpid(os.posix_spawn(sys.executable, [sys.executable, "-I", "-S", "-c", ""], {}), 0)


def _is_refused(attempt: Callable[[str], None], project: str) -> bool:
    try:
        attempt(project)
    except OSError:
        return True
    return False
