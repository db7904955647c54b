"""The contract of language packs, held by that of Go."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import LanguagePack
from aries_kernel.testing.language_suite import LanguageSuite
from aries_language_go.pack import Go

TREE = {
    "go.mod": "module example.com/app\n\ngo 1.21\n",
    "main.go": 'package main\n\nimport "example.com/app/util"\n\n// main starts.\nfunc main() { util.Run(limit) }\n\nconst limit = 3\n',
    "util/util.go": "// Package util helps.\npackage util\n\ntype Server struct{ n int }\n\nfunc (s *Server) Close() error { return s.stop() }\n\nfunc Run(n int) { helper(n) }\n",
    "util/more.go": "package util\n\nfunc helper(n int) int { return n }\n\nfunc (s *Server) stop() error { return nil }\n",
}


class TestGo(LanguageSuite):
    edges = frozenset({("main.go", "util/more.go"), ("main.go", "util/util.go")})

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return Go()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return TREE
