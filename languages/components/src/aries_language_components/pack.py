"""The drivers `vue`, `svelte` and `astro`: components that are files."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import attrs

from aries_language_javascript.places import is_test
from aries_language_typescript.lexis import LEXIS

if TYPE_CHECKING:
    from collections.abc import Callable

    from aries_kernel.contracts import FileFacts, Lexis
    from aries_kernel.contracts.language import Project, Resolver
    from aries_language_components.weaving import Woven
    from aries_language_javascript.dialect import Dialect
    from aries_language_syntax.text import Text

__all__ = ["Astro", "Svelte", "Vue"]


class _Components:
    """What the three have in common."""

    name: ClassVar[str]
    family: ClassVar[str] = "ecmascript"
    rules: ClassVar[str] = "ecmascript"
    suffixes: ClassVar[tuple[str, ...]]
    version: ClassVar[str] = "4"
    lexis: ClassVar[Lexis] = attrs.evolve(LEXIS, contexts=())
    reads_names: ClassVar[bool] = True
    has_stores: ClassVar[bool] = False
    hands_out: ClassVar[bool] = False
    sees_others: ClassVar[bool] = False
    is_broken_without_markup: ClassVar[bool] = False

    def encoding(self, head: bytes) -> str | None:
        """None: components are UTF-8."""
        return None

    def read(self, source: bytes, path: str, *, is_final: bool = False) -> FileFacts:
        """Raises: UserError where the grammar cannot be loaded; TooIntricate."""
        from aries_kernel.contracts import FileFacts
        from aries_language_components.component import component_facts
        from aries_language_syntax.text import Text

        made = self._weave()(Text(source))
        if made is None:
            return FileFacts(self.name, error_line=int(self.is_broken_without_markup and bool(source.strip())))
        woven, dialect = made
        return component_facts(
            self.name,
            path,
            woven,
            dialect,
            has_stores=self.has_stores,
            hands_out=self.hands_out,
            sees_others=self.sees_others,
        )

    def _weave(self) -> Callable[[Text], tuple[Woven, Dialect] | None]:
        raise NotImplementedError

    def resolver(self, project: Project) -> Resolver:
        """As for scripts: by the rules of bundlers, and of the `tsconfig.json` that the file belongs to."""
        from aries_language_javascript.resolver import EcmaScriptResolver

        return EcmaScriptResolver(project)

    def is_test(self, path: str) -> bool:
        """As for a script of that name: `Card.stories.vue`."""
        return is_test(path.rpartition(".")[0] + ".ts")


class Vue(_Components):
    """Reads `.vue`."""

    name: ClassVar[str] = "vue"
    suffixes: ClassVar[tuple[str, ...]] = (".vue",)
    sees_others: ClassVar[bool] = True
    is_broken_without_markup: ClassVar[bool] = True

    def _weave(self) -> Callable[[Text], tuple[Woven, Dialect] | None]:
        from aries_language_components.vue import weave

        return weave


class Svelte(_Components):
    """Reads `.svelte`."""

    name: ClassVar[str] = "svelte"
    suffixes: ClassVar[tuple[str, ...]] = (".svelte",)
    has_stores: ClassVar[bool] = True

    def _weave(self) -> Callable[[Text], tuple[Woven, Dialect] | None]:
        from aries_language_components.svelte import weave

        return weave


class Astro(_Components):
    """Reads `.astro`."""

    name: ClassVar[str] = "astro"
    suffixes: ClassVar[tuple[str, ...]] = (".astro",)
    hands_out: ClassVar[bool] = True

    def _weave(self) -> Callable[[Text], tuple[Woven, Dialect] | None]:
        from aries_language_components.astro import weave

        return weave
