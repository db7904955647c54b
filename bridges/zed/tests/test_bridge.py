"""The bridge `zed`."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from aries_kernel.contracts.bridge import Bridge
from aries_kernel.testing.bridge_suite import BridgeSuite
from ori_bridge_zed.bridge import BRIDGE


class TestZed(BridgeSuite):
    golden = Path(__file__).parent / "golden.txt"
    own_files: ClassVar = {
        ".zed/settings.json": ('// mine\n{\n  "tab_size": 2,\n}\n'),
        ".config/zed/settings.json": (
            '{\n  // mine\n  "context_servers": {\n    "other": {"command": "x", "args": []} // last\n  }\n}\n'
        ),
        ".rules": "Mine.\n",
    }

    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE
