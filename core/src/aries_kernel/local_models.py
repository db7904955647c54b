"""What plugins share that load a model from this machine: where it lies, what it is given, how it keeps quiet."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from aries_kernel.errors import UserError

__all__ = ["ProgressBars", "model_folder", "readable", "without_progress"]

_SURROGATES = re.compile("[\ud800-\udfff]")


class ProgressBars(Protocol):
    """The part of `transformers.utils.logging` that is needed here; the kernel imports no such library."""

    def is_progress_bar_enabled(self) -> bool: ...
    def disable_progress_bar(self) -> None: ...
    def enable_progress_bar(self) -> None: ...


def model_folder(name: str) -> Path | None:
    """The folder that `name` is, `~` being the home folder; None where it is none: a name on the hub of models.

    Raises: UserError for a folder without a model.
    """
    with contextlib.suppress(RuntimeError):  # A home folder that nobody knows.
        folder = Path(name).expanduser()
        if name and folder.is_dir():
            if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
                raise UserError(f"{folder} holds no model: there is neither modules.json nor config.json in it.")
            return folder
    return None


def readable(text: str) -> str:
    """Half characters, which no encoding knows, as the character for what cannot be read: the places stay."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


@contextlib.contextmanager
def without_progress(bars: ProgressBars) -> Iterator[None]:
    """No progress bar where another program may be listening; afterwards as it was before."""
    was_on = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        yield
    finally:
        if was_on:
            bars.enable_progress_bar()
