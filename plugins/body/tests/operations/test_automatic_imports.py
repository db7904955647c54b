"""Names of Nuxt and of unplugin that need no import, in the graph of a project."""

from __future__ import annotations

from pathlib import Path

import pytest
from body_trees import leads, write

from aries_body.operations.codebase import Codebase

EMPTY = "<template><p/></template>\n"


def page(template: str, script: str = "") -> str:
    return f"<script setup>\n{script}\n</script>\n<template>{template}</template>\n"


@pytest.mark.parametrize(
    ("file", "tag"),
    [
        ("base/Button.vue", "<BaseButton/>"),
        ("base/Button.vue", "<base-button/>"),
        ("base/Button.vue", "<LazyBaseButton/>"),
        ("base/BaseButton.vue", "<BaseButton/>"),
        ("base/button/Button.vue", "<BaseButton/>"),
        ("base/index.vue", "<Base/>"),
        ("base/Button.client.vue", "<BaseButton/>"),
        ("user-card.vue", "<UserCard/>"),
        ("global/Top.vue", "<Top/>"),
    ],
)
@pytest.mark.parametrize("home", ["", "app/"])
def test_a_component_is_called_by_its_folders_and_its_file(root: Path, home: str, file: str, tag: str) -> None:
    beside = f"{home}components/{file.removesuffix('.vue')}.nuxt.test.ts"
    files = {"nuxt.config.ts": "", f"{home}pages/a.vue": page(tag), f"{home}components/{file}": EMPTY, beside: ""}
    assert leads(root, files, f"{home}pages/a.vue") == {f"{home}components/{file}"}


def test_functions_of_composables_and_utils_are_found_also_from_scripts_and_the_server_has_its_own(root: Path) -> None:
    files = {
        "package.json": '{"devDependencies": {"nuxt": "^3"}}',
        "pages/a.vue": page(
            "{{ price(1) }}", "const a = useCart()\nconst b = useDeep()\nconst c = useWhole()\nuseDb()"
        ),
        "plugins/b.ts": "export default () => { useCart().open() }\n",
        "composables/cart.ts": "export function useCart() {}\n",
        "composables/useWhole.ts": "export default () => 1\n",
        "composables/more/deep.ts": "export const useDeep = () => 1\n",
        "composables/other/index.ts": "export { useDeep } from '../more/deep'\n",
        "utils/price.ts": "export const price = (x) => x\n",
        "server/utils/db.ts": "export const useDb = () => 1\n",
        "server/api/c.ts": "export default () => useDb() + useCart()\n",
    }
    assert leads(root, files, "pages/a.vue") == {
        "composables/cart.ts",
        "composables/useWhole.ts",
        "composables/more/deep.ts",
        "utils/price.ts",
    }
    assert leads(root, {}, "plugins/b.ts") == {"composables/cart.ts"}
    assert leads(root, {}, "server/api/c.ts") == {"server/utils/db.ts"}


@pytest.mark.parametrize(
    "script",
    [
        "import { useCart } from 'other'\nuseCart()",
        "function useCart() {}\nuseCart()",
        "for (const useCart of x) useCart()",
    ],
)
def test_a_name_that_the_file_declares_or_imports_is_its_own(root: Path, script: str) -> None:
    files = {"nuxt.config.ts": "", "a.vue": page("", script), "composables/c.ts": "export function useCart() {}\n"}
    assert leads(root, files, "a.vue") == set()


def test_nothing_is_given_without_nuxt_and_a_name_of_two_files_is_nobodys(root: Path) -> None:
    files = {
        "a.vue": page("<Card/>", "useCart()"),
        "components/Card.vue": EMPTY,
        "composables/c.ts": "export const useCart = 1\n",
    }
    assert leads(root, files, "a.vue") == set()
    files = {
        "nuxt.config.ts": "",
        "components/card/index.vue": EMPTY,
        "composables/c.ts": "\n",
    }  # Card.vue is there too.
    assert leads(root, files, "a.vue") == set()


def test_folders_prefixes_and_names_that_the_configuration_says_are_known(root: Path) -> None:
    config = (
        "export default defineNuxtConfig({ // the app\n"
        "  components: [{ path: '~/ui', pathPrefix: false }, { path: '~/kit', prefix: 'K' }],\n"
        "  imports: { dirs: ['./stores/**', './api/**'],\n"
        "    imports: [{ name: 'tr', as: 't', from: '~/lib/text' }],\n  },\n"
        "})\n"
    )
    files = {
        "nuxt.config.ts": config,
        "a.vue": page("<Deep/><KRow/><Plain/>{{ t('x') }}{{ useStore(call()) }}"),
        "ui/very/Deep.vue": EMPTY,
        "kit/Row.vue": EMPTY,
        "components/Plain.vue": EMPTY,
        "api/v1/call.ts": "export const call = () => 1\n",
        "stores/one/two.ts": "export const useStore = () => 1\n",
        "lib/text.ts": "export const tr = (x) => x\n",
    }
    assert leads(root, files, "a.vue") == {
        "ui/very/Deep.vue",
        "kit/Row.vue",
        "stores/one/two.ts",
        "lib/text.ts",
        "api/v1/call.ts",
    }


def test_components_are_also_imported_by_the_name_that_nuxt_gives_them(root: Path) -> None:
    files = {
        "nuxt.config.ts": "",
        "a.ts": "import { BaseButton } from '#components'\nexport const a = BaseButton\n",
        "components/base/Button.vue": EMPTY,
    }
    assert leads(root, files, "a.ts") == {"components/base/Button.vue"}


def test_lists_that_unplugin_wrote_name_components_and_functions(root: Path) -> None:
    files = {
        "package.json": "{}",
        "components.d.ts": "declare module 'vue' {\n  export interface GlobalComponents {\n"
        "    MyCard: typeof import('./src/parts/Card.vue')['default']\n"
        "    RouterLink: typeof import('vue-router')['RouterLink']\n  }\n}\n",
        "src/auto-imports.d.ts": "declare global {\n  const useDark: typeof import('./dark')['useDark']\n}\n",
        "src/App.vue": page("<my-card/><RouterLink/>", "useDark()"),
        "src/parts/Card.vue": EMPTY,
        "src/dark.ts": "export const useDark = () => 1\n",
    }
    assert leads(root, files, "src/App.vue") == {"src/parts/Card.vue", "src/dark.ts"}


def test_edges_follow_components_that_come_go_and_move(root: Path) -> None:
    write(root, {"nuxt.config.ts": "", "a.vue": page("<BaseCard/>", "useCart()"), "composables/c.ts": ""})
    codebase = Codebase.open(root, cache_folder=None)
    try:
        assert not codebase.show_dependencies("a.vue")
        write(root, {"components/base/Card.vue": EMPTY, "composables/c.ts": "export const useCart = () => 1\n"})
        codebase.refresh_files()
        assert {one.path for one in codebase.show_dependencies("a.vue")} == {
            "components/base/Card.vue",
            "composables/c.ts",
        }
        (root / "components/base/Card.vue").rename(root / "components/BaseCard.vue")
        codebase.refresh_files()
        assert {one.path for one in codebase.show_dependencies("a.vue")} == {
            "components/BaseCard.vue",
            "composables/c.ts",
        }
        (root / "nuxt.config.ts").unlink()
        codebase.refresh_files()
        assert not codebase.show_dependencies("a.vue")
    finally:
        codebase.close()
