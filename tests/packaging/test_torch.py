"""The member that needs torch, tested in an environment of its own."""

from __future__ import annotations

from typing import Any


def test_the_member_that_needs_torch_passes_its_tests(environment_with_torch: Any, apart: list[Any]) -> None:
    (member,) = apart
    told = environment_with_torch.run("-m", "pytest", "-q", "-p", "no:cacheprovider", str(member.folder / "tests"))
    assert " passed" in told.splitlines()[-1], told
