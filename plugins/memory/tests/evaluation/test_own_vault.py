"""Questions made from the notes of a vault."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from aries_kernel.errors import UserError
from ori_memory.evaluation.known_items import known_items
from ori_memory.evaluation.masked_links import masked_links
from ori_memory.evaluation.own_texts import OwnTexts
from ori_memory.evaluation.own_vault import own_trial
from ori_memory.evaluation.sentences import plain_sentences
from ori_memory.memory import Memory
from ori_memory.vault.making import adopt_vault

NOTES = {
    "described.md": "---\ndescription: How hot water must be for sencha\n---\nSome text.",
    "told.md": "---\ntitle: Kettles of copper\ndescription: kettles of copper\n---\nshort.",
    "twice a.md": "---\ndescription: The same words in two notes\n---\n",
    "twice b.md": "---\ndescription: The same words in two notes\n---\n",
    "body.md": (
        "# Heading words that nobody asks\n\nIt rains. The porcelain cups from Arita keep their cobalt colour for many "
        "years.\n\n```\ncobalt porcelain arita cups colour years code\n```\n"
    ),
    "arita.md": "Arita is a town whose porcelain and cobalt glazes sailed to Europe; its cups last years.",
    "linking.md": (
        "Potters fire their kilns for days with pine wood near [[arita|the town of Arita]] in autumn. Next."
        "\n\n- [[described]]\n\nRelevant Notes:\n- [[body]]\n"
    ),
    "colour.md": "Colour of many things.",
    "gone.md": "---\nstatus: archived\ndescription: A note that nobody finds any more\n---\n",
}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    for name, text in NOTES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with Memory.open(adopt_vault(tmp_path).vault) as opened:
        yield opened


def test_sentences_hold_what_a_person_reads() -> None:
    body = (
        "# Title\n\nOne line\nthat goes on. A [[link|shown]] and [label](x.md), **bold** `code`.\n\n- an item\n1. two\n"
        "> quoted\n\n| a | b |\n\n```\ncode\n```\nkey:: value\n这是一句。那是另一句。"
    )
    assert plain_sentences(body) == [
        "One line that goes on.",
        "A shown and label, bold code.",
        "an item",
        "two",
        "quoted",
        "这是一句。",
        "那是另一句。",
    ]


def test_known_items_come_from_descriptions_and_else_from_telling_words(memory: Memory) -> None:
    found, without = known_items(OwnTexts.read(memory), 100, 0)
    questions = {query.gold[0]: query.text for query in found}
    assert questions["described.md"] == "How hot water must be for sencha"
    # Of `porcelain cups arita cobalt colour many years`, which other notes hold too, the five rarest.
    assert questions["body.md"] == "porcelain cups cobalt colour many"
    assert not {"gone.md", "twice a.md", "twice b.md", "told.md"} & questions.keys()
    assert len(found) + without == len(NOTES) - 1


def test_a_masked_link_leaves_no_word_of_the_link_and_not_its_own_note(memory: Memory) -> None:
    found, without = masked_links(memory, OwnTexts.read(memory), 100, 0)
    [query] = found
    assert query.text == "Potters fire their kilns for days with pine wood near in autumn."
    assert (query.gold, query.excluded, query.category) == (("arita.md",), ("linking.md",), "masked-link")
    # The item of a list and the footer say nothing around their links.
    assert without == 1


@pytest.mark.parametrize(
    "link",
    ["[the town](arita.md)", '[the town]({{< relref "arita.md#" >}})', "[[arita|the town]]", "[the town](/x/arita)"],
)
def test_links_of_every_form_give_questions(tmp_path: Path, link: str) -> None:
    block = "((6371a0ef-d363-4689-8755-ec3463edf9ea))"
    (tmp_path / "x").mkdir()
    (tmp_path / "x/arita.md").write_text(
        f"Arita is a place whose porcelain sailed to Europe.\n- {block}\n  id:: {block[2:-2]}\n", encoding="utf-8"
    )
    (tmp_path / "linking.md").write_text(f"Potters fire their kilns for days near {link} in autumn.", encoding="utf-8")
    (tmp_path / "block.md").write_text(f"Kilns burn for days and nights, {block} in autumn.", encoding="utf-8")
    with Memory.open(adopt_vault(tmp_path).vault) as memory:
        [query] = masked_links(memory, OwnTexts.read(memory), 100, 0)[0]
    assert query.text.split() == ["Potters", "fire", "their", "kilns", "for", "days", "near", "in", "autumn."]
    assert (query.gold, query.excluded) == (("x/arita.md",), ("linking.md",))


def test_a_trial_is_the_same_for_the_same_seed_and_keeps_to_its_limit(memory: Memory) -> None:
    first, again = own_trial(memory, 2, 5), own_trial(memory, 2, 5)
    assert first.haystacks[0].queries == again.haystacks[0].queries
    categories = [query.category for query in first.haystacks[0].queries]
    assert categories == ["known-item", "known-item", "masked-link"]
    assert (first.unit, first.pool, first.haystacks[0].size) == ("note", "own vault", len(NOTES) - 1)


def test_a_vault_that_gives_no_question_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    with Memory.open(adopt_vault(tmp_path).vault) as memory, pytest.raises(UserError, match="gives no question"):
        own_trial(memory)
