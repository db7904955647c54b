"""What components of Vue say."""

from __future__ import annotations

import pytest
from component_facts import facts, uses

SETUP = '<script setup lang="ts">\nimport { helper } from "./helper"\nimport MyCard from "./MyCard.vue"\n</script>\n'


def template(text: str) -> set[tuple[int, str, str]]:
    return {one for one in uses(facts(f"{SETUP}<template>\n{text}\n</template>\n", "A.vue")) if one[0] > 4}


@pytest.mark.parametrize("tag", ["MyCard", "my-card", "myCard"])
def test_a_tag_is_a_use_of_the_component_however_it_is_written(tag: str) -> None:
    assert template(f"<{tag} />") == {(6, "jsx", "MyCard")}


@pytest.mark.parametrize(
    "text",
    [
        "{{ helper }}",
        '<a :href="helper"/>',
        "<a :[helper]='1'/>",
        '<a v-bind:href.sync="helper"/>',
        '<a v-bind="{ ...helper }"/>',
        '<a @click="helper"/>',
        '<a @click="x = 1; helper"/>',
        '<a @click="function () { helper }"/>',
        '<a v-if="helper &amp;&amp; 1"/>',
        '<a v-else-if="1 > helper"/>',
        '<a v-model="helper"/>',
        "<a :helper/>",
        '<a ref="helper"/>',
        '<li v-for="a in helper"/>',
        '<li v-for="({ a = helper }, i) of [1]" :key="i"/>',
        "<p>{{ '<b>' + \"}\" + helper }}</p>",
        '<A #b="{ x = helper }">{{ x }}</A>',
    ],
)
def test_code_in_a_template_uses_what_the_script_binds(text: str) -> None:
    assert template(text) == {(6, "use", "helper")}


@pytest.mark.parametrize(
    "text",
    [
        '<li v-for="helper in 3">{{ helper }}</li>',
        '<li :key="helper" v-for="helper in 3"/>',
        '<A #b="{ helper }">{{ helper }}</A>',
        '<A v-slot="helper"><B :a="helper"/></A>',
        "<!-- {{ helper }} <MyCard/> -->",
        "<p v-pre>{{ helper }}<MyCard/></p>",
        '<a title="helper"/>',
        "helper",
        '<a @click="helper => helper()"/>',
    ],
)
def test_what_the_template_names_itself_or_only_says_is_no_use(text: str) -> None:
    assert template(text) == set()


def test_a_name_of_the_template_ends_with_its_element() -> None:
    text = '<ul><li v-for="helper in 3"><br>{{ helper }}</li></ul>\n{{ helper }}'
    assert template(text) == {(7, "use", "helper")}


def test_a_directive_of_the_script_is_used_by_its_name() -> None:
    said = facts(
        '<script setup>\nimport vFocus from "./focus"\n</script>\n<template><a v-focus.x="1"/></template>', "A.vue"
    )
    assert uses(said) == {(4, "use", "vFocus")}


def test_without_setup_only_tags_see_the_names_of_the_script() -> None:
    said = facts(
        "<template><MyCard>{{ helper }}</MyCard></template>\n<script>\nimport MyCard from './MyCard.vue'\n"
        "import { helper } from './helper'\nexport default {}\n</script>",
        "A.vue",
    )
    assert uses(said) == {(1, "jsx", "MyCard")}


def test_an_element_of_html_is_no_component_of_that_name() -> None:
    said = facts("<script setup>\nimport Button from './B.vue'\n</script>\n<template><button/></template>", "A.vue")
    assert uses(said) == set()


def test_the_component_is_called_as_its_file_and_holds_what_setup_defines() -> None:
    said = facts(
        "<script>\nexport const shared = 1\n</script>\n<script setup>\nconst a = 1\nfunction run() {}\n</script>",
        "My.client.vue",
    )
    assert [(one.qualified, one.kind, one.line, one.parent, one.exported) for one in said.symbols] == [
        ("My", "class", 1, -1, True),
        ("shared", "constant", 2, -1, True),
        ("My.a", "constant", 5, 0, False),
        ("My.run", "function", 6, 0, False),
    ]
    assert [(one.name, one.symbol) for one in said.exports] == [("default", 0), ("shared", 1)]


def test_the_object_that_a_script_exports_is_the_component() -> None:
    said = facts("<script>\nexport default { methods: { run() {} } }\n</script>", "Card.vue")
    assert [one.qualified for one in said.symbols] == ["Card", "Card.methods.run"]


def test_a_type_that_setup_exports_can_be_imported() -> None:
    said = facts('<script setup lang="ts">\nexport interface Props { a: string }\n</script>', "Card.vue")
    assert [one.name for one in said.exports] == ["default", "Props"]


def test_a_script_in_a_file_of_its_own_is_an_import() -> None:
    said = facts('<template><p/></template>\n\n<script lang="ts" src="./card.ts"></script>', "Card.vue")
    assert [(one.line, one.module) for one in said.imports] == [(3, "./card.ts")]


def test_a_script_in_a_comment_says_nothing() -> None:
    assert facts('<!-- <script>import "./no"</script> -->\n<template/>', "A.vue").imports == ()


def test_scripts_of_unlike_languages_are_both_read() -> None:
    said = facts(
        '<script>\nimport a from "./a"\n</script>\n<script setup lang="ts">\nlet b: A<string> = a\n</script>', "A.vue"
    )
    assert said.error_line == 0 and uses(said) == {(5, "use", "a")}


def test_a_script_in_an_unknown_language_is_said() -> None:
    assert facts('<template/>\n<script lang="coffee">\na = -> 1\n</script>', "A.vue").error_line == 2


def test_a_script_ends_at_its_tag_even_within_a_string_as_browsers_have_it() -> None:
    said = facts('<script>\nimport "./a"\nconst x = "</script>"\nimport "./b"\n</script>', "A.vue")
    assert [one.module for one in said.imports] == ["./a"]


def test_broken_code_in_a_template_costs_no_more_than_itself() -> None:
    said = facts(f"{SETUP}<template>\n{{{{ a( }}}} <a :b='}}'/>\n<MyCard/>{{{{ helper }}}}</template>", "A.vue")
    assert said.error_line == 6
    assert uses(said) == {(7, "jsx", "MyCard"), (7, "use", "helper")}


def test_what_holds_neither_a_template_nor_a_script_is_no_component() -> None:
    said = facts("const a = 1\n", "A.vue")
    assert (said.symbols, said.error_line) == ((), 1)


def test_templates_within_the_template_do_not_end_it() -> None:
    assert template("<template #a><i/></template>\n<template #b/>\n<MyCard/>") == {(8, "jsx", "MyCard")}
