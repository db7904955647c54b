"""The bridge `cline`."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from aries_kernel.contracts.bridge import Bridge
from aries_kernel.testing.bridge_suite import BridgeSuite
from ori_bridge_cline.bridge import BRIDGE


class TestCline(BridgeSuite):
    golden = Path(__file__).parent / "golden.txt"
    own_files: ClassVar = {
        ".cline/data/settings/cline_mcp_settings.json": (
            '{"mcpServers": {"other": {"transport": {"type": "stdio", "command": "x"}}}}'
        ),
    }

    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE
