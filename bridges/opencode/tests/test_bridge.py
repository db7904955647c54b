"""The bridge `opencode`."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from aries_kernel.contracts.bridge import Bridge
from aries_kernel.testing.bridge_suite import BridgeSuite
from ori_bridge_opencode.bridge import BRIDGE


class TestOpencode(BridgeSuite):
    golden = Path(__file__).parent / "golden.txt"
    own_files: ClassVar = {
        "opencode.jsonc": (
            "// mine\n"
            "{\n"
            '  "model": "a/b", // this\n'
            '  "mcp": {\n'
            '    "other": {"type": "local", "command": ["x"]}, // last\n'
            "  },\n"
            "}\n"
        ),
        ".config/opencode/opencode.jsonc": '{ "theme": "x" /* mine */ }',
        "AGENTS.md": ("# Mine\n\n\n"),
    }

    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE
