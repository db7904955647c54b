"""Explorations: what links and sub-questions add to a flat pass, and what they must not bring back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from aries_kernel.errors import UserError
from ori_memory.exploring.exploration import Exploration, Exploring, Origin
from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Asked, Verdict

WATERFALL = "What is the name of the waterfall in the country where the Bubye River is found?"


def explored(memory: Memory, text: str, **more: object) -> Exploration:
    return memory.explore(Exploring(text, is_fast=True, **more))  # type: ignore[arg-type]  # by name


def titles(found: Exploration) -> list[str]:
    return [one.title for one in found.discoveries]


def test_a_second_note_without_a_word_of_the_question_is_found_with_the_way_to_it(memory: Memory) -> None:
    found = explored(memory, "bubye tributary limpopo", only=("keyword",), is_recursive=False)
    assert titles(found)[0] == "Bubye River" and {"Matabeleland", "Old maps"} <= set(titles(found))
    assert {way.end: (way.start, *way.via) for way in found.trails}["Matabeleland"] == ("Bubye River",)


def test_links_are_followed_as_deep_as_asked(memory: Memory) -> None:
    found = {
        depth: explored(memory, "bubye tributary limpopo", limit=8, depth=depth, is_recursive=False, only=("keyword",))
        for depth in (1, 2)
    }
    assert "Sextants" not in titles(found[1]) and "Old maps" in titles(found[1])
    way = next(way for way in found[2].trails if way.end == "Sextants")
    assert (way.start, way.via) == ("Bubye River", ("Old maps",))
    sextants = next(one for one in found[2].discoveries if one.title == "Sextants")
    assert sextants.origin is Origin.GRAPH and sextants.found_by == "Bubye River"
    assert sextants.preview.text.startswith("Brass instruments")


def test_what_the_notes_leave_open_is_asked_with_a_name_they_bring(memory: Memory) -> None:
    found = explored(memory, WATERFALL)
    assert "waterfall Zimbabwe" in [one.text for one in found.sub_questions]
    assert titles(found)[:2] == ["Bubye River", "Victoria Falls"]


def test_each_of_what_is_compared_is_asked_for(memory: Memory) -> None:
    found = explored(memory, "Are Tim Burton and Scott Derrickson both from California?")
    assert [one.text for one in found.sub_questions][:2] == [
        "Are Tim Burton from California",
        "Scott Derrickson from California",
    ]
    assert set(titles(found)[:2]) == {"Tim Burton", "Scott Derrickson"}


def test_a_comparison_is_as_sure_as_its_weakest_side(memory: Memory) -> None:
    question = "difference between a tributary of the limpopo and brass instruments"
    flat = memory.answer(Asked(question, is_fast=True))
    sides = [memory.answer(Asked(side, is_fast=True)) for side in ("tributary of the limpopo", "brass instruments")]
    found = explored(memory, question)
    assert [one.text for one in found.sub_questions][:2] == ["tributary of the limpopo", "brass instruments"]
    assert found.confidence == max(flat.confidence, min(side.confidence for side in sides)) > flat.confidence
    assert found.verdict is Verdict.RELEVANT


def test_a_comparison_with_what_is_not_there_is_no_surer(memory: Memory) -> None:
    question = "difference between brass instruments and quarks"
    flat = memory.answer(Asked(question, is_fast=True))
    assert explored(memory, question).confidence == flat.confidence


def test_the_first_place_is_that_of_the_flat_pass(memory: Memory) -> None:
    for question in (WATERFALL, "film by Tim Burton", "moss in the shade", "brass box"):
        flat = memory.ask(Asked(question, limit=30, is_fast=True, explores=False))
        assert explored(memory, question).discoveries[0].path == flat.hits[0].path


def test_scores_fall_from_the_first(memory: Memory) -> None:
    scores = [one.score for one in explored(memory, WATERFALL, limit=30).discoveries]
    assert scores == sorted(scores, reverse=True) and scores[0] <= 1


def test_a_note_stands_once(memory: Memory) -> None:
    found = titles(explored(memory, WATERFALL, limit=30))
    assert len(found) == len(set(found))


@pytest.mark.parametrize("hidden", [{"status": "archived"}, {"status": "released"}, {"valid_until": "2021-01-01"}])
def test_what_is_hidden_comes_back_by_no_way(
    memory: Memory, write: Callable[..., None], hidden: dict[str, str]
) -> None:
    write("Old maps", "Drawn by hand; see [[Sextants]].", **hidden)
    write("Victoria Falls", "The largest waterfall of Zimbabwe; Livingstone saw it first.", **hidden)
    found = explored(memory, WATERFALL, limit=30, depth=3)
    told = {*titles(found), *(title for way in found.trails for title in (way.start, *way.via, way.end))}
    told |= {title for one in found.discoveries for title in one.preview.links}
    assert not told & {"Old maps", "Victoria Falls"}


def test_archived_notes_are_there_when_they_are_asked_for(memory: Memory, write: Callable[..., None]) -> None:
    write("Victoria Falls", "The largest waterfall of Zimbabwe.", status="archived")
    assert "Victoria Falls" in titles(explored(memory, WATERFALL, include_archived=True))


def test_a_dead_end_is_told_and_ends_the_rounds(memory: Memory) -> None:
    asked: list[str] = []

    def model(question: str, found: Sequence[str]) -> list[str]:
        asked.append(question)
        return ["zzyzx", "quux of frob"]

    found = memory.explore(Exploring("bubye tributary", is_fast=True, limit=3), decompose=model)
    assert [(one.text, one.dead_end) for one in found.dead_ends] == [
        ("zzyzx", "nothing relevant"),
        ("quux of frob", "nothing relevant"),
    ]
    assert found.is_converged and len(asked) == 1


def test_a_model_is_asked_instead_of_the_rules_at_most_three_questions_a_round(memory: Memory) -> None:
    given: list[Sequence[str]] = []

    def model(question: str, found: Sequence[str]) -> list[str]:
        given.append(found)
        return ["moss shade", "fern shade", "reed shade", "brass box"]

    found = memory.explore(Exploring("bubye tributary", is_fast=True, limit=3), decompose=model)
    first = [one for one in found.sub_questions if one.depth == 1]
    assert [one.text for one in first] == ["moss shade", "fern shade", "reed shade"]
    assert "Bubye River" in given[0] and {one.reason for one in first} == {"asked by the model"}


def test_a_model_that_fails_is_told_and_the_rules_go_on(memory: Memory) -> None:
    def model(question: str, found: Sequence[str]) -> list[str]:
        raise OSError("no route to host")

    found = memory.explore(Exploring(WATERFALL, is_fast=True), decompose=model)
    assert any("no route to host" in notice for notice in found.notices)
    assert "waterfall Zimbabwe" in [one.text for one in found.sub_questions]


def test_rounds_end_when_nothing_new_comes(memory: Memory) -> None:
    found = explored(memory, WATERFALL, limit=30)
    rounds = [one for one in found.passes if one.kind == "questions"]
    assert found.is_converged and found.stopped and len(rounds) == 1


def test_without_recursion_nothing_is_taken_apart(memory: Memory) -> None:
    found = explored(memory, WATERFALL, is_recursive=False)
    assert found.sub_questions == () and [one.kind for one in found.passes] == ["flat", "graph"]


def test_nothing_relevant_is_said(memory: Memory) -> None:
    found = explored(memory, "zzyzx quux")
    assert (found.verdict, found.discoveries, found.sub_questions) == (Verdict.NOTHING, (), ())


def test_a_budget_is_kept_to_and_the_first_note_stays(memory: Memory) -> None:
    whole = explored(memory, WATERFALL, include_content=True)
    cut = explored(memory, WATERFALL, include_content=True, budget=200)
    assert cut.discoveries[0].path == whole.discoveries[0].path
    assert len(cut.discoveries) + cut.left_out == len(whole.discoveries) and cut.left_out


def test_nothing_is_written(memory: Memory) -> None:
    explored(memory, WATERFALL)
    assert not memory.vault.learned_path.exists() and not (memory.vault.state_folder / "explorations").exists()


@pytest.mark.parametrize("depth", [0, 4])
def test_a_depth_that_is_none_is_refused(memory: Memory, depth: int) -> None:
    with pytest.raises(UserError, match="1, 2 or 3"):
        explored(memory, WATERFALL, depth=depth)
