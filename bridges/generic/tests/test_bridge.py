"""The bridge `generic`."""

from __future__ import annotations

from pathlib import Path

import pytest

from aries_kernel.contracts.bridge import Bridge
from aries_kernel.testing.bridge_suite import BridgeSuite
from ori_bridge_generic.bridge import BRIDGE


class TestGeneric(BridgeSuite):
    golden = Path(__file__).parent / "golden.txt"

    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE
