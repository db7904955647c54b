"""Contract of a language pack (entry-point group `aries.languages`): what a file says, and where its imports lead.

The entry point's name is a file suffix without its dot; a pack is named once for each of its suffixes, so that who owns
a file is known without importing anybody:

    [project.entry-points."aries.languages"]
    py = "my_language.pack:Python"
    pyi = "my_language.pack:Python"

A pack works in two steps. `read` turns the bytes of one file into facts; it sees nothing else, so its result is cached
by content and may be made in another process. A `Resolver` sees the whole tree and says which file an import means. The
host binds references to definitions by following imports and exports; a name that is bound to nothing makes no edge.

A pack may also say how its language is written, as an attribute `lexis` (`aries_kernel.contracts.lexis.Lexis`); code
is compared by its form with it. One whose files define what is called as they are (the component in `Card.vue`) has an
attribute `reads_names` that is true: its facts are then cached by content and name. Packs of one family whose resolvers
are the same name their rules in an attribute `rules`: one of them is asked to resolve for all, and reads settings once.
A resolver for a language whose frameworks give files names by their place (`components/base/Card.vue` is `BaseCard`)
has a method `given(path, name) -> tuple[str, str] | None`: for a name that `path` neither defines nor imports nor sees
in `ambient`, the file that is meant and what of its exports. One that knows from settings what a project hands out to
others has a method `offered() -> Iterable[tuple[str, str]]`: files, and names of them or `*`.

Rows are named tuples and not attrs classes because a repository has them by the hundred thousand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Protocol

from attrs import frozen

__all__ = [
    "Export",
    "FileFacts",
    "Import",
    "LanguagePack",
    "Missing",
    "OtherLanguage",
    "Project",
    "Reference",
    "Resolver",
    "Symbol",
    "Target",
    "TooIntricate",
]


class Symbol(NamedTuple):
    """A definition: whatever a reader of the file would call one.

    Several with one qualified name are sites of one definition: overloads, the branches of a condition, a property and
    its setter.
    """

    name: str
    qualified: str
    """Names of what it stands in, outermost first, joined by dots in every language: `Outer.Inner.run`."""
    kind: str
    """`class`, `function`, `method`, `field`, `property`, `variable`, `constant`, `type`, `interface`, `enum`, `member`
    (of an enum), `struct`, `trait`, `namespace`, `macro`."""
    line: int
    """Where it begins, from 1, decorators and modifiers included."""
    end_line: int
    """Its last line, included."""
    start: int
    """Bytes of the source before it."""
    end: int
    """Bytes of the source before what follows it."""
    parent: int = -1
    """Place of the symbol it stands in, among the symbols of the file; -1 for none. Parents stand before children."""
    signature: str = ""
    """Its head in one line: name, parameters, result, bases."""
    doc: str = ""
    """The first line of its documentation, markers of comments removed."""
    exported: bool = True
    """Whether other files are meant to use it, by the rules or the customs of the language."""
    modifiers: str = ""
    """What stands in front, joined by blanks: `async`, `abstract`, `static`, `overload`, `@cached_property`."""


class Import(NamedTuple):
    """One name that a file brings in, or a module it names without binding anything. `import a, b` makes two."""

    line: int
    kind: str
    """`import`; `type` where only a type checker sees it; `dynamic`, `require`; `reexport`; `include`; `module` for a
    file that belongs to this one (`mod x;`)."""
    module: str
    """As written, quotes removed: `..util`, `./a.js`, `std::fmt`; empty where it is computed."""
    name: str = ""
    """What of that module: `run`, `default`, `*` for everything; empty for the module itself."""
    local: str = ""
    """The name it has in this file; empty where none is bound."""
    text: str = ""
    """How a computed import is written, for the list of those that cannot be resolved."""


class Export(NamedTuple):
    """A name that importers of the file can ask for. One of `symbol` and `binding` is given."""

    name: str
    """`*`: everything that the binding's module exports."""
    symbol: int = -1
    """Place of a symbol of this file."""
    binding: int = -1
    """Place of an import of this file: handed on."""
    is_public: bool = True
    """Whether an import of everything brings it."""


class Reference(NamedTuple):
    """A use of a name that scope rules of the language lead to a symbol of this file or out of it.

    A name that a parameter or a local variable hides is no reference. `a.b.c()` is one reference, its root is `a`.
    """

    line: int
    kind: str
    """`call`, `new`, `base`, `type`, `decorator`, `jsx`, `use`."""
    root: str
    """The first name as written."""
    path: str = ""
    """Names behind it, joined by dots: `b.c`. Names that belong to the module of the binding are left out: with
    `import a.b`, `a.b.run()` has the root `a`, that import as its binding, and the path `run`."""
    symbol: int = -1
    """Place of the symbol of this file that the root is; for `self.x` in a class, that class, with the path `x`, which
    the host looks for in the class and then in its bases; for a root `super`, in its bases only. Where the path begins
    with the root, the name stands alone in the class: what neither it nor its bases have may be seen without them."""
    binding: int = -1
    """Place of the import of this file that the root is. Neither: the root may be a name that files see without an
    import (`Resolver.ambient`) or by an import of everything."""
    inside: int = -1
    """Place of the innermost symbol it stands in; -1 for the file itself."""


@frozen
class FileFacts:
    """What one file says. Plain data, equal for equal bytes, whatever the machine, the folder and the hash seed."""

    language: str
    symbols: tuple[Symbol, ...] = ()
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    references: Sequence[Reference] = ()
    """A tuple; or `References`, which are these rows as columns, where a pack makes those at less cost."""
    doc: str = ""
    """The first line of the file's own documentation."""
    namespace: str = ""
    """The package or namespace that the file says it belongs to, where the language has such a line."""
    error_line: int = 0
    """The first line that could not be parsed, from 1; 0 for none. All else is still read."""


class OtherLanguage(Exception):
    """Raised by `read`: in spite of its suffix the file is in another language (`.h` that holds C++)."""

    def __init__(self, suffix: str) -> None:
        super().__init__(f"the file is what others call .{suffix}")
        self.suffix = suffix
        """Without its dot. Where nobody owns it, the host asks again with `is_final`."""


class TooIntricate(Exception):
    """Raised by `read`: to take this text apart would keep the machine busy for minutes, and no one writes such code.

    The message says why in a few words that go on from "left out:". Equal texts raise it alike on every machine.
    """


@frozen
class Target:
    """The files that an import leads to."""

    files: tuple[str, ...]
    """Paths within the project. Several where the language spreads one namespace over files: a Go package."""
    is_whole: bool = False
    """Whether the bound name stands for the file (the module, the package) itself and not for something in it."""


@frozen
class Missing:
    """Why an import leads to no file of the project."""

    reason: str
    """`external` for what is not part of the project; `not found` for what should be and is not; `dynamic` for what is
    only known when it runs; `asset` for a file that is no code."""


class Project(Protocol):
    """The tree as a resolver sees it. Paths are relative to the root, with `/`, on every system."""

    @property
    def files(self) -> Sequence[str]:
        """Source files of all languages that are indexed, sorted."""
        ...

    def has(self, path: str) -> bool:
        """Whether this is one of `files`; quick."""
        ...

    def namespace(self, path: str) -> str:
        """What `FileFacts.namespace` says of one of `files`."""
        ...

    def imports(self, path: str) -> Sequence[Import]:
        """What `FileFacts.imports` says of one of `files`: for languages whose modules are declared by other files."""
        ...

    def language(self, path: str) -> str:
        """What `FileFacts.language` says of one of `files`."""
        ...

    def text(self, path: str) -> str | None:
        """The text of any file below the root, for settings; None where there is none, or none that can be read.

        The host notes what was asked for: when it changes, appears or goes, a new resolver is made.
        """
        ...

    def find(self, name: str) -> Sequence[str]:
        """Paths of all files with this name (`go.mod`, `package.json`) that are part of the project, sorted.

        The host notes the name, as it does for `text`.
        """
        ...


class Resolver(Protocol):
    """Where imports of the pack's own files lead, for one state of the tree. Settings are read when first needed."""

    def resolve(self, path: str, item: Import) -> Target | Missing:
        """The files that `item` in the file `path` means. Never raises for what a file says."""
        ...

    def member(self, path: str, name: str) -> str | None:
        """The file that `name` is inside the module `path`: a submodule. None where the module holds no such file.

        The host asks when an import wants a name of a file that does not export it, that is the importing file itself,
        or that exports it by importing this very submodule: the edge then goes to the submodule, not to `path`.
        """
        ...

    def ambient(self, path: str) -> Sequence[str]:
        """Files whose exports `path` sees without an import, nearest first: those of the same package."""
        ...

    def definitions(self, path: str) -> Sequence[str]:
        """Files that may hold the bodies of what `path` only declares (`.c` for `.h`); empty where there are none."""
        ...


class LanguagePack(Protocol):
    """One language. Making an instance loads nothing; the first `read` does. Has no state that matters."""

    name: ClassVar[str]
    """`python`."""
    family: ClassVar[str]
    """Languages that import each other's files have one family, and its name: `c`, `ecmascript`. No edge leads from one
    family to another. Each pack resolves the imports of its own files, also those that lead to its relatives."""
    suffixes: ClassVar[tuple[str, ...]]
    """With their dots, in small letters; the entry points name the same ones."""
    version: ClassVar[str]
    """Changes whenever `read` gives something else for the same bytes: old cached facts are then not used."""

    def encoding(self, head: bytes) -> str | None:
        """The encoding that the first bytes of a file declare in the language's own way; None for UTF-8."""
        ...

    def read(self, source: bytes, path: str, *, is_final: bool = False) -> FileFacts:
        """What the file says. `source` is UTF-8 without a byte order mark, its lines end in a single line feed.

        Only the suffix of `path` may matter, to choose a dialect; the name of the file too, where the pack has the
        attribute `reads_names`. A broken file gives what could be read, whatever the depth of its nesting.
        Raises: OtherLanguage unless `is_final`; TooIntricate; UserError where the grammar cannot be loaded.
        """
        ...

    def resolver(self, project: Project) -> Resolver:
        """For this state of the tree. Raises nothing: settings that cannot be read count as absent."""
        ...

    def is_test(self, path: str) -> bool:
        """Whether a file of the language is a test, by the customs of its tools."""
        ...
