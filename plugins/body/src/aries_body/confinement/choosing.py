"""Which means of confinement work here: tried for real, the best first."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from aries_body.confinement import bubblewrap, landlock, seccomp
from aries_body.confinement.plan import Confinement, Kind, Limits, Place

__all__ = [
    "ORDER",
    "choose",
    "command_for",
    "configuration",
    "is_too_wide",
    "may_be_confined",
    "readable_paths",
    "report",
    "system_paths",
]

ORDER: tuple[Kind, ...] = ("bubblewrap", "landlock", "none")
_PATIENCE = 20.0
_TRIED = {
    "read": "files outside the project can be read",
    "write": "files can be written",
    "connect": "the network can be reached",
    "start": "other programs can be started",
}


def choose(environ: Mapping[str, str], order: Sequence[Kind] = ORDER) -> Confinement:
    """The first means of `order` that holds what it promises; "none" at last, whether it is named or not."""
    passed_over: list[str] = []
    for kind in order:
        if kind == "none":
            break
        problem = _problem(kind, environ)
        if problem is None:
            return Confinement(kind, tuple(_gaps(kind)), tuple(passed_over))
        passed_over.append(f"{kind}: {problem}")
    return Confinement("none", (), tuple(passed_over))


def may_be_confined(environ: Mapping[str, str]) -> bool:
    """Whether it is worth to try; costs nothing, and nothing is proven by it."""
    if not sys.platform.startswith("linux"):
        return False
    has_landlock = landlock.version() > 0 and seccomp.is_available()
    return has_landlock or bubblewrap.find_program(environ) is not None


def report(environ: Mapping[str, str]) -> str:
    """One line for `aries doctor` and the status line."""
    return str(choose(environ))


def command_for(kind: Kind, environ: Mapping[str, str], place: Place, limits: Limits, command: list[str]) -> list[str]:
    """The command line that starts `command` under that means; what the body does itself comes later."""
    program = bubblewrap.find_program(environ) if kind == "bubblewrap" else None
    return command if program is None else bubblewrap.wrapped(program, place, limits, command)


def configuration(kind: Kind, place: Place, limits: Limits) -> dict[str, Any]:
    """What `applying.apply` takes."""
    figures = {"memory": limits.memory, "cpu": limits.cpu, "file": limits.file, "processes": limits.processes}
    return {"kind": kind, "place": dict(place.as_data()), "limits": figures}


def system_paths() -> tuple[Path, ...]:
    """What the interpreter and its libraries need to read."""
    names = [sys.prefix, sys.base_prefix, sys.exec_prefix, str(Path(sys.executable).resolve().parent), *sys.path]
    found = dict.fromkeys(Path(name).absolute() for name in names if name)
    return tuple(path for path in found if path.exists() and not is_too_wide(path))


def is_too_wide(path: Path) -> bool:
    """Whether a path would open the person's home, or everything."""
    home = Path.home()
    return path == Path(path.anchor) or home == path or home.is_relative_to(path)


def _problem(kind: Kind, environ: Mapping[str, str]) -> str | None:
    """Why this means does not work here, None where it does."""
    if not sys.platform.startswith("linux"):
        return "only Linux has it"
    if kind == "bubblewrap" and bubblewrap.find_program(environ) is None:
        return "not installed"
    if kind == "landlock" and not landlock.version():
        return "this kernel has none"
    if kind == "landlock" and not seccomp.is_available():
        return "this kernel has no filter of system calls, and Landlock alone leaves the network open"
    with tempfile.TemporaryDirectory(prefix="aries-try-") as folder:
        return _try(kind, environ, Path(folder).resolve())


def _try(kind: Kind, environ: Mapping[str, str], folder: Path) -> str | None:
    limits = Limits()
    project, temporary = folder / "project", folder / "temporary"
    project.mkdir()
    temporary.mkdir()
    place = Place(project, readable_paths(kind), temporary if kind == "landlock" else None)
    command = [sys.executable, "-I", "-m", "aries_body.confinement.check"]
    try:
        done = subprocess.run(
            command_for(kind, environ, place, limits, command),
            input=json.dumps(configuration(kind, place, limits)),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_PATIENCE,
        )
        held = json.loads(done.stdout) if done.returncode == 0 else None
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        return f"it could not be tried ({error})"
    if held is None:
        said = done.stderr.strip().splitlines()
        return f"it does not start here ({said[-1] if said else f'exit code {done.returncode}'})"
    open_ways = [text for name, text in _TRIED.items() if not held.get(name) and not _is_gap(kind, name)]
    return f"it does not hold here ({', '.join(open_ways)})" if open_ways else None


def readable_paths(kind: Kind) -> tuple[Path, ...]:
    """What a body reads beside the project."""
    own = system_paths()
    if kind != "landlock":
        return own
    return (*own, *(Path(name) for name in bubblewrap.SYSTEM if Path(name).exists()), Path("/etc/ld.so.cache"))


def _is_gap(kind: Kind, name: str) -> bool:
    """Without a filter of system calls programs can be started, but no farther than the confinement reaches."""
    return kind == "bubblewrap" and name == "start" and not seccomp.is_available()


def _gaps(kind: Kind) -> Iterator[str]:
    if _is_gap(kind, "start"):
        yield "programs can be started within it"
    if kind == "landlock":
        if landlock.version() < 6:
            yield "signals reach your other processes"
        yield "files of the project that hold secrets can be read, and names of files elsewhere"
