"""The member that needs torch, and the stage that can use it, tested in an environment of their own."""

from __future__ import annotations

import os
from typing import Any


def test_the_member_that_needs_torch_passes_its_tests(environment_with_torch: Any, apart: list[Any]) -> None:
    (member,) = apart
    told = environment_with_torch.run("-m", "pytest", "-q", "-p", "no:cacheprovider", str(member.folder / "tests"))
    assert " passed" in told.splitlines()[-1], told


def test_a_cross_encoder_is_read_where_its_library_is(environment_with_torch: Any, root: Any) -> None:
    tests = root.folder / "plugins/stages/crossencoder/tests"
    # The settings of the whole workspace ask for what is not installed there.
    settings = ["-p", "no:cacheprovider", "-c", os.devnull, "--confcutdir", str(tests), "--import-mode=importlib"]
    told = environment_with_torch.run("-m", "pytest", "-q", *settings, "-k", "TestWithTheLibrary", str(tests))
    assert "3 passed" in told.splitlines()[-1], told
