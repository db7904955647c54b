"""The bridge `qwen`."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from aries_kernel.contracts.bridge import Bridge
from aries_kernel.testing.bridge_suite import BridgeSuite
from ori_bridge_qwen.bridge import BRIDGE


class TestQwen(BridgeSuite):
    golden = Path(__file__).parent / "golden.txt"
    own_files: ClassVar = {
        ".qwen/settings.json": '{"ui":{"theme":"x"}}',
        "QWEN.md": "Mine.\n",
    }

    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE
