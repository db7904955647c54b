"""Entry of the command; answers `--version` without importing anything else."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run aries with the arguments of this process."""
    if sys.getfilesystemencoding() == "ascii" and sys.executable:
        # LC_ALL=C with PYTHONUTF8=0: prompts and file names would arrive as lone surrogates, and none could be written.
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])
    if sys.argv[1:] in (["--version"], ["-V"]):
        from aries_kernel import __version__

        sys.stdout.write(f"aries {__version__}\n")
        return
    from aries_kernel.console.encoding import ensure_utf8

    ensure_utf8("aries_cli")
    from aries_cli.app import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
