"""The cache folder is where the platform has it."""

from __future__ import annotations

import platformdirs
import pytest

from ori_memory.cache_folder import cache_folder


@pytest.mark.parametrize("given", [None, "", "  ", "/somewhere/else"])
def test_it_is_the_one_that_platformdirs_names(monkeypatch: pytest.MonkeyPatch, given: str | None) -> None:
    if given is None:
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", given)
    assert cache_folder() == platformdirs.user_cache_path("ori", appauthor=False)
