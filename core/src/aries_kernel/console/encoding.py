"""A machine whose locale knows no letters but ASCII."""

from __future__ import annotations

import os
import sys

__all__ = ["ensure_utf8"]


def ensure_utf8(module: str) -> None:
    """Start this program again in UTF-8 mode where file names and arguments could not hold every character.

    Under LC_ALL=C with PYTHONUTF8=0 Python takes names for ASCII; nothing inside the process can change that any more.
    `module` is run in place of this process, with the same arguments. Nothing happens everywhere else.
    """
    if sys.flags.utf8_mode or sys.getfilesystemencoding().lower().replace("-", "") == "utf8" or os.name == "nt":
        return
    os.execv(sys.executable, [sys.executable, "-X", "utf8", "-m", module, *sys.argv[1:]])
