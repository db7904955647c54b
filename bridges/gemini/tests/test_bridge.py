"""The bridge `gemini`."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from aries_kernel.contracts.bridge import Bridge
from aries_kernel.testing.bridge_suite import BridgeSuite
from ori_bridge_gemini.bridge import BRIDGE


class TestGemini(BridgeSuite):
    golden = Path(__file__).parent / "golden.txt"
    own_files: ClassVar = {
        ".gemini/settings.json": (
            "{\n"
            '    "security": {"auth": {"selectedType": "key"}},\n'
            '    "hooks": {"AfterTool": [{"matcher": "*", "hooks": [{"type": "command", "command": "mine"}]}]}\n'
            "}\n"
        ),
        "GEMINI.md": "Mine.\n",
        ".gemini/GEMINI.md": ("## Gemini Added Memories\n- x"),
    }

    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE
