"""Names for folders that no `tsconfig.json` has: from the settings of bundlers, and those that frameworks begin with.

A configuration is a program. What of it is plainly data is read; a name whose folder is computed stays unknown.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from attrs import define, field

from aries_language_syntax.tree import chain, folder_of, joined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aries_kernel.contracts.language import Project
    from aries_language_javascript.manifests import Manifests

__all__ = ["Aliases"]

_ENDINGS = ("ts", "js", "mjs", "mts", "cjs", "cts")
_TOOLS = (
    "vite.config", "electron.vite.config", "vitest.config", "astro.config", "svelte.config", "nuxt.config",
    "vue.config", "webpack.config", "rspack.config", "rsbuild.config", "quasar.config",
)  # fmt: skip
_KEY = re.compile(r"(?<![\w$.])['\"]?alias['\"]?\s*:\s*(?=[{\[])")
_TOKEN = re.compile(
    r"""//[^\n]*|/\*(?:[^*]|\*(?!/)){0,2000}\*/|/(?:[^/\\\n*]|\\.)(?:[^/\\\n]|\\.){0,300}/"""
    r"""|"(?:[^"\\\n]|\\.){0,900}"|'(?:[^'\\\n]|\\.){0,900}'|`(?:[^`\\]|\\.){0,900}`|[()\[\]{},]"""
)
"""Comments, patterns, texts, and signs that divide. None is longer: where many begin and none ends, each would be
looked through to the end of the file."""
_PAIR = re.compile(r"""\s*(?:(["'])([^"'\n]+)\1|([\w$]+))\s*:\s*(\S[^\n]*(?:\n[^\n]*){0,8})\Z""")
_FIND = re.compile(r"""\bfind\s*:\s*(?:(["'])([^"'\n]+)\1|/\^?((?:[\w@~$#\-]|\\[/$.])+)\$?/)""")
_REPLACEMENT = re.compile(r"\breplacement\s*:\s*([^\n]+(?:\n[^\n]+){0,5})")
_STRING = re.compile(r"""(["'`])((?:(?!\1)[^\\\n])*)\1""")
_WORD = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*")
_PLAIN_WORDS = frozenset(
    {
        "path", "resolve", "join", "fileURLToPath", "new", "URL", "import", "__dirname", "process", "String",
        "normalizePath", "url", "pathToFileURL",
    }
)  # fmt: skip
_SRC_DIR = re.compile(r"""\bsrcDir\s*:\s*(["'])([^"'\n]+)\1""")
_LIB = re.compile(r"""\blib\s*:\s*(["'])([^"'\n]+)\1""")
_MOST_KEYS = 20
_MOST_ENTRIES = 400


class _Alias(NamedTuple):
    name: str
    target: str
    """From the root of the project."""


@define(eq=False)
class Aliases:
    """All of them, each configuration read when a file below it first asks."""

    project: Project
    manifests: Manifests
    _places: dict[str, list[str]] | None = field(init=False, default=None)
    """Configurations by folder."""
    _at: dict[str, list[_Alias]] = field(init=False, factory=dict)
    _above: dict[str, list[_Alias]] = field(init=False, factory=dict)

    def named(self, folder: str, module: str) -> list[str]:
        """The paths that a name may mean for a file of a folder, those of the nearest configuration first."""
        found = []
        for name, target in self._all(folder):
            prefix, star, _ = name.partition("*")
            if star:
                inside = module[len(prefix) :] if module.startswith(prefix) else None
                path = None if inside is None else target.replace("*", inside)
            elif name.endswith("/") and module.startswith(name):
                path = f"{target}/{module[len(name) :]}"
            elif module == name or module.startswith(f"{name}/"):
                path = target + module[len(name) :]
            else:
                continue
            whole = None if path is None else joined("", path)
            if whole is not None:
                found.append(whole)
        return found

    def is_made(self, folder: str, module: str) -> bool:
        """Whether a framework writes the module itself: `./$types` of SvelteKit, `#imports` of Nuxt."""
        if module.rpartition("/")[2].removesuffix(".js") == "$types":
            return any(True for _ in self._near(folder, "svelte.config")) or self._depends(folder, "@sveltejs/kit")
        return module.startswith("#") and any(True for _ in self._near(folder, "nuxt.config"))

    def _all(self, folder: str) -> list[_Alias]:
        if folder not in self._above:
            self._above[folder] = [alias for one in chain(folder) for alias in self._of(one)]
        return self._above[folder]

    def _of(self, folder: str) -> list[_Alias]:
        if folder not in self._at:
            found: list[_Alias] = []
            for place in self._configurations().get(folder, ()):
                text = self.project.text(place) or ""
                home = folder_of(folder) if folder.rpartition("/")[2] == ".vitepress" else folder
                found += _written(text, folder, home)
                found += self._begun_with(place.rpartition("/")[2].partition(".config")[0], folder, text)
            self._at[folder] = found + self._customary(folder)
        return self._at[folder]

    def _configurations(self) -> dict[str, list[str]]:
        if self._places is None:
            self._places = {}
            names = [f"{tool}.{ending}" for tool in _TOOLS for ending in _ENDINGS]
            for path in [path for name in names for path in self.project.find(name)]:
                self._places.setdefault(folder_of(path), []).append(path)
            for ending in _ENDINGS:
                for path in self.project.find(f"config.{ending}"):
                    if folder_of(path).rpartition("/")[2] == ".vitepress":
                        self._places.setdefault(folder_of(path), []).append(path)
        return self._places

    def _near(self, folder: str, tool: str) -> Iterator[str]:
        places = self._configurations()
        for one in chain(folder):
            yield from (place for place in places.get(one, ()) if place.rpartition("/")[2].startswith(f"{tool}."))

    def _begun_with(self, tool: str, folder: str, text: str) -> list[_Alias]:
        """What a framework says without being told."""
        if tool == "nuxt":
            said = _SRC_DIR.search(text)
            homes = [joined(folder, said[2])] if said else [_below(folder, "app"), folder]
            found = [_Alias(name, home) for name in ("~", "@") for home in homes if home is not None]
            found += [_Alias(name, folder or ".") for name in ("~~", "@@")]
            return [*found, _Alias("#shared", _below(folder, "shared")), _Alias("#server", _below(folder, "server"))]
        if tool == "svelte":
            said = _LIB.search(text)
            home = joined(folder, said[2]) if said else _below(folder, "src/lib")
            return [] if home is None else [_Alias("$lib", home)]
        return [_Alias("@", _below(folder, "src"))] if tool == "vue" else []

    def _customary(self, folder: str) -> list[_Alias]:
        """What a tool says that a package depends on."""
        manifest = self.manifests.at(folder)
        if manifest is None:
            return []
        found = []
        for tool, name, home in (
            ("@vue/cli-service", "@", "src"),
            ("@sveltejs/kit", "$lib", "src/lib"),
            ("laravel-vite-plugin", "@", "resources/js"),
        ):
            if manifest.dependency(tool):
                found.append(_Alias(name, _below(folder, home)))
        return found

    def _depends(self, folder: str, name: str) -> bool:
        return any(one.dependency(name) for one in self.manifests.above(folder))


