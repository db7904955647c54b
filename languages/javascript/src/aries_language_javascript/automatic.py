"""Names that need no import: what Nuxt finds by its place, and what the lists of unplugin say.

A configuration is a program; what of it is plainly data is read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import define, field

from aries_language_syntax.tree import chain, folder_of, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from aries_kernel.contracts.language import Project
    from aries_language_javascript.files import Files
    from aries_language_javascript.manifests import Manifests

__all__ = ["Automatic"]

_ENDINGS = ("ts", "js", "mjs", "mts", "cjs", "cts")
_SCRIPTS = (".ts", ".js", ".mjs", ".mts", ".tsx", ".jsx")
_LISTS = ("components.d.ts", "auto-imports.d.ts")
_LISTED = re.compile(
    r"""(?:(["'])([\w$-]{1,200})\1|([\w$]{1,200})):\s*typeof import\("""
    r"""(["'])([^"'\n]{1,500})\4\)\[(["'])([\w$]{1,200})\6\]"""
)
_SRC_DIR = re.compile(r"""\bsrcDir\s*:\s*(["'])([^"'\n]{1,500})\1""")
_COMPONENTS = re.compile(r"(?<![\w$.])components\s*:\s*(?=[\[{])")
_IMPORTS = re.compile(r"(?<![\w$.])imports\s*:\s*(?=\{)")
_DIRS = re.compile(r"(?<![\w$.])dirs\s*:\s*(?=\[)")
_OFF = re.compile(r"(?<![\w$.])(?:autoImport|scan)\s*:\s*false\b")
_NO_COMPONENTS = re.compile(r"(?<![\w$.])components\s*:\s*(?:false\b|\[\s*\])")
_ITEM = re.compile(r"""\{[^{}]{0,2000}\}|(["'])([^"'\n]{1,500})\1""")
_PATH = re.compile(r"""\bpath\s*:\s*(["'])([^"'\n]{1,500})\1""")
_PREFIX = re.compile(r"""\bprefix\s*:\s*(["'])([\w-]{1,100})\1""")
_NAME = re.compile(r"""\bname\s*:\s*(["'])([\w$]{1,200})\1""")
_AS = re.compile(r"""\bas\s*:\s*(["'])([\w$]{1,200})\1""")
_FROM = re.compile(r"""\bfrom\s*:\s*(["'])([^"'\n]{1,500})\1""")
_LOCAL = ("~/", "~~/", "@/", "@@/", "./", "../")
_FLAT = re.compile(r"\bpathPrefix\s*:\s*false\b")
_COMMENT = re.compile(r"""//[^\n]*|/\*(?:[^*]|\*(?!/)){0,2000}\*/|"[^"\n]{0,900}"|'[^'\n]{0,900}'""")
"""And texts, which may hold the signs of one: `stores/**`."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+")
_ASIDE = frozenset({"d", "spec", "stories", "story", "test"})
_LONGEST = 200_000
"""Signs of a configuration that are looked at, so that brackets without an end stall nobody."""


@define(eq=False)
class _App:
    """What files of one application of Nuxt, or of its server, may use."""

    ambient: tuple[str, ...] = ()
    given: dict[str, tuple[str, str] | None] = field(factory=dict)
    """None: more than one file answers."""

    def add(self, name: str, file: str, what: str = "default") -> None:
        known = self.given.setdefault(name, (file, what))
        if known != (file, what):
            self.given[name] = None


@define(eq=False)
class Automatic:
    """For one state of the tree; applications and lists are looked for when a file first asks."""

    project: Project
    manifests: Manifests
    files: Files
    _homes: dict[str, str | None] = field(init=False, factory=dict)
    _configurations: dict[str, str] | None = field(init=False, default=None)
    _apps: dict[tuple[str, bool], _App] = field(init=False, factory=dict)
    _lists: dict[str, dict[str, tuple[str, str]]] | None = field(init=False, default=None)

    def ambient(self, path: str) -> Sequence[str]:
        """Files whose exports `path` may use by their names."""
        app = self._app(path)
        return () if app is None else tuple(one for one in app.ambient if one != path)

    def given(self, path: str, name: str) -> tuple[str, str] | None:
        """The file that a name means, and what of it."""
        for folder in chain(folder_of(path)):
            listed = self._listed().get(folder, {}).get(name)
            if listed is not None:
                return listed
        app = self._app(path)
        if app is None:
            return None
        if name not in app.given and name.startswith("Lazy"):
            name = name.removeprefix("Lazy")
        return app.given.get(name)

    def _app(self, path: str) -> _App | None:
        folder = folder_of(path)
        if folder not in self._homes:
            self._homes[folder] = self._home(folder)
        home = self._homes[folder]
        if home is None:
            return None
        bases = [_below(home, "server"), *(_below(one, "server") for one in self._sources(home))]
        is_server = any(path.startswith(f"{base}/") for base in bases)
        if (home, is_server) not in self._apps:
            self._apps[home, is_server] = self._server(home) if is_server else self._client(home)
        return self._apps[home, is_server]

    def _home(self, folder: str) -> str | None:
        """The application that a folder belongs to; a layer of one is a part of it."""
        near = [one for one in chain(folder) if self._is_app(one)]
        if not near:
            return None
        home, outer = near[0], near[1:]
        holder = folder_of(home)
        if outer and holder.rpartition("/")[2] == "layers" and folder_of(holder) == outer[0]:
            return outer[0]
        return home

    def _is_app(self, folder: str) -> bool:
        manifest = self.manifests.at(folder)
        return folder in self._all_configurations() or (manifest is not None and bool(manifest.dependency("nuxt")))

    def _all_configurations(self) -> dict[str, str]:
        if self._configurations is None:
            self._configurations = {
                folder_of(path): path for one in _ENDINGS for path in self.project.find(f"nuxt.config.{one}")
            }
        return self._configurations

    def _text(self, home: str) -> str:
        path = self._all_configurations().get(home)
        text = (self.project.text(path) or "")[:_LONGEST] if path else ""
        return _COMMENT.sub(lambda found: " " if found[0].startswith("/") else found[0], text)

    def _layers(self, home: str) -> list[str]:
        inside = _below(home, "layers")
        return [home, *sorted(one for one in self._all_configurations() if folder_of(one) == inside)]

    def _source(self, home: str) -> str:
        said = _SRC_DIR.search(self._text(home))
        if said:
            return joined(home, said[2]) or home
        app = _below(home, "app")
        return app if any(one.startswith(f"{app}/") for one in self.project.files) else home

    def _sources(self, home: str) -> list[str]:
        return [self._source(one) for one in self._layers(home)]

    def _client(self, home: str) -> _App:
        app, ambient = _App(), []
        for layer in self._layers(home):
            source, text = self._source(layer), self._text(layer)
            if not _NO_COMPONENTS.search(text):
                for folder, prefix, is_flat in self._component_folders(layer, source, text):
                    for path, name in self._components(folder, prefix, is_flat):
                        app.add(name, path)
            said = next((_brackets(text, one.end()) for one in _IMPORTS.finditer(text)), "")
            if _OFF.search(said):
                continue
            for name, file, what in self._named(said, layer, source):
                app.add(name, file, what)
            found = [_below(source, "composables"), _below(source, "utils")]
            found += [_below(layer, "shared/utils"), _below(layer, "shared/types")]
            for one in _DIRS.finditer(said):
                found += [path for _, path in _strings(_brackets(said, one.end()), layer, source)]
            for folder in found:
                ambient += self._scripts(folder)
        return self._with(app, ambient)

    def _server(self, home: str) -> _App:
        app, ambient = _App(), []
        for layer in self._layers(home):
            for base in dict.fromkeys((layer, self._source(layer))):
                ambient += self._scripts(_below(base, "server/utils"))
            ambient += [*self._scripts(_below(layer, "shared/utils")), *self._scripts(_below(layer, "shared/types"))]
        return self._with(app, ambient)

    def _with(self, app: _App, ambient: Iterable[str]) -> _App:
        app.ambient = tuple(dict.fromkeys(ambient))
        for path in app.ambient:
            folder, _, name = path.rpartition("/")
            stem = name.partition(".")[0]
            words = _words(folder.rpartition("/")[2] if stem == "index" else stem)
            if words:
                camel = words[0][:1].lower() + words[0][1:] + "".join(map(_capital, words[1:]))
                app.add(camel, path)
        return app

    def _scripts(self, folder: str) -> list[str]:
        """Those of a folder, and the entries of the folders in it; all below it where two stars say so."""
        if self.project.has(folder):
            return [folder]
        folder, star, _ = folder.partition("/*")
        is_deep = star and folder + star
        found = []
        for path in self._all_below(folder):
            inside = path[len(folder) + 1 :]
            is_entry = inside.count("/") == 1 and inside.rpartition("/")[2].startswith("index.")
            if path.endswith(_SCRIPTS) and not _is_aside(inside) and (is_deep or is_entry or "/" not in inside):
                found.append(path)
        return found

    def _named(self, said: str, layer: str, source: str) -> Iterator[tuple[str, str, str]]:
        """Names that the configuration lists, with their files: `{ name: 'useI18n', from: '~/utils/i18n' }`."""
        for item in _ITEM.finditer(said):
            name, other, place = (one.search(item[0]) for one in (_NAME, _AS, _FROM))
            if name and place and place[2].startswith(_LOCAL):
                target = _place(place[2], layer, source)
                file = self.files.find(target, True) if target else None
                if file is not None:
                    yield (other or name)[2], file, name[2]

    def _component_folders(self, layer: str, source: str, text: str) -> Iterator[tuple[str, str, bool]]:
        """Folders, the prefix of their names, and whether folders below count for nothing."""
        said = next((_brackets(text, one.end()) for one in _COMPONENTS.finditer(text)), "")
        listed = [(item, path) for item, path in _strings(said, layer, source) if item]
        if not listed:
            yield _below(source, "components"), "", False
        for item, path in listed:
            prefix = _PREFIX.search(item)
            yield path, prefix[2] if prefix else "", _FLAT.search(item) is not None

    def _components(self, folder: str, prefix: str, is_flat: bool) -> Iterator[tuple[str, str]]:
        for path in self._all_below(folder):
            inside, _, file = path[len(folder) + 1 :].rpartition("/")
            stem = file.partition(".")[0]
            if not path.endswith((".vue", ".tsx", ".jsx", ".ts", ".js")) or _is_aside(file):
                continue
            folders = [one for one in inside.split("/") if one] if inside else []
            if folders and folders[0] in ("global", "islands"):
                folders = folders[1:]
            if stem.lower() == "index":
                stem = "" if folders else folder.rpartition("/")[2]
            name = "".join(map(_capital, _name([] if is_flat and stem else folders, stem)))
            if name:
                yield path, "".join(map(_capital, _words(prefix))) + name

    def _all_below(self, folder: str) -> list[str]:
        return [one for one in self.project.files if one.startswith(f"{folder}/")] if folder else []

    def _listed(self) -> dict[str, dict[str, tuple[str, str]]]:
        """What the lists say, by the folder whose files it is said to."""
        if self._lists is None:
            self._lists = {}
            for path in [path for name in _LISTS for path in self.project.find(name)]:
                folder = folder_of(path)
                near = self.manifests.above(folder)
                table = self._lists.setdefault(near[0].folder if near else folder, {})
                for found in _LISTED.finditer(self.project.text(path) or ""):
                    module = found[5]
                    target = joined(folder, module) if module.startswith(".") else None
                    file = self.files.find(target, True) if target is not None else None
                    if file is not None:
                        table.setdefault("".join(map(_capital, (found[2] or found[3]).split("-"))), (file, found[7]))
                        table.setdefault(found[2] or found[3], (file, found[7]))
        return self._lists


def _name(folders: list[str], stem: str) -> list[str]:
    """The words of folders and file, without those that the file says again: `account/AccountCard` is `AccountCard`."""
    words = [_words(one) for one in folders]
    own = _words(stem)
    small = [one.lower() for one in own]
    keep = len(words)
    tail: list[str] = []
    for place in range(len(words) - 1, -1, -1):
        tail = [*(one.lower() for one in words[place]), *tail]
        if small[: len(tail)] == tail:
            keep = place
    return [*(word for one in words[:keep] for word in one), *own]


def _is_aside(path: str) -> bool:
    """Whether a file stands beside another one that it tests, shows or declares: `Card.nuxt.test.ts`."""
    return not _ASIDE.isdisjoint(path.rpartition("/")[2].split(".")[1:-1])


def _words(name: str) -> list[str]:
    return _WORDS.findall(name)


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _below(folder: str, path: str) -> str:
    return f"{folder}/{path}" if folder else path


def _brackets(text: str, start: int) -> str:
    """What stands in the brackets that begin here."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in "[{(") - (text[place] in "]})")
        if not depth:
            return text[start + 1 : place]
    return ""


def _strings(said: str, layer: str, source: str) -> Iterator[tuple[str, str]]:
    """Entries of a list of folders, each with its path from the root of the project."""
    for item in _ITEM.finditer(said):
        path = _PATH.search(item[0]) if item[0].startswith("{") else None
        written = item[2] or (path[2] if path else "")
        if not written:
            continue
        found = _place(written, layer, source)
        if found:
            yield item[0], found


def _place(written: str, layer: str, source: str) -> str | None:
    home = layer if written.startswith(("~~", "@@")) else source
    return joined(home, re.sub(r"^(?:~~?|@@?)/", "", written))
