"""Values: what a body may see and use, and what holds it to that."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from attrs import frozen

__all__ = ["Confinement", "Kind", "Limits", "Place"]

Kind = Literal["bubblewrap", "landlock", "none"]


@frozen
class Limits:
    """What a body may use. Memory and processes are those of the body and everything that it started together."""

    memory: int = 2048
    """Megabytes."""
    processes: int = 64
    cpu: int = 3600
    """Seconds of processor time in the life of one process."""
    file: int = 256
    """Megabytes of one file, and of all its temporary files where they are kept in memory."""
    output: int = 128
    """Kilobytes of printed output that are kept of an execution, from its beginning and its end."""


@frozen
class Place:
    """Where a body works. Everything else of the file system is not there for it, where it is confined."""

    project: Path
    readable: tuple[Path, ...] = ()
    """Further files and folders, such as the interpreter and its libraries."""
    temporary: Path | None = None
    """Its own folder for temporary files; None where it gets one in memory."""
    hidden: tuple[Path, ...] = ()
    """Files of the project that hold secrets."""

    def as_data(self) -> Mapping[str, Any]:
        """As JSON."""
        return {
            "project": str(self.project),
            "readable": [str(path) for path in self.readable],
            "temporary": None if self.temporary is None else str(self.temporary),
        }


@frozen
class Confinement:
    """The means that hold here."""

    kind: Kind
    gaps: tuple[str, ...] = ()
    """What it does not keep the body from."""
    passed_over: tuple[str, ...] = ()
    """Better means, and why they do not work here."""

    @property
    def is_confined(self) -> bool:
        """Whether the operating system confines the body at all."""
        return self.kind != "none"

    def __str__(self) -> str:
        if not self.is_confined:
            text = "not confined: user code of the body can do whatever you can"
        else:
            text = f"confined by {self.kind}: no network, no other programs, the project read-only"
        gaps = f"; but {', '.join(self.gaps)}" if self.gaps else ""
        why = f" ({'; '.join(self.passed_over)})" if self.passed_over else ""
        return f"{text}{gaps}{why}"
