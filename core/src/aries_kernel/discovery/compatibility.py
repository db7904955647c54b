"""Whether a distribution was made for this version of the kernel."""

from __future__ import annotations

import re
from collections.abc import Iterable

from aries_kernel import __version__
from aries_kernel.discovery.entry import normalised

__all__ = ["why_incompatible"]

_KERNEL = "aries-kernel"
_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")


def why_incompatible(requires: Iterable[str], version: str = __version__) -> str:
    """Why a distribution with these requirements does not fit the kernel; empty where it does."""
    for line in requires:
        match = _NAME.match(line)
        if match and normalised(match[1]) == _KERNEL:
            reason = _why_refused(line, version)
            if reason:
                return reason
    return ""


def _why_refused(line: str, version: str) -> str:
    # Imported here: it costs more than the whole scan, and the cache spares it.
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        requirement = Requirement(line)
    except InvalidRequirement:
        return f"made for another version: its requirement '{line}' cannot be read; reinstall or remove it"
    if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
        return ""
    if requirement.specifier.contains(version, prereleases=True):
        return ""
    return (
        f"made for another version: it needs {_KERNEL} {requirement.specifier}, this is {version}; "
        "install a version of it that fits, or remove it"
    )
