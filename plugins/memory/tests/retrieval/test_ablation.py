"""Each part changes an order in some vault; left out, the order is another one."""

from __future__ import annotations

from typing import Any

import pytest

from ori_memory.retrieval.answer import Answer, PartState


def state_of(answer: Answer, name: str) -> PartState:
    return next(part.state for part in (*answer.signals, *answer.stages) if part.name == name)


def differs(shelf: Any, question: str, part: str) -> None:
    answer = shelf.ask(question)
    assert state_of(answer, part) is PartState.RAN
    assert [hit.title for hit in answer.hits] != shelf.titles(question, without=(part,))


def test_keyword(bread: Any) -> None:
    differs(bread, "sour dough", "keyword")


def test_graph(bread: Any) -> None:
    differs(bread, "dough of rye", "graph")


def test_semantic(shelf: Any) -> None:
    shelf.fill({"a": "zebra lion", "b": "lion lion ? ! ,"} | {f"n{place}": f"w{place} v{place}" for place in range(9)})
    shelf.embed()
    differs(shelf, "lion lion tiger", "semantic")


def test_time(shelf: Any) -> None:
    shelf.fill({f"n{place}": "nothing" for place in range(9)})
    shelf.write("a.md", "---\ncreated: 2023-01-05\n---\nwalk walk in town today")
    shelf.write("b.md", "---\ncreated: 2024-05-05\n---\nwalk all in town today")
    differs(shelf, "walk in May 2024", "time")


def test_warmth(shelf: Any) -> None:
    shelf.fill({"a": "---\nid: a\n---\nwalk here", "b": "---\nid: b\n---\nwalk there"})
    first, second = shelf.titles("walk")
    shelf.memory().learned.add_boosts({second: 1.0}, "s")
    differs(shelf, "walk", "warmth")
    assert shelf.titles("walk") == [second, first]


def test_thread(shelf: Any) -> None:
    for place, line in enumerate(["Anna: the cake is good", "Ben: the cake is good", "Anna: so", "Ben: so"]):
        shelf.write(f"talk/{place}.md", f"---\nsource: {{session: s-1}}\n---\n{line}")
    answer, without = shelf.ask("cake of Ben"), shelf.ask("cake of Ben", without=("thread",))
    assert state_of(answer, "thread") is PartState.RAN
    scores = [[(hit.path, hit.score) for hit in one.hits] for one in (answer, without)]
    assert scores[0][0][0] == "talk/1.md" and scores[0] != scores[1]


def test_pairs(shelf: Any) -> None:
    shelf.fill({f"n{place}": "Stones." for place in range(8)})
    shelf.write("River.md", "The Bubye is a river of Zimbabwe.")
    shelf.write("Falls.md", "Of Zimbabwe. The tallest waterfall there is a waterfall of many names and colours.")
    shelf.write("Elsewhere.md", "The tallest waterfall of Laos.")
    question = "tallest waterfall in the country of the Bubye river"
    differs(shelf, question, "pairs")
    assert shelf.titles(question) == ["River", "Falls", "Elsewhere"]


def test_spaces(shelf: Any) -> None:
    shelf.uses("keyword", "spaces")
    shelf.fill({f"n{place}": "nothing" for place in range(9)})
    shelf.fill({"a": "walk walk walk walk y", "b": "---\ntype: decision\n---\nwalk walk walk walk x", "c": "[[b]]"})
    differs(shelf, "why did we choose the walk", "spaces")


def test_diversity(shelf: Any) -> None:
    shelf.uses("keyword", stages="[diversity]")
    shelf.fill({f"n{place}": "nothing" for place in range(9)})
    same = "the dough of rye rests over night in a cold room, so that it keeps well until Monday when we bake it, rye"
    shelf.fill({"a": same, "b": f"{same} too", "c": f"a dough of rye {'and other things ' * 20}"})
    differs(shelf, "dough of rye", "diversity")
    assert shelf.titles("dough of rye") == ["a", "c", "b"]


@pytest.fixture
def walks(shelf: Any) -> Any:
    """`Index of all` is a hub and holds the word most often; `Plan` is a decision; `Walk day` is called so."""
    shelf.fill({f"n{place}": "[[Index of all]]" for place in range(30)})
    shelf.fill({f"m{place}": "a walk, and much else that is said of this day and of others" for place in range(9)})
    return shelf.fill(
        {
            "Index of all": "walk walk walk walk walk [[n1]]",
            "Plan": "---\ntype: decision\n---\nwalk walk walk x [[n1]]",
            "Walk day": "walk x y z x y z [[n1]]",
        }
    )


@pytest.mark.parametrize(
    ("stage", "first"), [("gravity", "Walk day"), ("hub", "Plan"), ("resolution", "Plan"), ("no", "Index of all")]
)
def test_dampening(walks: Any, stage: str, first: str) -> None:
    walks.uses("keyword", stages="[]" if stage == "no" else f"[{stage}]")
    assert walks.titles("the walk")[0] == first
