"""Packages that the project holds several of, and which of them a name means."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import define, field

from aries_language_javascript.globs import matches
from aries_language_javascript.jsonc import parse
from aries_language_javascript.manifests import Manifest, Manifests, strings
from aries_language_syntax.tree import chain, folder_of, joined

if TYPE_CHECKING:
    from aries_kernel.contracts.language import Project

__all__ = ["Workspaces"]

_LINK = re.compile(r"(?:link|file|portal|workspace):(\.{0,2}/.*|\.{1,2})\Z")

_ITEM = re.compile(r"""\s*- +(?:'([^'\n]*)'|"([^"\\\n]*)"|([A-Za-z.][\w./*-]*))(?:\s+#.*|\s*)\Z""")


@define(eq=False)
class Workspaces:
    """The packages that npm, yarn, pnpm or lerna would link to each other."""

    project: Project
    manifests: Manifests
    _members: dict[str, list[Manifest]] | None = field(init=False, default=None)

    def package(self, folder: str, name: str) -> Manifest | None:
        """The package that files of a folder mean by a name; None for one that is not part of the project."""
        around = self.manifests.above(folder)
        if around and around[0].name == name and "exports" in around[0].data:
            return around[0]
        for manifest in around:
            written = manifest.dependency(name)
            if written:
                linked = self._linked(manifest, written)
                if linked is not None:
                    return linked
                name = _alias(written) or name
                break
        return self._nearest(folder, name)

    def _linked(self, manifest: Manifest, written: str) -> Manifest | None:
        found = _LINK.match(written)
        target = joined(manifest.folder, found[1]) if found else None
        return None if target is None else self.manifests.at(target)

    def _nearest(self, folder: str, name: str) -> Manifest | None:
        if self._members is None:
            self._members = self._all()
        candidates = self._members.get(name, [])
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        around = {one: depth for depth, one in enumerate(chain(folder))}
        return min(
            candidates, key=lambda one: (min(around.get(up, len(around)) for up in chain(one.folder)), one.folder)
        )

    def _all(self) -> dict[str, list[Manifest]]:
        members: dict[str, list[Manifest]] = {}
        roots = self._roots()
        for folder in sorted(self.manifests.folders):
            if any(_belongs(folder, root, patterns) for root, patterns in roots):
                manifest = self.manifests.at(folder)
                if manifest is not None and manifest.name:
                    members.setdefault(manifest.name, []).append(manifest)
        return members

    def _roots(self) -> list[tuple[str, list[str]]]:
        roots = []
        for folder in sorted(self.manifests.folders):
            manifest = self.manifests.at(folder)
            if manifest is not None and manifest.workspaces:
                roots.append((folder, manifest.workspaces))
        for path in self.project.find("pnpm-workspace.yaml"):
            roots.append((folder_of(path), _pnpm(self.project.text(path) or "")))
        for path in self.project.find("lerna.json"):
            patterns = strings(parse(self.project.text(path) or "").get("packages")) or ["packages/*"]
            roots.append((folder_of(path), patterns))
        return roots


def _belongs(folder: str, root: str, patterns: list[str]) -> bool:
    """Whether patterns of a root name a folder; those with `!` take it away again."""
    if root and folder != root and not folder.startswith(root + "/"):
        return False
    inside = folder[len(root) + 1 :] if root else folder
    result = inside in ("", ".")
    for pattern in patterns:
        plain = pattern.lstrip("!").removeprefix("./").rstrip("/")
        if matches(plain, inside) or (plain in (".", "") and not inside):
            result = not pattern.startswith("!")
    return result


def _alias(written: str) -> str:
    """The name of another package that a dependency is an alias for: `npm:other@1`, `workspace:other@*`."""
    found = re.match(r"(?:npm|workspace):((?:@[^/@]+/)?[A-Za-z][^@/]*)@", written)
    return found[1] if found else ""


def _pnpm(text: str) -> list[str]:
    plain = _plain_packages(text)
    if plain is not None:
        return plain
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        data = YAML(typ="safe", pure=True).load(text)
    except (YAMLError, ValueError, RecursionError):
        return []
    return strings(data.get("packages")) if isinstance(data, dict) else []


def _plain_packages(text: str) -> list[str] | None:
    """The list as nearly all write it; None for what only a reader of the whole language can tell.

    Loading one takes longer than reading a hundred files.
    """
    if "packages" not in text:
        return []
    lines = text.splitlines()
    heads = [place for place, line in enumerate(lines) if line.startswith(("packages", '"packages', "'packages"))]
    if len(heads) != 1 or lines[heads[0]].rstrip() != "packages:":
        return None
    found = []
    for line in lines[heads[0] + 1 :]:
        item = _ITEM.match(line)
        if item is not None:
            found.append(item[1] or item[2] or item[3] or "")
        elif line[:1].isalpha():
            break
        elif line.strip() and not line.lstrip().startswith("#"):
            return None
    return found
