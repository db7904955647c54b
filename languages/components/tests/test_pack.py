"""The packs keep the contract of language packs."""

from __future__ import annotations

from typing import ClassVar

import pytest

from aries_kernel.contracts.language import LanguagePack
from aries_kernel.testing.language_suite import LanguageSuite
from aries_language_components.pack import Astro, Svelte, Vue

TSCONFIG = '{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"] } } }'


class TestVue(LanguageSuite):
    edges: ClassVar = frozenset(
        {("src/App.vue", "src/MyCard.vue"), ("src/App.vue", "src/Old.vue"), ("src/Old.vue", "src/MyCard.vue")}
    )

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return Vue()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return {
            "src/App.vue": '<script setup lang="ts">\nimport MyCard from "./MyCard.vue"\nimport Old from "@/Old"\n'
            "const rows = [1, 2]\nfunction go(row: number) { return row }\n</script>\n\n"
            '<template>\n  <my-card v-for="(row, i) in rows" :key="i" @click="go(row)" v-slot="{ x }">'
            "{{ x }}</my-card>\n"
            "  <Old/>\n</template>\n",
            "src/MyCard.vue": "<template><slot/></template>\n<script>\nexport default { name: 'card', methods: {\n"
            "  run() { return this.stop() },\n  stop() {} } }\n</script>\n",
            "src/Old.vue": "<template><MyCard/></template>\n<script>\nimport MyCard from './MyCard.vue'\n"
            "export const shared = 1\nexport default { components: { MyCard } }\n</script>\n",
            "tsconfig.json": TSCONFIG,
        }


class TestSvelte(LanguageSuite):
    edges: ClassVar = frozenset({("src/routes/+page.svelte", "src/lib/Card.svelte")})

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return Svelte()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return {
            "src/routes/+page.svelte": "<script module>\n  export const load = () => 1\n</script>\n<script>\n"
            "  import Card from '$lib/Card.svelte'\n  export let name = 'a'\n</script>\n\n"
            "{#each [1, 2] as { a }, i (a)}\n  <Card {name} let:item>{item} {load()}</Card>\n{:else}\n"
            "  <p>none</p>\n{/each}\n"
            "{#snippet row(x)}<b>{x}{name}</b>{/snippet}\n{@render row(1)}\n",
            "src/lib/Card.svelte": "<script>\n  let { children } = $props()\n</script>\n{@render children()}\n",
            "svelte.config.js": "export default {}\n",
        }


class TestAstro(LanguageSuite):
    edges: ClassVar = frozenset(
        {("src/pages/index.astro", "src/Card.astro"), ("src/pages/index.astro", "src/List.astro")}
    )

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return Astro()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return {
            "src/pages/index.astro": "---\nimport Card from '@/Card.astro'\nimport * as Parts from '../List.astro'\n"
            "const rows = [1]\n---\n<!doctype html>\n"
            "<ul>{rows.map((row) => <li><Card {row}/> don't {row && <Parts.Row/>}</li>)}</ul>\n",
            "src/Card.astro": "---\nexport interface Props { row: number }\nconst { row } = Astro.props\n---\n"
            "<b>{row}</b>\n",
            "src/List.astro": "<p><slot/></p>\n",
            "tsconfig.json": TSCONFIG,
        }
