"""A tool's context on a temporary folder, for tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from aries_kernel.broker.secrets import child_environment
from aries_kernel.broker.workspace import Workspace
from aries_kernel.contracts.tool import ToolContext
from aries_kernel.settings.schema import OutputLimits

__all__ = ["make_context", "spill_into"]


def make_context(
    folder: Path,
    *,
    limits: OutputLimits | None = None,
    environ: Mapping[str, str] | None = None,
    also: tuple[Path, ...] = (),
) -> ToolContext:
    """A context whose workspace is `folder/work` and whose spill folder is `folder/spill`; both are made.

    `environ` None: this process's environment without its secrets.
    """
    root, spill_folder = folder / "work", folder / "spill"
    root.mkdir(parents=True, exist_ok=True)
    spill_folder.mkdir(exist_ok=True)
    return ToolContext(
        workspace=Workspace(root, also),
        environ=child_environment(os.environ) if environ is None else environ,
        limits=limits or OutputLimits(),
        spill=spill_into(spill_folder),
        spill_folder=spill_folder,
    )


def spill_into(folder: Path) -> Callable[[str, bytes], Path]:
    """A `spill` that numbers its files."""

    def spill(suffix: str, data: bytes) -> Path:
        file = folder / f"{sum(1 for _ in folder.iterdir()):04d}{suffix}"
        file.write_bytes(data)
        return file

    return spill
