"""What components of Astro say."""

from __future__ import annotations

import pytest
from component_facts import facts, uses

from aries_language_components.pack import Astro

FENCED = '---\nimport { helper } from "./helper"\nimport Card from "./Card.astro"\n---\n'


def markup(text: str) -> set[tuple[int, str, str]]:
    return {one for one in uses(facts(FENCED + text, "A.astro")) if one[0] > 4}


@pytest.mark.parametrize(
    "text",
    [
        "{helper}",
        "<a href={helper}/>",
        "<a {helper}/>",
        "<a {...helper}/>",
        "<a href=`/x/${helper}`/>",
        "<p>it's {helper}</p>",
        "{[1].map((x) => <p>it's {x} {helper}</p>)}",
        "{1 ? <br> : (<><b>}</b></>)}{helper}",
        "{1 && <p title={helper}>don't</p>}",
        "{/* it's */}{helper}",
        "{[1].map((x) => { return <p><input>{helper}</p> })}",
        "<style define:vars={{ a: helper }}></style>",
        "<script set:html={helper}></script>",
    ],
)
def test_code_in_markup_uses_what_the_script_binds(text: str) -> None:
    assert markup(text) == {(5, "use", "helper")}


@pytest.mark.parametrize(
    "text",
    [
        "{[1].map((helper) => <p>{helper}</p>)}",
        '<a title="{helper}"/>',
        "<!-- {helper} -->",
        "<style>a {helper}</style>",
        "<script is:inline>helper()</script>",
        "<p is:raw>{helper}</p>",
        "helper",
    ],
)
def test_what_the_markup_names_itself_or_only_says_is_no_use(text: str) -> None:
    assert markup(text) == set()


def test_tags_are_uses_at_any_depth() -> None:
    text = "<Card>\n{[1].map(() => <li><Card.Part/>{1 && <Card client:load/>}</li>)}\n</Card>"
    assert markup(text) == {(5, "jsx", "Card"), (6, "jsx", "Card.Part"), (6, "jsx", "Card")}


def test_scripts_that_are_bundled_import_and_others_do_not() -> None:
    said = facts(
        '<script>\nimport "./a"\n</script>\n<script src="./b.ts"></script>\n<script src="/c.js"></script>\n'
        '<script is:inline>import "./d"</script>\n<script type="module">import "./e"</script>',
        "A.astro",
    )
    assert [(one.line, one.module) for one in said.imports] == [(2, "./a"), (4, "./b.ts")]


def test_what_the_fenced_script_exports_can_be_imported() -> None:
    said = facts("---\nexport const prerender = true\nconst own = 1\n---\n<p/>", "Card.astro")
    assert [one.name for one in said.exports] == ["default", "prerender"]
    assert [one.qualified for one in said.symbols] == ["Card", "prerender", "Card.own"]


def test_code_without_an_end_is_said_and_what_stands_before_is_read() -> None:
    said = facts(f"{FENCED}<Card/>\n{{[1].map((x) => <p>{{helper(x}}", "A.astro")
    assert said.error_line == 6 and (5, "jsx", "Card") in uses(said)


def test_a_fence_in_a_string_at_the_end_of_no_line_does_not_end_the_script() -> None:
    said = facts('---\nconst a = "x---y"\nimport "./b"\n---\n<p/>', "A.astro")
    assert [one.module for one in said.imports] == ["./b"]


def test_blanks_without_end_in_a_tag_are_looked_through_once() -> None:
    # Were they looked through from each of them, this would take an hour.
    assert Astro().read(b"---\nconst a = 1\n---\n<A " + b"\t\r\n" * 700_000, "A.astro").error_line > 4
