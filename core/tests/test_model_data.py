"""The data file of a provider, and what the person sets over it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.model.request import ModelInfo
from aries_kernel.model.usage import LongPrice, Price, Usage
from aries_kernel.model_data import ModelData, ModelOptions, load_model_data

PRICE = {"input": 2.0, "output": 8.0, "cache_read": 0.2, "long": {"above": 1000, "input": 4.0, "output": 16.0}}
FILE = {
    "as_of": "2026-01-02",
    "wire": {"host": "all"},
    "models": [
        {"name": "big-", "is_family": True, "context_window": 1000},
        {"name": "big-4", "context_window": 2000, "max_output": 100, "price": PRICE, "wire": {"mode": "new"}},
        {"name": "big-4-mini", "context_window": 500, "has_tools": False, "has_images": True, "has_reasoning": True},
    ],
}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelData]:
    package = tmp_path / "model_data_sample"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "models.json").write_text(json.dumps(FILE), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    load_model_data.cache_clear()
    yield load_model_data("model_data_sample")
    load_model_data.cache_clear()
    sys.modules.pop("model_data_sample")


@pytest.mark.parametrize(
    ("model", "window"),
    [
        ("big-4", 2000),
        ("big-4-20260101", 2000),
        ("big-4-mini", 500),
        ("big-4-mini-8k", 500),
        ("big-4:free", 2000),
        ("big-40", 1000),
        ("big-5", 1000),
        ("bigger", None),
        ("", None),
    ],
)
def test_the_longest_name_that_a_model_begins_with_counts(data: ModelData, model: str, window: int | None) -> None:
    assert data.info(model).context_window == window


def test_an_unknown_model_is_a_record_of_nones(data: ModelData) -> None:
    assert data.info("other") == ModelInfo("other")


def test_what_the_person_sets_replaces_the_file(data: ModelData) -> None:
    options = ModelOptions(context_window=77, has_tools=True, price=Price(1.0, 1.0))
    found = data.info("big-4-mini", options)
    assert (found.context_window, found.has_tools, found.price) == (77, True, Price(1.0, 1.0))
    assert (found.has_images, found.has_reasoning, found.as_of) == (True, True, "2026-01-02")


def test_figures_that_cannot_be_are_named(data: ModelData) -> None:
    assert ModelOptions(context_window=0, max_output=-1).problems("providers.x.models.y") == [
        "providers.x.models.y.context_window: must be more than 0, not 0.",
        "providers.x.models.y.max_output: must be more than 0, not -1.",
    ]


def test_the_wire_part_is_left_to_the_provider(data: ModelData) -> None:
    assert (data.wire, data.figures("big-4").wire, data.names()) == (
        {"host": "all"},
        {"mode": "new"},
        ("big-4", "big-4-mini"),
    )


@pytest.mark.parametrize(
    ("usage", "dollars"),
    [
        (Usage(input=1000, output=10), (1000 * 2 + 10 * 8) / 1e6),
        (Usage(input=500, cache_read=500, output=10), (500 * 2 + 500 * 0.2 + 10 * 8) / 1e6),
        (Usage(input=501, cache_read=500, output=10), (501 * 4 + 500 * 4 + 10 * 16) / 1e6),
        (Usage(cache_write=100), 100 * 2 / 1e6),
    ],
)
def test_a_long_prompt_has_its_own_price(usage: Usage, dollars: float) -> None:
    price = Price(2.0, 8.0, 0.2, long=LongPrice(1000, 4.0, 16.0))
    assert price.cost(usage) == pytest.approx(dollars)


def test_a_price_is_read_with_its_long_part(data: ModelData) -> None:
    price: Any = data.info("big-4").price
    assert price.long == LongPrice(1000, 4.0, 16.0)
