"""The bridge `windsurf`."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from aries_kernel.contracts.bridge import Bridge
from aries_kernel.testing.bridge_suite import BridgeSuite
from ori_bridge_windsurf.bridge import BRIDGE


class TestWindsurf(BridgeSuite):
    golden = Path(__file__).parent / "golden.txt"
    own_files: ClassVar = {
        ".codeium/windsurf/mcp_config.json": ('{"mcpServers": {"other": {"serverUrl": "http://127.0.0.1:1"}}}'),
        ".codeium/windsurf/memories/global_rules.md": "- mine\n",
    }

    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE
