"""The contract of language packs, held by that of C."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import LanguagePack
from aries_kernel.testing.language_suite import LanguageSuite
from aries_language_c.pack import C

TREE = {
    "src/main.c": """\
#include "util.h"
#include <stdio.h>

static int limit = 3;

/* Starts. */
int main(void) { struct server s; server_close(&s); return run(limit); }
""",
    "src/util.c": """\
#include "util.h"

int run(int n) { return LIMIT + n; }

void server_close(struct server *s) { s->open = 0; }
""",
    "include/util.h": """\
#ifndef UTIL_H
#define UTIL_H

#define LIMIT 3

struct server { int open; };

int run(int n);
void server_close(struct server *s);

#endif
""",
}


class TestC(LanguageSuite):
    edges = frozenset({("src/main.c", "include/util.h"), ("src/util.c", "include/util.h")})

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return C()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return TREE
