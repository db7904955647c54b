"""The bridge `claude-code`."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from aries_kernel.contracts.bridge import Bridge
from aries_kernel.testing.bridge_suite import BridgeSuite
from ori_bridge_claude_code.bridge import BRIDGE


class TestClaudeCode(BridgeSuite):
    golden = Path(__file__).parent / "golden.txt"
    own_files: ClassVar = {
        ".mcp.json": '{"mcpServers":{"other":{"command":"x"}}}',
        ".claude/settings.local.json": (
            "{\n"
            '  "hooks": {\n'
            '    "Stop": [{"hooks": [{"type": "command", "command": "mine"}]}],\n'
            '    "SessionStart": [\n'
            '      {"hooks": [{"type": "command", "command": "mine"}]}\n'
            "    ]\n"
            "  }\n"
            "}"
        ),
        ".claude/settings.json": ('{\n\t"permissions": {"allow": ["Bash(ls)"]}\n}\n'),
        ".claude.json": ('{\n  "numStartups": 3,\n  "mcpServers": {\n    "other": {"command": "x"}\n  }\n}'),
        "CLAUDE.md": ("# Mine\r\n\r\nText.\r\n"),
        ".claude/CLAUDE.md": "one line",
    }

    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE
