"""What of the state folder does not belong into a repository."""

from __future__ import annotations

from pathlib import Path

from aries_kernel.atomic import replace_bytes

__all__ = ["IGNORED", "keep_ignored"]

_HEAD = "# Databases do not belong into git; `ori learned export` gives text that does."
IGNORED = f"""{_HEAD}
*.db
*.db-*
*.f32
*.lock
*.stamp
embed.*
explorations/
server.*
captured.txt
asked.*
look-at-use
look-at-use.*
own-writes.txt
learned.before-*
learned.taken
"""


def keep_ignored(state_folder: Path) -> None:
    """Add what an older version did not know to the file that it wrote; nothing where the person wrote their own.

    Raises: OSError.
    """
    file = state_folder / ".gitignore"
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return
    known = data.decode("utf-8", "replace").splitlines()
    missing = [line for line in IGNORED.splitlines() if line not in known]
    if missing and known[:1] == [_HEAD]:
        end = b"" if data.endswith(b"\n") else b"\n"
        replace_bytes(file, data + end + "\n".join([*missing, ""]).encode())
