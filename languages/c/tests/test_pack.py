"""The contract of language packs, held by that of C."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import LanguagePack
from aries_kernel.testing.language_suite import LanguageSuite
from aries_language_c.pack import C

TREE = {
    "src/main.c": '#include "util.h"\n#include <stdio.h>\n\nstatic int limit = 3;\n\n/* Starts. */\nint main(void) { struct server s; server_close(&s); return run(limit); }\n',
    "src/util.c": '#include "util.h"\n\nint run(int n) { return LIMIT + n; }\n\nvoid server_close(struct server *s) { s->open = 0; }\n',
    "include/util.h": "#ifndef UTIL_H\n#define UTIL_H\n\n#define LIMIT 3\n\nstruct server { int open; };\n\nint run(int n);\nvoid server_close(struct server *s);\n\n#endif\n",
}


class TestC(LanguageSuite):
    edges = frozenset({("src/main.c", "include/util.h"), ("src/util.c", "include/util.h")})

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return C()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return TREE
