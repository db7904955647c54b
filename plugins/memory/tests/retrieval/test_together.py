"""Notes that were used together, and notes that link to the same."""

from __future__ import annotations

import datetime
import itertools
import math
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from ori_memory.learned.crediting import Pair
from ori_memory.retrieval.together import Together, decay, npmi

TODAY = datetime.date(2024, 6, 1)
NOW = datetime.datetime(2024, 6, 1, 9, tzinfo=datetime.UTC)


def together(*rows: tuple[str, str, int], days: int = 0) -> Together:
    last = NOW - datetime.timedelta(days)
    return Together([Pair(a, b, sessions, last) for a, b, sessions in rows], TODAY)


PAIRS = (("a", "b", 20), ("a", "c", 1), ("c", "d", 20), ("d", "e", 3), ("b", "f", 2))


def test_notes_that_meet_oftener_are_tied_more() -> None:
    found = together(*PAIRS).of("a")
    assert found["b"] > found.get("c", 0.0)


def test_it_is_the_same_from_both_sides() -> None:
    known = together(*PAIRS)
    for a, b, _ in PAIRS:
        assert known.of(a).get(b) == known.of(b).get(a)


def test_what_meets_everything_is_tied_to_nothing_in_particular() -> None:
    """Chance alone would bring a note that is in every session together with every other."""
    names = [f"n{number}" for number in range(12)]
    hub = [("hub", name, 5) for name in names]
    close = [("n0", "n1", 5), *((a, b, 1) for a, b in itertools.combinations(names[2:], 2))]
    known = together(*hub, *close)
    assert known.of("n0")["n1"] > known.of("n0").get("hub", 0.0)


def test_it_fades_and_never_quite_goes() -> None:
    new, old, oldest = (together(*PAIRS, days=days).of("a")["b"] for days in (0, 60, 10_000))
    assert new >= old >= oldest > 0
    assert decay(5, 60) > decay(1, 60)
    assert decay(5, 10**6) == 0.05
    assert decay(1, -3) == 1.0


@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcdef"), st.sampled_from("ghijkl")), st.integers(1, 5_000), min_size=1, max_size=30
    )
)
def test_no_tie_is_greater_than_one_whatever_was_counted(counts: dict[tuple[str, str], int]) -> None:
    """G.4-60: mean weights of 865 and 6,926."""
    known = together(*((a, b, count) for (a, b), count in counts.items()))
    weights = [weight for note in "abcdefghijkl" for weight in known.of(note).values()]
    assert all(0 < weight <= 1 for weight in weights)


def test_only_what_is_asked_for_is_computed() -> None:
    known = together(*PAIRS, ("x", "y", 7), ("y", "z", 7))
    known.of("a")
    assert set(known._means) == {"a", "b", "c"} - ({"c"} if "c" not in known.of("a") else set())


@given(st.integers(1, 50), st.integers(0, 200), st.integers(0, 200), st.integers(0, 500))
def test_npmi_is_a_share(both: int, one: int, other: int, rest: int) -> None:
    assert -1.000001 <= npmi(both, both + one, both + other, 2 * both + one + other + rest) <= 1.000001


def test_by_chance_is_zero_and_always_together_is_one() -> None:
    assert npmi(10, 100, 100, 1_000) == pytest.approx(0)
    assert npmi(10, 10, 10, 1_000) == pytest.approx(1)
    assert npmi(7, 7, 7, 7) == 1


class TestCorpus:
    @pytest.fixture
    def notes(self, shelf: Any) -> Any:
        shelf.fill(
            {"A": "[[X]] [[Y]]", "B": "[[X]] [[Y]]", "C": "[[X]] [[Q]] [[R]] [[S]]", "D": "[[Z]]", "X": "", "Z": ""}
        )
        shelf.fill({"Y": "", "Q": "", "R": "", "S": ""})
        return shelf

    def found(self, notes: Any, title: str) -> dict[str, float]:
        def work(corpus: Any) -> dict[str, float]:
            rows = corpus.connection.execute("SELECT num, title FROM note").fetchall()
            titles = dict(rows)
            number = next(num for num, name in rows if name == title)
            return {titles[other]: weight for other, weight in corpus.companions([number]).get(number, {}).items()}

        result: dict[str, float] = notes.corpus(work)
        return result

    def test_notes_that_link_to_the_same_are_tied_a_little(self, notes: Any) -> None:
        assert self.found(notes, "A") == pytest.approx({"B": 0.15, "C": 0.15 / math.sqrt(8)})
        assert self.found(notes, "D") == {}

    def test_a_hub_ties_nothing(self, notes: Any) -> None:
        notes.fill({f"Page {number}": "[[Z]]" for number in range(128)})
        assert self.found(notes, "D") == {}

    def test_use_counts_before_links(self, notes: Any) -> None:
        with notes.memory() as memory:
            ids = {title: memory.index.note(title).id for title in ("A", "B", "D")}
            for _ in range(90):
                memory.learned.record_pairs([(ids["A"], ids["D"])])
        found = self.found(notes, "A")
        assert found["D"] > found["B"] == pytest.approx(0.15)


def test_the_walk_follows_what_was_used_together_where_the_settings_say_so() -> None:
    from aries_kernel.testing.corpora import FakeCorpus, FakeNote
    from aries_kernel.testing.rankings import ask
    from ori_signal_graph.signal import Graph, Options

    corpus = FakeCorpus(
        (
            FakeNote("Oven", links=("Gas",), used_with={"Peel": 0.8}),
            FakeNote("Gas"),
            FakeNote("Peel"),
            FakeNote("Apart"),
        )
    )
    found = {corpus.number("Oven"): 1.0}
    plain, tied = (Graph(Options(together=share)).score(ask("oven"), corpus, found) for share in (0.0, 1.0))
    assert corpus.number("Peel") not in plain.scores  # type: ignore[union-attr]
    assert 0 < tied.scores[corpus.number("Peel")] < 1  # type: ignore[union-attr]
    assert evolve(Options(), together=0.0) == Options()
