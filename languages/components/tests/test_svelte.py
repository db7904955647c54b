"""What components of Svelte say."""

from __future__ import annotations

import pytest
from component_facts import facts, uses

SCRIPT = '<script>\nimport { helper } from "./helper"\nimport Card from "./Card.svelte"\n</script>\n'


def markup(text: str) -> set[tuple[int, str, str]]:
    return {one for one in uses(facts(SCRIPT + text, "A.svelte")) if one[0] > 4}


@pytest.mark.parametrize(
    "text",
    [
        "{helper}",
        "<a href={helper}/>",
        "<a {helper}/>",
        "<a {...helper}/>",
        '<a title="a {helper + \'"\'} b"/>',
        "<a href=/x/{helper}/>",
        "<input bind:value={helper}/>",
        "<a bind:helper/>",
        "<a use:helper/>",
        "<a use:helper={1}/>",
        "<a transition:helper|local/>",
        "<a class:helper/>",
        "<a style:color={helper}/>",
        "<a {@attach helper}/>",
        "{#if helper}{/if}",
        "{#if 1}{:else if helper}{/if}",
        "{#each helper as a}{/each}",
        "{#each [1] as { a = helper }, i (a)}{i}{/each}",
        "{#await helper then a}{a}{/await}",
        "{#key helper}{/key}",
        "{@html helper}",
        "{@const a = helper}",
        "{#snippet row(a = helper)}{a}{/snippet}",
        "<!-- it's --><p>it's {helper}</p>",
        "{`a${helper}}`}",
        "{/}/.test(helper)}",
        "{$helper}",
        "<svelte:component this={helper}/>",
    ],
)
def test_code_in_markup_uses_what_the_script_binds(text: str) -> None:
    assert markup(text) == {(5, "use", "helper")}


@pytest.mark.parametrize(
    "text",
    [
        "{#each [1] as helper}{helper}{/each}",
        "{#each [1] as a, helper (helper)}{helper}{/each}",
        "{#await 1}{:then helper}{helper}{:catch helper}{helper}{/await}",
        "{#await 1 then helper}{helper}{/await}",
        "{#snippet row(helper)}{helper}{/snippet}",
        "<p let:helper>{helper}</p>",
        "<p let:item={helper}>{helper}</p>",
        "<!-- {helper} -->",
        "<style>a {helper}</style>",
        "helper",
        "{'helper'}",
    ],
)
def test_what_the_markup_names_itself_or_only_says_is_no_use(text: str) -> None:
    assert markup(text) == set()


def test_names_of_a_block_end_with_it_whatever_elements_stay_open() -> None:
    assert markup("{#each [1] as helper}<p><br>{helper}{/each}\n{helper}</p>") == {(6, "use", "helper")}


def test_tags_in_capitals_or_with_points_are_components() -> None:
    assert markup("<Card/><Card.Part/><card/>") == {(5, "jsx", "Card"), (5, "jsx", "Card.Part")}


@pytest.mark.parametrize("attribute", ["module", 'context="module"'])
def test_only_the_module_hands_names_out(attribute: str) -> None:
    said = facts(f"<script {attribute}>export const a = 1</script>\n<script>export let b</script>", "Card.svelte")
    assert [one.name for one in said.exports] == ["default", "a"]
    assert [(one.qualified, one.exported) for one in said.symbols] == [("Card", True), ("a", True), ("Card.b", False)]


def test_a_store_is_used_by_its_name_with_a_sign_and_runes_are_none() -> None:
    said = facts("<script>\nimport { count, state } from './s'\nlet a = $state($count)\n</script>", "A.svelte")
    assert uses(said) == {(3, "use", "count")}


def test_a_snippet_is_a_definition_of_the_component() -> None:
    said = facts("<p/>\n{#snippet row(x)}\n{x}\n{/snippet}\n{@render row(1)}", "A.svelte")
    assert [(one.qualified, one.kind, one.line) for one in said.symbols] == [
        ("A", "class", 1),
        ("A.row", "function", 2),
    ]
    assert uses(said) == {(5, "call", "A.row")}


def test_types_are_read_where_the_script_says_so() -> None:
    said = facts('<script lang="ts">let a: Array<string> = []</script>\n{#each a as b}{b as string}{/each}', "A.svelte")
    assert said.error_line == 0 and uses(said) == {(2, "use", "A.a")}


def test_code_without_an_end_is_said() -> None:
    said = facts(f"{SCRIPT}<Card/>\n{{helper(\n", "A.svelte")
    assert said.error_line == 6 and uses(said) == {(5, "jsx", "Card")}
