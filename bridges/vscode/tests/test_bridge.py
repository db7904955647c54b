"""The bridge `vscode`."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from aries_kernel.contracts.bridge import Bridge
from aries_kernel.testing.bridge_suite import BridgeSuite
from ori_bridge_vscode.bridge import BRIDGE


class TestVscode(BridgeSuite):
    golden = Path(__file__).parent / "golden.txt"
    own_files: ClassVar = {
        ".vscode/mcp.json": (
            "{\n"
            "\t// mine\n"
            '\t"servers": {\n'
            '\t\t"other": {\n'
            '\t\t\t"url": "http://127.0.0.1:1",\n'
            "\t\t},\n"
            "\t},\n"
            '\t"inputs": [],\n'
            "}"
        ),
        ".config/Code/User/mcp.json": ('{\n\t"servers": {"other": {}}\n}'),
        ".github/copilot-instructions.md": "Mine\n",
    }

    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE
