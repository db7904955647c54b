"""What an installer does to a folder is seen through the cache, every time."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any


def test_installing_upgrading_editing_and_removing_is_seen(site: Any, samples: list[Any], tmp_path: Path) -> None:
    assert site.listed() == []
    (wheel,) = site.environment.wheels.glob("example_aries_word_count-*.whl")
    site.pip("install", "--no-deps", wheel)
    assert site.listed() == [["WordCount", "1.0.0"]]

    (sample,) = [sample for sample in samples if sample.folder.name == "word_count"]
    copy = shutil.copytree(sample.folder, tmp_path / "copy")
    _replace(copy / "pyproject.toml", "1.0.0", "2.0.0")
    site.pip("install", "--no-deps", "--upgrade", copy)
    assert site.listed() == [["WordCount", "2.0.0"]]

    _replace(copy / "pyproject.toml", "WordCount =", "CountWord =")
    site.pip("install", "--no-deps", "--upgrade", "--editable", copy)
    assert site.listed() == [["CountWord", "2.0.0"]]

    _replace(copy / "pyproject.toml", "CountWord =", "WordCount =")
    site.pip("install", "--no-deps", "--reinstall", "--editable", copy)
    assert site.listed() == [["WordCount", "2.0.0"]]

    site.pip("uninstall", "example-aries-word-count")
    assert site.listed() == []


def _replace(file: Path, old: str, new: str) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
