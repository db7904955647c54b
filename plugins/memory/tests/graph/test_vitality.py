"""Vitality, each step computed by hand (spec C.1)."""

from __future__ import annotations

import datetime
import math
from typing import Any

import pytest

from ori_memory.graph.edges import Edge
from ori_memory.graph.graph import NoteGraph
from ori_memory.graph.vitality import (
    Signs,
    Zone,
    base_level,
    exponential_vitality,
    revival,
    vitality_of,
    zone_of,
)
from ori_memory.graph.warmth import new_connections, vitalities
from ori_memory.learned.store import Access
from ori_memory.model import NoteRecord
from ori_memory.vault.config import VitalitySettings

NOW = datetime.datetime(2026, 3, 11, 12, tzinfo=datetime.UTC)
TEN_DAYS_AGO = datetime.date(2026, 3, 1)
SETTINGS = VitalitySettings()


def sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value))


def note(space: str = "notes", created: datetime.date | None = TEN_DAYS_AGO, **more: Any) -> NoteRecord:
    return NoteRecord(id="1", path="n.md", title="n", space=space, created=created, **more)


def test_the_base_level_of_four_uses_in_nine_days() -> None:
    # ln(4/.5) - .5 ln 9 = ln 8 - ln 3
    assert base_level(4, 9, 0.5) == pytest.approx(8 / 11)


@pytest.mark.parametrize(
    ("accesses", "days", "value"),
    [(0, 9, 0.5), (-3, 9, 0.5), (0, 0, 0.5), (1, 0, 1.0), (1, -5, 1.0), (5, None, 0.5), (1, 1, sigmoid(math.log(2)))],
)
def test_the_base_levels_empty_cases(accesses: int, days: float | None, value: float) -> None:
    assert base_level(accesses, days, 0.5) == pytest.approx(value)


def test_decay_is_clamped() -> None:
    assert base_level(2, 9, 7.0) == base_level(2, 9, 0.99)
    assert base_level(2, 9, -7.0) == base_level(2, 9, 0.01)
    assert 0 <= base_level(1, 1e9, 5) < base_level(10**12, 2, 0) <= 1


def test_a_note_that_was_never_used_is_fading_from_birth() -> None:
    found = vitality_of(note(), Signs(), NOW)
    assert (found.value, found.zone) == (0.25, Zone.FADING)


def test_each_step_in_its_order() -> None:
    signs = Signs(
        accesses=4,
        in_degree=3,
        new_connection=NOW - datetime.timedelta(days=2),
        boost=0.04,
        is_bridge=True,
    )
    found = vitality_of(note(created=datetime.date(2026, 3, 2)), signs, NOW)
    base = 8 / 11
    structure = base * 1.3
    saturation = structure * (0.5 + 0.5 * (1 - math.exp(-0.4)))
    revived = saturation + 0.2 * math.exp(-0.4)
    expected = [base, structure, saturation, revived, revived + 0.04, revived + 0.04]
    assert list(found.steps.values()) == pytest.approx(expected)
    assert list(found.steps) == ["base", "structure", "saturation", "revival", "activation", "bridge"]
    assert found.value == pytest.approx(revived + 0.04)
    assert found.zone is Zone.ACTIVE


def test_links_count_up_to_ten() -> None:
    ten, many = (vitality_of(note(), Signs(in_degree=degree), NOW).value for degree in (10, 999))
    assert ten == many == 0.5


def test_a_bridge_does_not_sink_below_one_half_and_nothing_rises_above_one() -> None:
    assert vitality_of(note(), Signs(is_bridge=True), NOW).value == 0.5
    assert vitality_of(note(), Signs(accesses=10**6, in_degree=10, boost=1.0), NOW).value == 1.0


def test_spaces_decay_at_their_own_rates() -> None:
    # self: d = .05; notes: .5; ops: 1.5, clamped to .99
    found = {
        space: vitality_of(note(space), Signs(accesses=1), NOW).steps["base"]
        for space in ("self", "notes", "ops", "inbox")
    }
    assert found["self"] == pytest.approx(sigmoid(math.log(1 / 0.95) - 0.05 * math.log(10)))
    assert found["notes"] == found["inbox"] == pytest.approx(sigmoid(math.log(2) - 0.5 * math.log(10)))
    assert found["ops"] == pytest.approx(sigmoid(math.log(100) - 0.99 * math.log(10)))


def test_rates_come_from_the_settings() -> None:
    settings = VitalitySettings(metabolic_rates={"notes": 1.0, "ops": 1.0})
    assert vitality_of(note("ops"), Signs(accesses=1), NOW, settings) == vitality_of(note(), Signs(accesses=1), NOW)


@pytest.mark.parametrize(
    ("days", "value"),
    [(0, 1.0), (5, math.exp(-1)), (13.99, math.exp(-2.798)), (14, 0.0), (-0.01, 0.0)],
)
def test_a_new_connection_revives_for_two_weeks(days: float, value: float) -> None:
    assert revival(NOW - datetime.timedelta(days=days), NOW, SETTINGS) == pytest.approx(value)


def test_no_new_connection_revives_nothing() -> None:
    assert revival(None, NOW, SETTINGS) == 0


@pytest.mark.parametrize(
    ("value", "zone"),
    [
        (1, "active"),
        (0.6, "active"),
        (0.599, "stale"),
        (0.3, "stale"),
        (0.299, "fading"),
        (0.1, "fading"),
        (0.099, "archived"),
        (0, "archived"),
    ],
)
def test_zones_begin_at_their_floors(value: float, zone: str) -> None:
    assert zone_of(value) == zone
    assert zone_of(value, status="archived") is Zone.ARCHIVED


def test_an_undated_note_is_as_old_as_its_first_use_or_its_file() -> None:
    first = NOW - datetime.timedelta(days=9)
    use = Signs(accesses=4, first_access=first)
    assert vitality_of(note(created=None), use, NOW).steps["base"] == pytest.approx(8 / 11)
    assert vitality_of(note(created=None, modified=first), Signs(accesses=4), NOW).steps["base"] == pytest.approx(
        8 / 11
    )
    assert vitality_of(note(created=None), Signs(accesses=4), NOW).steps["base"] == 0.5


def test_the_older_measure_decays_by_type() -> None:
    assert exponential_vitality(note(type="blocker"), NOW) == pytest.approx(math.exp(-10 / 14))
    assert exponential_vitality(note(type="idea"), NOW) == pytest.approx(math.exp(-10 / 90))
    assert exponential_vitality(note(type="strange"), NOW, base=2.0) == pytest.approx(2 * math.exp(-10 / 30))
    assert exponential_vitality(note(created=datetime.date(2027, 1, 1)), NOW) == 1.0
    assert exponential_vitality(note(created=None), NOW) is None


def test_a_graphs_vitality_takes_uses_by_id_and_degrees_by_link() -> None:
    notes = [NoteRecord(id=f"id-{p}", path=p, title=p, created=datetime.date(2026, 3, 2)) for p in ("a", "b")]
    graph = NoteGraph.build(notes, [Edge("a", "b", "wiki"), Edge("b", "a", "suggested")])
    found = vitalities(graph, NOW, uses={"id-b": Access(4, NOW, NOW)}, boosts={"id-a": 0.03}, bridge_notes=["b"])
    # Made nine days ago is its first use: sigmoid(ln(1/.5) - .5 ln 9) = 2/5.
    assert found["a"].value == pytest.approx(2 / 5 * (0.5 + 0.5 * (1 - math.exp(-0.1))) + 0.03)
    assert found["b"].value == pytest.approx(8 / 11 * 1.1 * (0.5 + 0.5 * (1 - math.exp(-0.4))))
    assert vitalities(NoteGraph.build([], []), NOW) == {}


def test_a_new_note_is_not_fading_and_a_use_never_makes_an_old_one_weaker() -> None:
    born = NoteRecord(id="new", path="new", title="new", created=NOW.date())
    old = NoteRecord(id="old", path="old", title="old", created=datetime.date(2025, 3, 11))
    graph = NoteGraph.build([born, old], [])
    before = vitalities(graph, NOW)
    after = vitalities(graph, NOW, uses={"old": Access(1, NOW, NOW)})
    assert before["new"].zone is Zone.STALE and before["old"].value <= after["old"].value


def test_when_a_note_was_last_linked_to_is_taken_from_the_best_that_is_known() -> None:
    notes = [
        NoteRecord(id="1", path="a", title="a", created=datetime.date(2026, 3, 5)),
        NoteRecord(id="2", path="b", title="b", created=datetime.date(2026, 3, 9)),
        NoteRecord(id="3", path="c", title="c"),
    ]
    edges = [
        Edge("a", "c", "wiki"),
        Edge("b", "a", "wiki", 1, NOW),
        Edge("c", "b", "wiki"),
        Edge("b", "c", "suggested"),
        Edge("b", "b", "wiki"),
    ]
    graph = NoteGraph.build(notes, edges)
    midnight = datetime.datetime(2026, 3, 5, tzinfo=datetime.UTC)
    assert new_connections(graph, edges, {}) == {"3": midnight, "1": NOW}
    assert new_connections(graph, edges, {"3": NOW}) == {"3": NOW, "1": NOW}
