"""bubblewrap: the body in namespaces of its own, with a file system made of what it may see."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from aries_body.confinement.plan import Limits, Place

__all__ = ["SYSTEM", "find_program", "wrapped"]

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_CONFIGURATION = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime")
_SHARED_MEMORY = 64 * 1024 * 1024


def find_program(environ: Mapping[str, str]) -> str | None:
    """Where `bwrap` is; None where it is not installed."""
    return shutil.which("bwrap", path=environ.get("PATH"))


def wrapped(program: str, place: Place, limits: Limits, command: list[str]) -> list[str]:
    """The command line that runs `command` confined."""
    return [program, *_namespaces(), *_files(place, limits), "--", *command]


def _namespaces() -> Iterator[str]:
    # As root too: what runs inside has no power over anything outside.
    yield from ("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
    yield from ("--unshare-cgroup-try", "--hostname", "body", "--cap-drop", "ALL")
    yield from ("--die-with-parent", "--new-session")


def _files(place: Place, limits: Limits) -> Iterator[str]:
    for name in SYSTEM:
        path = Path(name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), name)
        elif path.is_dir():
            yield from ("--ro-bind", name, name)
    for name in _CONFIGURATION:
        yield from ("--ro-bind-try", name, name)
    # For root the files below /proc/sys are its own, namespaces or not.
    yield from ("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev")
    yield from ("--size", str(_SHARED_MEMORY), "--perms", "1777", "--tmpfs", "/dev/shm")
    yield from ("--remount-ro", "/dev")
    yield from ("--size", str(limits.file * 1024 * 1024), "--perms", "1777", "--tmpfs", "/tmp")
    for path in place.readable:
        if not any(path.is_relative_to(name) for name in SYSTEM):
            yield from ("--ro-bind-try", str(path), str(path))
    yield from ("--ro-bind", str(place.project), str(place.project))
    for path in place.hidden:
        yield from ("--ro-bind", "/dev/null", str(path))
    yield from ("--remount-ro", "/", "--chdir", str(place.project))
