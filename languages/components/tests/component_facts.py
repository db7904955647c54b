"""Short ways to what a component says."""

from __future__ import annotations

from aries_kernel.contracts import FileFacts
from aries_language_components.pack import Astro, Svelte, Vue

PACKS = {"vue": Vue(), "svelte": Svelte(), "astro": Astro()}


def facts(source: str, path: str) -> FileFacts:
    """What a file with this path says."""
    return PACKS[path.rpartition(".")[2]].read(source.encode(), path)


def uses(said: FileFacts) -> set[tuple[int, str, str]]:
    """Line, kind and full name of every use of an import, and of a symbol with its own name."""
    found = set()
    for one in said.references:
        if one.binding < 0 and one.symbol < 0:
            continue  # Only a framework may know.
        is_imported = one.binding >= 0
        name = said.imports[one.binding].local if is_imported else said.symbols[one.symbol].qualified
        found.add((one.line, one.kind, ".".join(filter(None, (name, one.path)))))
    return found
