"""A client's budget in tokens holds, whatever the script, and what it leaves out comes with the cursor."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from ori_memory.retrieval.showing import tokens_of
from ori_memory.serving.desk import Desk
from ori_memory.serving.told import Call
from ori_memory.vault.making import init_vault

TOPICS = {
    "latin": "How the kettle boils water for tea and why it whistles",
    "chinese": "水壶如何烧开水来泡茶以及它为什么会发出哨声",
}


@pytest.fixture(scope="module")
def two_scripts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    root = tmp_path_factory.mktemp("budget") / "vault"
    vault = init_vault(root).vault
    for number in range(12):
        for topic in TOPICS.values():
            text = f"# {topic} {number}\n\n{f'{topic}. ' * 40}\n"
            (root / "notes" / f"{topic} {number}.md").write_text(text, encoding="utf-8")
    desk = Desk(vault, {**os.environ, "ORI_NO_BACKGROUND": "1"})
    desk.start()
    yield desk
    desk.close()


def pages(desk: Desk, name: str, budget: int, **arguments: Any) -> list[dict[str, Any]]:
    found, cursor = [], ""
    while True:
        reply = desk.answer(name, {**arguments, "budget_tokens": budget, "cursor": cursor}, Call("tests", "session"))
        assert not reply.is_error, reply.text
        assert tokens_of(reply.text) <= budget
        document = json.loads(reply.text)
        found.append(document["data"])
        cursor = document.get("cursor", "")
        if not cursor:
            return found


@pytest.mark.parametrize("budget", [500, 700, 1_500])
@pytest.mark.parametrize("script", TOPICS)
def test_a_ranked_answer_keeps_to_it_and_its_pages_are_the_whole(two_scripts: Desk, script: str, budget: int) -> None:
    found = pages(two_scripts, "ori_query_ranked", budget, query=TOPICS[script], limit=12)
    whole = pages(two_scripts, "ori_query_ranked", 100_000, query=TOPICS[script], limit=12)
    assert len(found) > 1
    assert [hit["path"] for page in found for hit in page["results"]] == [hit["path"] for hit in whole[0]["results"]]


@pytest.mark.parametrize("script", TOPICS)
def test_so_does_an_exploration(two_scripts: Desk, script: str) -> None:
    assert len(pages(two_scripts, "ori_explore", 600, query=TOPICS[script])) > 1


def test_a_budget_that_holds_nothing_is_refused(two_scripts: Desk) -> None:
    reply = two_scripts.answer("ori_query_ranked", {"query": "tea", "budget_tokens": 20}, Call("tests", "session"))
    assert reply.is_error and "at least 500" in json.loads(reply.text)["error"]
