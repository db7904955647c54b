"""The bridge `hermes`."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from aries_kernel.contracts.bridge import Bridge
from aries_kernel.testing.bridge_suite import BridgeSuite
from ori_bridge_hermes.bridge import BRIDGE


class TestHermes(BridgeSuite):
    golden = Path(__file__).parent / "golden.txt"
    own_files: ClassVar = {
        ".hermes/config.yaml": (
            "# mine\n"
            "model:\n"
            "  default: x   # this\n"
            "\n"
            "mcp_servers:\n"
            "  other: {command: y}\n"
            "\n"
            "memory:\n"
            "  memory_enabled: true\n"
            "\n"
            "# the end\n"
        ),
    }

    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE
