"""What stands beside the text of a note is found too: its properties, the name of its file, its folder."""

from __future__ import annotations

from typing import Any

import pytest

from ori_memory.retrieval.answer import Answer, Verdict


def paths(answer: Answer) -> list[str]:
    return [hit.path for hit in answer.hits]


@pytest.fixture
def kitchen(shelf: Any) -> Any:
    shelf.write(
        "chickpeas.md",
        "---\ntags: [fasting, quick]\nauthor: Ada Brook\npurpose: What to cook where nobody has time\n"
        "layout: wide-page\npermalink: /kitchen/chickpeas/\nissue: 4711\nweight: 7\n---\n\nSoak them overnight.\n",
    )
    shelf.write("bread.md", '{"a": 1}\n\nKnead, wait, bake. Some call the waiting fasting of the dough.\n')
    shelf.write("soup.md", "---\ntags:\n  - winter/soups\nmeta:\n  cook: Berta Quill\n---\n\nCarrots and leeks.\n")
    shelf.write("notes/20240105.md", "---\ntitle: An afternoon\n---\n\nRain.\n")
    shelf.write("notes/202401051130.md", "---\ntitle: A morning\n---\n\nSun.\n")
    return shelf


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("#fasting", "chickpeas.md"),
        ("fasting", "chickpeas.md"),
        ("Ada Brook", "chickpeas.md"),
        ("nobody has time", "chickpeas.md"),
        ("4711", "chickpeas.md"),
        ("#winter/soups", "soup.md"),
        ("recipes of Berta Quill", "soup.md"),
        ("202401051130", "notes/202401051130.md"),
    ],
)
def test_tags_and_other_properties_are_found(kitchen: Any, question: str, path: str) -> None:
    answer = kitchen.ask(question)
    assert paths(answer)[0] == path
    assert answer.verdict is not Verdict.NOTHING


@pytest.mark.parametrize("question", ["wide-page", "kitchen"])
def test_properties_that_say_how_a_page_is_shown_are_not(kitchen: Any, question: str) -> None:
    assert paths(kitchen.ask(question)) == []


def test_a_changed_property_is_found_and_the_old_one_no_more(kitchen: Any) -> None:
    kitchen.ask("fasting")
    kitchen.write("chickpeas.md", "---\nauthor: Carla Dunn\n---\n\nSoak them overnight, all of them.\n")
    assert paths(kitchen.ask("Carla Dunn")) == ["chickpeas.md"]
    assert paths(kitchen.ask("Ada Brook")) == []


def test_a_name_with_an_escaped_underscore_is_a_name(shelf: Any) -> None:
    shelf.write("formatter/single_value.md", "# single\\_value\n\nThe plugin puts out one field.\n")
    shelf.write("formatter/list.md", "* [single\\_value](single_value.md)\n* [json](json.md), and a value, single\n")
    shelf.write("formatter/json.md", "# json\n\nA single value is a string. Set `max\\_value`.\n")
    answer = shelf.ask("single_value")
    assert answer.hits[0].title == "single_value"
    assert paths(shelf.ask("max_value"))[0] == "formatter/json.md"


def test_a_readme_is_found_by_the_folder_it_is_of(shelf: Any) -> None:
    shelf.write("modules/turnstile/README.md", "What it takes and gives.\n")
    shelf.write("modules/lantern/README.md", "What it takes and gives, as every module.\n")
    assert paths(shelf.ask("turnstile")) == ["modules/turnstile/README.md"]


def test_only_the_templates_of_the_vault_itself_are_left_out(shelf: Any) -> None:
    shelf.write("templates/note.md", "A lantern to fill in.\n")
    shelf.write("docs/templates/lantern.md", "How a lantern is drawn.\n")
    assert paths(shelf.ask("lantern")) == ["docs/templates/lantern.md"]


def test_a_list_of_all_notes_comes_after_the_note_that_answers(shelf: Any) -> None:
    told = {
        "autonomy": "limits of the agent: what it may do alone",
        "style": "how the agent writes",
        "tests": "what the agent tests",
        "releases": "when the agent publishes",
        "history": "what the agent did",
    }
    for name in told:
        shelf.write(f"rules/{name}.md", f"# About {name}\n\nEach session has an end. " + "It is told here. " * 20)
    shelf.write("rules/autonomy.md", "# Autonomy\n\nThe limits are these. An agent asks first. " + "It waits. " * 60)
    shelf.write("rules/README.md", "# Rules\n\n" + "\n".join(f"- [{k}]({k}.md), {v}" for k, v in told.items()))
    found = paths(shelf.ask("which limits does an agent have"))
    assert found[:2] == ["rules/autonomy.md", "rules/README.md"]
    assert paths(shelf.ask("rules"))[0] == "rules/README.md"


@pytest.mark.parametrize(
    ("question", "verdicts"),
    [
        ("capital of Mongolia", {Verdict.UNSURE, Verdict.NOTHING}),
        ("sourdough lanterns", {Verdict.UNSURE, Verdict.NOTHING}),
        ("Brewing strong teas", {Verdict.RELEVANT}),
    ],
)
def test_a_note_that_holds_less_than_half_of_a_question_is_no_sure_answer(
    shelf: Any, question: str, verdicts: set[Verdict]
) -> None:
    shelf.write("db.md", "Keep it in mongo, and write the capitals first. See the lanterns.\n")
    shelf.write("tea.md", "A tea is brewed strongly.\n")
    shelf.write("other.md", "Bold is set in bold.\n")
    assert shelf.ask(question, is_fast=True).verdict in verdicts
