"""Fake installed distributions on a folder that is on the path."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from attrs import frozen

from aries_kernel.discovery.index import Index, Switches, read_index

Groups = Mapping[str, Mapping[str, str]]


@frozen
class Site:
    """A folder as `site-packages` is one."""

    folder: Path

    def add(
        self,
        name: str,
        groups: Groups,
        *,
        version: str = "1.0",
        requires: Sequence[str] = (),
        modules: Mapping[str, str] | None = None,
        suffix: str = ".dist-info",
    ) -> Path:
        """Install a distribution; gives its metadata folder."""
        stem = name.replace("-", "_") + (f"-{version}" if suffix == ".dist-info" else "")
        info = self.folder / f"{stem}{suffix}"
        info.mkdir(parents=True)
        headers = [f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {line}" for line in requires)]
        metadata = "METADATA" if suffix == ".dist-info" else "PKG-INFO"
        (info / metadata).write_text("\n".join(["Metadata-Version: 2.4", *headers, "", "Name: body"]), encoding="utf-8")
        lines = [line for group, names in groups.items() for line in (f"[{group}]", *_pairs(names), "")]
        (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
        for module, source in (modules or {}).items():
            (self.folder / f"{module}.py").write_text(source, encoding="utf-8")
        importlib.invalidate_caches()
        return info

    def index(self, *, cache: Path | None = None, switches: Switches | None = None) -> Index:
        return read_index([self.folder], cache, switches)


def _pairs(names: Mapping[str, str]) -> list[str]:
    return [f"{name} = {value}" for name, value in names.items()]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)
    yield Site(folder)
    for name in set(sys.modules) - before:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]
