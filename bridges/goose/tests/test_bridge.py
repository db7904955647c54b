"""The bridge `goose`."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from aries_kernel.contracts.bridge import Bridge
from aries_kernel.testing.bridge_suite import BridgeSuite
from ori_bridge_goose.bridge import BRIDGE


class TestGoose(BridgeSuite):
    golden = Path(__file__).parent / "golden.txt"
    own_files: ClassVar = {
        ".config/goose/config.yaml": (
            "GOOSE_MODEL: x # mine\n"
            "extensions:\n"
            "  developer:\n"
            "    name: developer\n"
            "    enabled: true\n"
            "    type: builtin\n"
        ),
        ".config/goose/.goosehints": "mine",
    }

    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE
