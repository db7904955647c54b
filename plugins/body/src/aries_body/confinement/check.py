"""Run as a module to try a means of confinement: takes the configuration on standard input, prints what it held."""

from __future__ import annotations

import json
import sys

from aries_body.confinement.applying import apply

__all__ = ["main"]


def main() -> None:
    """Confine this process and look around; the exit code is not 0 where that failed."""
    print(json.dumps(apply(json.load(sys.stdin))))


if __name__ == "__main__":
    main()