def _below(folder: str, path: str) -> str:
    return f"{folder}/{path}" if folder else path


def _written(text: str, folder: str, home: str) -> Iterator[_Alias]:
    """`folder`: of the configuration; `home`: what `/` and bare paths start from."""
    keys = islice(_KEY.finditer(text), _MOST_KEYS)
    parts = (part for key in keys for part in _parts(text, key.end()))
    for part in islice(parts, _MOST_ENTRIES):
        listed = _FIND.search(part)
        pair = _PAIR.match(part) if listed is None else None
        if listed is not None:
            value = _REPLACEMENT.search(part)
            name = listed[2] or re.sub(r"\\(.)", r"\1", listed[3])
            target = _path(value[1], text, folder, home) if value else None
        elif pair is not None:
            name = (pair[2] or pair[3]).removesuffix("$")
            target = _path(pair[4], text, folder, home)
        else:
            continue
        if target is not None:
            yield _Alias(name, target or ".")


def _parts(text: str, start: int) -> Iterator[str]:
    """What commas divide in the brackets that begin here."""
    depth, since = 0, start + 1
    for count, found in enumerate(_TOKEN.finditer(text, start)):
        sign = found[0]
        if count > 20 * _MOST_ENTRIES:
            return
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        if (sign == "," and depth == 1) or not depth:
            yield _TOKEN.sub(_without_comments, text[since : found.start()])
            since = found.end()
        if not depth:
            return


def _without_comments(found: re.Match[str]) -> str:
    return " " if found[0].startswith(("//", "/*")) else found[0]


def _path(value: str, text: str, folder: str, home: str, depth: int = 0) -> str | None:
    """The path in the value of a name: a text, or calls with texts and the folder of the file; else None."""
    value = value.strip().rstrip(",")
    strings = [found[2] for found in _STRING.finditer(value)]
    bare = _STRING.sub("", value)
    words = [word for word in _WORD.findall(bare) if word not in _PLAIN_WORDS]
    if not strings and len(words) == 1 and bare.strip() == words[0] and depth < 3:
        said = re.search(
            rf"\b(?:const|let|var)\s+{re.escape(words[0])}\s*=\s*([^\n;]+(?:\n[ \t]+[^\n;]+){{0,4}})", text
        )
        return _path(said[1], text, folder, home, depth + 1) if said else None
    is_call = bare.strip() != ""
    # A single word that is called with one text is a function of the file that joins it to its folder.
    if (
        not strings
        or len(words) > 1
        or (words and (len(strings) > 1 or not re.search(rf"{re.escape(words[0])}\s*\(", bare)))
    ):
        return None
    path = "/".join(one.replace("${__dirname}", ".").strip() for one in strings)
    if "${" in path:
        return None
    if path.startswith("/") and not is_call:
        return joined(home, path.lstrip("/"))
    if not is_call and not path.startswith("."):
        # A bare name is another package, unless there is such a folder; whoever asks looks whether the file is there.
        return joined(home, path)
    return joined(folder, path.lstrip("/"))
