"""Navigated explorations: budget, frontier, marks, what is taught at the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aries_kernel.errors import UnknownName, UserError
from ori_memory.exploring.drawing import navigated_data, navigated_text
from ori_memory.exploring.exploration import Exploring
from ori_memory.exploring.navigating import conclude, expand, start
from ori_memory.exploring.session import Kind, Navigated
from ori_memory.exploring.steps import Step
from ori_memory.memory import Memory
from ori_memory.retrieval.showing import tokens_of

BUBYE = "bubye tributary limpopo"


def begun(memory: Memory, text: str = BUBYE, *, budget: int = 2) -> Navigated:
    return start(memory, Exploring(text, is_fast=True), budget=budget)


def new_titles(now: Navigated) -> set[str]:
    return {now.seen[id].title for id in now.new}


def test_it_begins_with_a_flat_pass_and_says_what_could_be_done(memory: Memory) -> None:
    now = begun(memory)
    root = now.session.nodes[0]
    assert (root.id, root.parent, root.kind, root.depth, now.session.left) == ("n0", "", Kind.ROOT, 0, 2)
    assert "Bubye River" in new_titles(now)
    assert 1 <= len(now.frontier) <= 5 and all(one.reason and one.direction for one in now.frontier)
    assert {one.option for one in now.frontier} <= {"ask", "branch", "neighbors"}


def test_neighbours_of_a_note_are_new_once(memory: Memory) -> None:
    now = begun(memory, "brass box", budget=5)
    first = expand(memory, now.session.id, Step(neighbors="Sextants"))
    again = expand(memory, now.session.id, Step(neighbors="Sextants"))
    assert new_titles(first) <= {"Old maps"} and again.new == ()
    assert again.session.nodes[2].is_exhausted and "exhausted" in navigated_text(again)
    assert first.session.nodes[1].kind is Kind.NEIGHBORS and first.labels["n1"] == "Sextants"


def test_a_branch_follows_the_links_of_a_step(memory: Memory, write: Callable[..., None]) -> None:
    write("Map room", "Rolls of paper. [[Ladder]]")
    write("Ladder", "Wood. [[Attic]]")
    write("Attic", "Dust.")
    memory.refresh()
    now = start(memory, Exploring("rolls of paper", is_fast=True), budget=2)
    branched = expand(memory, now.session.id, Step(branch="n0"))
    assert {one.title for one in branched.seen.values()} >= {"Map room", "Ladder", "Attic"}
    assert branched.session.nodes[1].parent == "n0" and branched.session.nodes[1].depth == 1


def test_a_question_that_finds_nothing_is_a_dead_end(memory: Memory) -> None:
    now = expand(memory, begun(memory).session.id, Step(ask="zzyzx quux"))
    node = now.session.nodes[1]
    assert node.is_dead_end and not node.is_exhausted and "dead end" in navigated_text(now)
    assert navigated_data(now)["tree"][1]["dead_end"] is True


def test_a_spent_budget_nudges_and_is_extended(memory: Memory) -> None:
    id = begun(memory, budget=1).session.id
    expand(memory, id, Step(neighbors="Bubye River"))
    stopped = expand(memory, id, Step(ask="moss in the shade"))
    assert stopped.is_budget_exhausted and len(stopped.session.nodes) == 2 and stopped.new == ()
    assert "--extend" in navigated_text(stopped) and "--extend" in navigated_data(stopped)["hint"]
    gone_on = expand(memory, id, Step(ask="moss in the shade"), extend=1)
    assert not gone_on.is_budget_exhausted and len(gone_on.session.nodes) == 3 and gone_on.session.left == 0


def test_a_budget_of_nothing_expands_nothing(memory: Memory) -> None:
    now = begun(memory, budget=0)
    assert expand(memory, now.session.id, Step(branch="n0")).is_budget_exhausted


@pytest.mark.parametrize("step", [Step(), Step(ask="a", branch="n0"), Step(ask="  ")])
def test_one_way_to_go_on_is_named(memory: Memory, step: Step) -> None:
    with pytest.raises(UserError, match="one of them"):
        expand(memory, begun(memory).session.id, step)


def test_unknown_nodes_and_notes_are_told_and_cost_nothing(memory: Memory) -> None:
    id = begun(memory).session.id
    with pytest.raises(UnknownName, match="n0"):
        expand(memory, id, Step(branch="n7"))
    with pytest.raises(UnknownName, match="Sextant"):
        expand(memory, id, Step(neighbors="Sextantz"))
    assert expand(memory, id, Step(ask="moss")).session.left == 1


def test_what_is_archived_meanwhile_is_not_shown_and_leads_nowhere(memory: Memory, write: Callable[..., None]) -> None:
    id = begun(memory, budget=9).session.id
    write("Old maps", "Drawn by hand; see [[Sextants]].", status="archived")
    memory.refresh()
    now = expand(memory, id, Step(branch="n0"))
    told = navigated_text(now) + str(navigated_data(now))
    assert "Old maps" not in told
    with pytest.raises(UserError, match="may not be seen"):
        expand(memory, id, Step(neighbors="Old maps"))


def test_a_conclusion_teaches_the_used_notes_and_no_other(memory: Memory) -> None:
    now = begun(memory)
    done = conclude(memory, now.session.id, ["Bubye River"], is_answered=True)
    assert done.used == ("notes/Bubye River.md",) and done.is_answered
    assert set(memory.learned.accesses()) == {"bubye-river"}
    assert set(done.unused) == {one.path for one in now.seen.values()} - {"notes/Bubye River.md"}


def test_a_conclusion_without_used_notes_teaches_nothing(memory: Memory) -> None:
    conclude(memory, begun(memory).session.id)
    assert not memory.vault.learned_path.exists()


def test_notes_are_used_by_path_title_or_alias_also_several_by_commas(
    memory: Memory, write: Callable[..., None]
) -> None:
    write("Salt, pepper", "A tributary of taste, limpopo.", aliases="[Spice]")
    memory.refresh()
    now = begun(memory, "tributary limpopo")
    done = conclude(memory, now.session.id, ["Salt, pepper,notes/Bubye River.md, Spice"])
    assert done.used == ("notes/Salt, pepper.md", "notes/Bubye River.md")


def test_a_note_that_was_not_visited_is_named_and_nothing_is_recorded(memory: Memory) -> None:
    id = begun(memory).session.id
    with pytest.raises(UserError, match=r"'Tim Burton' was not visited; 'Nobody' was not visited.*Visited: "):
        conclude(memory, id, ["Bubye River", "Tim Burton", "Nobody"])
    assert not memory.vault.learned_path.exists()
    assert conclude(memory, id, ["Bubye River"]).used == ("notes/Bubye River.md",)


def test_an_end_is_an_end(memory: Memory) -> None:
    id = begun(memory).session.id
    conclude(memory, id, ["Bubye River"])
    for again in (lambda: conclude(memory, id, ["Bubye River"]), lambda: expand(memory, id, Step(ask="moss"))):
        with pytest.raises(UserError, match="is concluded"):
            again()
    assert memory.learned.accesses()["bubye-river"].count == 1


def test_a_document_keeps_to_its_budget(memory: Memory) -> None:
    import json

    now = begun(memory, "moss that is green in the shade")
    whole, cut = navigated_data(now), navigated_data(now, 300)
    assert cut["left_out"] == len(whole["new_notes"]) - len(cut["new_notes"])
    assert tokens_of(json.dumps(cut)) < tokens_of(json.dumps(whole))


def test_a_file_of_a_session_holds_no_text_of_notes(memory: Memory) -> None:
    now = begun(memory)
    file = memory.vault.state_folder / "explorations" / f"{now.session.id}.json"
    text = file.read_text(encoding="utf-8")
    assert "Old maps" not in text and "Drawn" not in text


def test_the_parts_of_a_question_are_proposed_before_what_its_notes_leave_open(memory: Memory) -> None:
    now = begun(memory, "what is the difference between the Bubye River and the Victoria Falls of Zimbabwe?")
    asked = [one.direction for one in now.frontier if one.option == "ask"]
    assert len(asked) >= 2 and "Bubye River" in asked[0] and "Victoria Falls" in asked[1]


def test_a_day_and_a_word_that_begins_a_sentence_lead_nowhere(memory: Memory, write: Callable[..., None]) -> None:
    write(
        "Minutes",
        "Some of the brass telescope was sold. February 2025 was its month, on Monday. Some went to Anna Lee.",
    )
    write("Ledger", "Some telescope of February 2025: the price, Anna Lee, and Monday.")
    memory.refresh()
    now = begun(memory, "what price had the brass telescope")
    named = [one.reason.rpartition("names ")[2] for one in now.frontier if "leaves this open" in one.reason]
    assert named == ["anna lee"]
