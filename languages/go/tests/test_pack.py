"""The contract of language packs, held by that of Go."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import LanguagePack
from aries_kernel.testing.language_suite import LanguageSuite
from aries_language_go.pack import Go

TREE = {
    "go.mod": """\
module example.com/app

go 1.21
""",
    "main.go": """\
package main

import "example.com/app/util"

// main starts.
func main() { util.Run(limit) }

const limit = 3
""",
    "util/util.go": """\
// Package util helps.
package util

type Server struct{ n int }

func (s *Server) Close() error { return s.stop() }

func Run(n int) { helper(n) }
""",
    "util/more.go": """\
package util

func helper(n int) int { return n }

func (s *Server) stop() error { return nil }
""",
}


class TestGo(LanguageSuite):
    edges = frozenset({("main.go", "util/more.go"), ("main.go", "util/util.go")})

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return Go()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return TREE
