"""The bridge `codex`."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from aries_kernel.contracts.bridge import Bridge
from aries_kernel.testing.bridge_suite import BridgeSuite
from ori_bridge_codex.bridge import BRIDGE


class TestCodex(BridgeSuite):
    golden = Path(__file__).parent / "golden.txt"
    own_files: ClassVar = {
        ".codex/config.toml": (
            'model = "m" # mine\n'
            "\n"
            "[mcp_servers.other]\n"
            'command = "x"\n'
            "args = [\n"
            '  "[mcp_servers.ori]", # no table\n'
            "]\n"
            "\n"
            '[projects."/a b"]\n'
            'trust_level = "trusted"\n'
        ),
        ".codex/hooks.json": ('{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}'),
        "AGENTS.md": "# Mine\n",
    }

    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE
