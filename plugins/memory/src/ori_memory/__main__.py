"""Entry of the command; answers `--version` without importing anything else."""

from __future__ import annotations

import sys


def main() -> None:
    """Run ori with the arguments of this process."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from ori_memory import __version__

        sys.stdout.write(f"ori {__version__}\n")
        return
    import gc

    # Most commands end before there is anything to collect; looking for it takes a twentieth of a question's time.
    gc.set_threshold(50_000)
    from aries_kernel.console.encoding import ensure_utf8

    ensure_utf8("ori_memory")
    from ori_memory.app import run

    code = run(sys.argv[1:])
    gc.freeze()  # Else what is left is looked through once more, for nothing, before the process ends.
    sys.exit(code)


if __name__ == "__main__":
    main()
