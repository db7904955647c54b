"""Where the source of a built file is likely to be: packages name what is not there before they are built."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["written_from"]

_BUILT = frozenset(
    {
        "build", "bundle", "bundles", "cjs", "commonjs", "dist", "dist-types", "dts", "es", "esm", "lib", "module",
        "out", "output", "types", "typings", "umd",
    }
)  # fmt: skip
_SOURCES = ("src", "source", "lib", "")
_ENDING = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")
_FLAVOUR = re.compile(
    r"[.\-](?:esm|cjs|umd|es|iife|mjs|min|prod|dev|development|production|browser|node|bundle|bundler|global|module|"
    r"common)$"
)


def written_from(targets: list[str], inside: str, name: str) -> Iterator[str]:
    """Paths without their endings below the folder of the package, the likeliest first."""
    seen: set[str] = set()
    for stem in _stems(targets, inside, name):
        for source in _SOURCES:
            path = f"{source}/{stem}" if source else stem
            if path not in seen:
                seen.add(path)
                yield path


def _stems(targets: list[str], inside: str, name: str) -> Iterator[str]:
    for target in targets:
        parts = _ENDING.sub("", target.removeprefix("./")).split("/")
        while len(parts) > 1 and parts[0] in _BUILT:
            parts = parts[1:]
            yield "/".join(parts)
            plain = _FLAVOUR.sub("", parts[-1])
            while plain != parts[-1]:
                parts = [*parts[:-1], plain]
                yield "/".join(parts)
                plain = _FLAVOUR.sub("", parts[-1])
    if inside:
        yield _ENDING.sub("", inside)
    else:
        yield "index"
        yield "main"
        yield name.rpartition("/")[2]
