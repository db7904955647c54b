"""Which file of the project a path without its real ending means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from aries_language_syntax.tree import joined

if TYPE_CHECKING:
    from aries_kernel.contracts.language import Project
    from aries_language_javascript.manifests import Manifests

__all__ = ["CODE", "Files", "is_asset", "is_typescript"]

_TYPED = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".d.mts", ".d.cts", ".vue")
# Bundlers of Vue are often told to try its ending as well.
_PLAIN = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts", ".vue")
_WRITTEN_FOR = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx", ".ts", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
"""What the compiler reads where an import names what it will write."""
_DECLARED_FOR = {".ts": ".d.ts", ".mts": ".d.mts", ".cts": ".d.cts"}
"""What the compiler wrote where an import in a declaration still names what it read."""
CODE = (".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_ASSETS = frozenset(
    {
        "astro", "avif", "bmp", "coffee", "css", "csv", "ejs", "eot", "frag", "gif", "glsl", "gql", "graphql", "hbs",
        "htm", "html", "ico", "ini", "jpeg", "jpg", "json", "json5", "jsonc", "less", "map", "marko", "md", "mdx",
        "mov", "mp3", "mp4", "mustache", "node", "ogg", "otf", "pcss", "pdf", "php", "png", "postcss", "proto", "pug",
        "riot", "sass", "scss", "sql", "sss", "styl", "stylus", "svelte", "svg", "toml", "ttf", "txt", "vert", "vue",
        "wasm", "wav", "webm", "webp", "wgsl", "woff", "woff2", "xml", "yaml", "yml",
    }
)  # fmt: skip


def is_typescript(path: str) -> bool:
    return path.endswith((".ts", ".tsx", ".mts", ".cts"))


def is_asset(path: str) -> bool:
    """Whether a file with this ending holds no code that a pack of the family reads."""
    return path.rpartition("/")[2].rpartition(".")[2].lower() in _ASSETS


@define(eq=False)
class Files:
    """Looks for files as the compiler does for an importer in TypeScript, as Node and bundlers do for others."""

    project: Project
    manifests: Manifests
    _found: dict[tuple[str, bool, bool], str | None] = field(init=False, factory=dict)

    def find(self, path: str | None, is_typed: bool, *, is_folder: bool = False) -> str | None:
        """A file, one of its other endings, or the entry of a folder. `is_folder`: the path ends in a slash."""
        if path is None:
            return None
        key = (path, is_typed, is_folder)
        if key not in self._found:
            found = None if is_folder else self.file(path, is_typed)
            self._found[key] = found or self._folder(path, is_typed)
        return self._found[key]

    def file(self, path: str, is_typed: bool) -> str | None:
        """A file or one of its other endings."""
        has = self.project.has
        ending = "." + path.rpartition("/")[2].rpartition(".")[2]
        stem = path[: -len(ending)]
        written = [stem + other for other in _WRITTEN_FOR.get(ending, ())]
        declared = [stem + _DECLARED_FOR[ending]] if ending in _DECLARED_FOR else []
        for candidate in [*written, path, *declared] if is_typed else [path, *written]:
            if has(candidate):
                return candidate
        for other in _TYPED if is_typed else _PLAIN:
            if has(path + other):
                return path + other
        return None

    def _folder(self, path: str, is_typed: bool) -> str | None:
        manifest = self.manifests.at(path)
        for entry in manifest.entries(is_typed) if manifest is not None else ():
            target = joined(path, entry)
            if target is not None:
                found = self.file(target, is_typed) or (self.index(target, is_typed) if target != path else None)
                if found:
                    return found
        return self.index(path, is_typed)

    def index(self, folder: str, is_typed: bool) -> str | None:
        """The file that stands for a folder."""
        base = f"{folder}/index" if folder else "index"
        return next(
            (base + other for other in (_TYPED if is_typed else _PLAIN) if self.project.has(base + other)), None
        )
