"""The bridge `copilot`."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from aries_kernel.contracts.bridge import Bridge
from aries_kernel.testing.bridge_suite import BridgeSuite
from ori_bridge_copilot.bridge import BRIDGE


class TestCopilot(BridgeSuite):
    golden = Path(__file__).parent / "golden.txt"
    own_files: ClassVar = {
        ".github/mcp.json": ('{"mcpServers": {"other": {"type": "local", "command": "x"}}}'),
        ".copilot/mcp-config.json": ('{"mcpServers": {"other": {"type": "local", "command": "x"}}}\n'),
        ".copilot/settings.json": '{"theme": "x"}',
        "AGENTS.md": "Mine.",
    }

    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE
