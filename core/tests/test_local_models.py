"""Where a model lies, and what it is given."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import define
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.errors import UserError
from aries_kernel.local_models import model_folder, readable, without_progress


@pytest.mark.parametrize("file", ["config.json", "modules.json"])
def test_a_folder_of_a_model_is_itself(tmp_path: Path, file: str) -> None:
    (tmp_path / file).write_text("{}", encoding="utf-8")
    assert model_folder(str(tmp_path)) == tmp_path


def test_a_folder_may_be_named_from_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "models" / "small").mkdir(parents=True)
    (tmp_path / "models" / "small" / "config.json").write_text("{}", encoding="utf-8")
    assert model_folder("~/models/small") == tmp_path / "models" / "small"


@pytest.mark.parametrize("name", ["all-MiniLM-L6-v2", "cross-encoder/ms-marco", "", "~nobody-of-that-name/model"])
def test_a_name_on_the_hub_is_no_folder(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert model_folder(name) is None


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no model"):
        model_folder(str(tmp_path))


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_can_be_encoded_and_keeps_its_places(text: str) -> None:
    shown = readable(text)
    shown.encode("utf-8")
    assert len(shown) == len(text)
    assert all(one == other or other == "\ufffd" for one, other in zip(text, shown, strict=True))


@define
class Bars:
    is_on: bool

    def is_progress_bar_enabled(self) -> bool:
        return self.is_on

    def disable_progress_bar(self) -> None:
        self.is_on = False

    def enable_progress_bar(self) -> None:
        self.is_on = True


@pytest.mark.parametrize("before", [True, False])
def test_progress_is_as_it_was_afterwards_whatever_happens(before: bool) -> None:
    bars = Bars(before)
    with pytest.raises(ValueError, match="within"), without_progress(bars):
        assert not bars.is_on
        raise ValueError("within")
    assert bars.is_on is before
