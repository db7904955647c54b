"""The line of `aries doctor` about the body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from aries_kernel.contracts.check import Checked

__all__ = ["check"]


def check(environ: Mapping[str, str]) -> Iterator[Checked]:
    """Which confinement holds here; tried, not guessed."""
    from aries_body.confinement.choosing import choose

    found = choose(environ)
    yield Checked("ok" if found.is_confined else "note", str(found))
