"""The bridge `cursor`."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from aries_kernel.contracts.bridge import Bridge
from aries_kernel.testing.bridge_suite import BridgeSuite
from ori_bridge_cursor.bridge import BRIDGE


class TestCursor(BridgeSuite):
    golden = Path(__file__).parent / "golden.txt"
    own_files: ClassVar = {
        ".cursor/mcp.json": ('{\n  "mcpServers": {\n    "other": { "url": "http://127.0.0.1:1" }\n  }\n}'),
        ".cursor/hooks.json": ('{\n  "version": 1,\n  "hooks": {\n    "stop": [{ "command": "mine" }]\n  }\n}\n'),
    }

    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE
