"""Starting the process of a body: its command, its environment, its guardian."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from aries_body.confinement.choosing import command_for, configuration, readable_paths
from aries_body.confinement.plan import Confinement, Limits, Place
from aries_body.repl.api import as_data
from aries_kernel.contracts.body import Group

__all__ = ["Launch", "Started", "start"]

_GUARDIAN = Path(__file__).with_name("guardian.py")
_PASSED_ON = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "COMSPEC",
    "NUMBER_OF_PROCESSORS",
)
"""Everything else of the environment is nothing that user code needs, and may be a key."""


@frozen
class Launch:
    """What a body is started with."""

    project: Path
    confinement: Confinement
    environ: Mapping[str, str]
    groups: tuple[Group, ...]
    limits: Limits = Limits()
    readable: tuple[Path, ...] = ()
    """Further files and folders that it may read."""
    hidden: tuple[Path, ...] = ()
    """Files of the project that it must not read."""


@frozen
class Started:
    """A process, its pipes, and the end that keeps it alive."""

    process: subprocess.Popen[bytes]
    control: int | None
    """Closing it ends the body and all that it started; None where a job does that."""
    job: Any
    hello: dict[str, Any]
    """The first frame to send."""
    temporary: Path | None = None
    """Its folder; a guardian removes it too, also where the host is gone by then."""

    def end(self) -> None:
        """End it now, with everything it started."""
        if self.control is not None:
            os.close(self.control)
        elif self.job is not None:
            self.job.close()

    def clean(self) -> None:
        """Remove what is left when it has ended."""
        if self.temporary is not None:
            shutil.rmtree(self.temporary, ignore_errors=True)


def start(launch: Launch) -> Started:
    """Start it. Raises: OSError."""
    kind = launch.confinement.kind
    temporary = None if kind == "bubblewrap" else Path(tempfile.mkdtemp(prefix="aries-body-")).resolve()
    readable = (*readable_paths(kind), *launch.readable)
    place = Place(launch.project, readable, temporary, launch.hidden)
    command = [sys.executable, "-I", "-X", "utf8", "-X", "faulthandler", "-m", "aries_body.process.child"]
    command = command_for(kind, launch.environ, place, launch.limits, command)
    environ = {name: value for name, value in launch.environ.items() if name.upper() in _PASSED_ON}
    folder = "/tmp" if temporary is None else str(temporary)
    environ |= dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"), folder)
    hello = {
        "project": str(launch.project),
        "groups": as_data(launch.groups),
        "confinement": configuration(kind, place, launch.limits),
    }
    try:
        if os.name == "nt":
            return _start_in_job(command, environ, launch, temporary, hello)
        return _start_guarded(command, environ, launch, temporary, hello)
    except BaseException:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
        raise


def _start_guarded(
    command: list[str], environ: dict[str, str], launch: Launch, temporary: Path | None, hello: dict[str, Any]
) -> Started:
    control, control_end = os.pipe()
    limits = [str(launch.limits.memory), str(launch.limits.processes)]
    words = [sys.executable, "-I", "-S", str(_GUARDIAN), str(control), *limits, str(temporary or ""), *command]
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd="/",
            env=environ,
            pass_fds=(control,),
            start_new_session=True,
        )
    except BaseException:
        os.close(control_end)
        raise
    finally:
        os.close(control)
    return Started(process, control_end, None, hello, temporary)


def _start_in_job(
    command: list[str], environ: dict[str, str], launch: Launch, temporary: Path | None, hello: dict[str, Any]
) -> Started:
    from aries_body.process.jobs import Job

    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=launch.project,
        env=environ,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    return Started(process, None, Job(process, launch.limits), hello, temporary)
