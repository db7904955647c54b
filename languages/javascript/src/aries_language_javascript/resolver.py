"""Where imports lead: relative paths, names that settings give, packages of the project."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from aries_kernel.contracts.language import Import, Missing, Project, Target
from aries_language_javascript.aliases import Aliases
from aries_language_javascript.automatic import Automatic
from aries_language_javascript.files import Files, is_asset, is_typescript
from aries_language_javascript.manifests import Manifest, Manifests, Targets
from aries_language_javascript.sources import written_from
from aries_language_javascript.tsconfig import Tsconfigs
from aries_language_javascript.workspaces import Workspaces
from aries_language_syntax.tree import folder_of, joined

if TYPE_CHECKING:
    from aries_language_javascript.tsconfig import Settings

__all__ = ["EcmaScriptResolver"]

_SCHEME = re.compile(r"[A-Za-z][\w+.-]*:")
_BUILTIN = frozenset(
    {
        "assert", "assert/strict", "async_hooks", "buffer", "child_process", "cluster", "console",
        "constants", "crypto", "dgram", "diagnostics_channel", "dns", "dns/promises", "domain", "events",
        "fs", "fs/promises", "http", "http2", "https", "inspector", "inspector/promises", "module", "net",
        "os", "path", "path/posix", "path/win32", "perf_hooks", "process", "punycode", "querystring",
        "readline", "readline/promises", "repl", "stream", "stream/consumers", "stream/promises",
        "stream/web", "string_decoder", "sys", "timers", "timers/promises", "tls", "trace_events", "tty",
        "url", "util", "util/types", "v8", "vm", "wasi", "worker_threads", "zlib",
    }
)  # fmt: skip
"""Modules of Node stand before packages of their names."""
_PACKAGE = re.compile(r"(?:@[^/@]+/)?[^/@.][^/]*")
_TEXT = re.compile(r"[?&](?:raw|url|inline-css)(?:$|[&=])|^!*(?:raw|file|url)-loader")
_EXTERNAL, _NOT_FOUND = Missing("external"), Missing("not found")
_ASSET, _DYNAMIC = Missing("asset"), Missing("dynamic")
_BODIES = {".d.ts": (".js", ".jsx", ".ts", ".tsx"), ".d.mts": (".mjs", ".mts"), ".d.cts": (".cjs", ".cts")}


class EcmaScriptResolver:
    """For one state of the tree, for files of all dialects."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._manifests = Manifests(project)
        self._workspaces = Workspaces(project, self._manifests)
        self._tsconfigs = Tsconfigs(project, self._manifests, self._workspaces)
        self._files = Files(project, self._manifests)
        self._aliases = Aliases(project, self._manifests)
        self._automatic = Automatic(project, self._manifests, self._files)
        self._settings: dict[str, Settings | None] = {}
        self._known: dict[tuple[str, str, bool, bool, int], Target | Missing] = {}

    def resolve(self, path: str, item: Import) -> Target | Missing:
        """Never raises for what a file says."""
        if not item.module:
            return _DYNAMIC if item.text else _NOT_FOUND
        if item.module in ("#components", "#imports") and item.name:
            given = self._automatic.given(path, item.name)
            if given is not None:
                return Target(given[:1], is_whole=True)
        folder, is_typed = folder_of(path), is_typescript(path)
        settings = self._settings_of(path)
        key = (folder, item.module, is_typed, item.kind in ("require", "include"), id(settings))
        if key not in self._known:
            self._known[key] = self._found(folder, item, is_typed, settings)
        found = self._known[key]
        if isinstance(found, Target) and item.name in ("", "*"):
            return Target(found.files, is_whole=True)
        return found

    def member(self, path: str, name: str) -> str | None:
        """None: no file of the language stands in another one."""
        return None

    def ambient(self, path: str) -> Sequence[str]:
        """The composables and other files of Nuxt whose exports need no import."""
        return self._automatic.ambient(path)

    def given(self, path: str, name: str) -> tuple[str, str] | None:
        """Components and default exports of Nuxt, and what the lists of unplugin name."""
        return self._automatic.given(path, name)

    def offered(self) -> Iterator[tuple[str, str]]:
        """What packages hand out by their `package.json`."""
        for folder in sorted(self._manifests.folders):
            manifest = self._manifests.at(folder)
            for target in manifest.offers() if manifest is not None else ():
                before, star, behind = (joined(folder, target) or "").partition("*")
                if star:
                    found = [one for one in self._project.files if one.startswith(before) and one.endswith(behind)]
                else:
                    place = self._target(manifest, [target], "", is_typed=True) if manifest is not None else None
                    found = [place] if place else []
                yield from ((one, "*") for one in found)

    def definitions(self, path: str) -> Sequence[str]:
        """The code beside a declaration file."""
        for ending, bodies in _BODIES.items():
            if path.endswith(ending):
                stem = path.removesuffix(ending)
                return [stem + body for body in bodies if self._project.has(stem + body)]
        return ()

    def _settings_of(self, path: str) -> Settings | None:
        if path not in self._settings:
            self._settings[path] = self._tsconfigs.of(path)
        return self._settings[path]

    def _found(self, folder: str, item: Import, is_typed: bool, settings: Settings | None) -> Target | Missing:
        if _TEXT.search(item.module):
            return _ASSET
        module = _plain(item.module)
        is_require = item.kind == "require"
        if item.kind == "include" or module.startswith(("./", "../")) or module in (".", ".."):
            found = self._relative(folder, module, is_typed, settings)
            is_made = not found and self._aliases.is_made(folder, module)
            return _answer(found, module, _EXTERNAL if is_made else _NOT_FOUND)
        for path in settings.named(module) if settings is not None else ():
            # A file that the settings themselves name is meant as it is written, not what it may be compiled from.
            is_said = self._project.has(path) and not module.endswith("." + path.rpartition(".")[2])
            found = path if is_said else self._files.find(path, is_typed)
            if found:
                return Target((found,))
        for path in self._aliases.named(folder, module):
            found = self._files.find(path, is_typed)
            if found:
                return Target((found,))
        if module.startswith("/"):
            return self._absolute(folder, module, is_typed)
        if module.startswith("#"):
            return self._imported(folder, module, is_typed, is_require)
        if _SCHEME.match(module) or module in _BUILTIN:
            return _EXTERNAL
        return self._package(folder, module, is_typed, is_require)

    def _relative(self, folder: str, module: str, is_typed: bool, settings: Settings | None) -> str | None:
        path = joined(folder, module)
        if path is None:
            return None
        is_folder = module.endswith("/") or module.rpartition("/")[2] in (".", "..")
        found = self._files.find(path, is_typed, is_folder=is_folder)
        for other in settings.mirrored(path) if settings is not None and not found else ():
            found = found or self._files.find(other, is_typed, is_folder=is_folder)
        return found

    def _absolute(self, folder: str, module: str, is_typed: bool) -> Target | Missing:
        """For the servers of bundlers the root is the folder of the package."""
        for manifest in self._manifests.above(folder)[:1]:
            found = self._files.find(joined(manifest.folder, module), is_typed)
            if found:
                return Target((found,))
        return _ASSET if is_asset(module) else _NOT_FOUND

    def _imported(self, folder: str, module: str, is_typed: bool, is_require: bool) -> Target | Missing:
        for manifest in self._manifests.above(folder)[:1]:
            targets = manifest.imported(module, is_typed=is_typed, is_require=is_require)
            if targets is None:
                continue
            for target in (*targets.chosen, *targets.others):
                if not target.startswith("."):
                    return self._package(manifest.folder, target, is_typed, is_require)
            found = self._one_of(manifest, targets, "", is_typed)
            if found:
                return Target((found,))
            if is_asset(next(iter((*targets.chosen, *targets.others)), "")):
                return _ASSET
        return _EXTERNAL if self._aliases.is_made(folder, module) else _NOT_FOUND

    def _package(self, folder: str, module: str, is_typed: bool, is_require: bool) -> Target | Missing:
        named = _PACKAGE.match(module)
        if not named:
            return _EXTERNAL
        manifest = self._workspaces.package(folder, named[0])
        if manifest is None:
            return _EXTERNAL
        inside = module[named.end() :].strip("/")
        subpath = f"./{inside}" if inside else "."
        targets = manifest.exported(subpath, is_typed=is_typed, is_require=is_require)
        if targets is None and not inside:
            targets = Targets(manifest.entries(is_typed), [])
        elif targets is None:
            found = self._files.find(joined(manifest.folder, inside), is_typed)
            if found:
                return Target((found,))
            targets = Targets([subpath], [])
        elif not (targets.chosen or targets.others):
            return _ASSET if is_asset(inside) else _NOT_FOUND
        found = self._one_of(manifest, targets, inside, is_typed)
        if found:
            return Target((found,))
        first = next(iter((*targets.chosen, *targets.others)), "")
        return _ASSET if is_asset(inside) or is_asset(first) else _NOT_FOUND

    def _one_of(self, manifest: Manifest, targets: Targets, inside: str, is_typed: bool) -> str | None:
        """What the conditions choose, built or not, before what they do not."""
        found = self._target(manifest, targets.chosen, inside, is_typed) if targets.chosen else None
        return found or self._target(manifest, targets.others, inside, is_typed)

    def _target(self, manifest: Manifest, targets: list[str], inside: str, is_typed: bool) -> str | None:
        """The first target that is there; where all are built, the source that they are built from."""
        for target in targets:
            found = self._files.find(joined(manifest.folder, target), is_typed)
            if found:
                return found
        for stem in written_from(targets, inside, manifest.name):
            found = self._files.find(joined(manifest.folder, stem), is_typed)
            if found:
                return found
        return None


def _plain(module: str) -> str:
    """The path in what bundlers are told: without `?raw`, without loaders in front."""
    return module.rpartition("!")[2].partition("?")[0] or module


def _answer(found: str | None, module: str, otherwise: Missing) -> Target | Missing:
    if found:
        return Target((found,))
    return _ASSET if is_asset(module) else otherwise
