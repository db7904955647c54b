"""The contract of language packs, held by that of Go."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import LanguagePack, TooIntricate
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


def test_a_text_that_was_refused_leaves_nothing_behind_for_the_next_one() -> None:
    pack, source = Go(), TREE["util/util.go"].encode()
    before = pack.read(source, "util.go")
    with pytest.raises(TooIntricate, match="no headway"):
        pack.read(b"case a: " * 12_000, "endless.go")
    assert pack.read(source, "util.go") == before


def test_a_large_file_says_what_its_parts_say() -> None:
    text = "".join(f"// Add{n} adds é.\nfunc Add{n}(a int) int {{ return a + {n} }}\n" for n in range(1_000))
    facts = Go().read(f"package add\n\n{text}".encode(), "add.go")
    assert [one.name for one in facts.symbols] == [f"Add{n}" for n in range(1_000)]
    assert {one.doc for one in facts.symbols} == {f"Add{n} adds é." for n in range(1_000)}
