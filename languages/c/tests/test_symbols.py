"""Definitions of C files."""

from __future__ import annotations

import pytest

from aries_kernel.testing.language_view import LanguageView
from aries_language_c.pack import C

VIEW = LanguageView(C(), "a.c")
read, symbols, uses = VIEW.read, VIEW.symbols, VIEW.uses


def test_every_kind_of_definition_has_its_span_and_its_full_name() -> None:
    source = """\
/* Sells. */
#define LIMIT 3
#define MAX(a, b) \\
  ((a) > (b) ? (a) : (b))

typedef struct {
  int n, *p;
} cart_t;
typedef struct node { struct node *next; } node_t;
typedef int (*callback)(int n);
enum kind { PLAIN, RICH = 2 };
union bits { int a; };
static const int most = 3;
extern int outside;
int run(int n);
int table[2] = { 1, 2 }, (*hook)(int);
static int
help(int n)
{
  struct local { int z; };
  int hidden = n;
  return hidden;
}
"""
    assert symbols(source) == [
        ("macro", "LIMIT", 2, 2),
        ("macro", "MAX", 3, 4),
        ("struct", "cart_t", 6, 8),
        ("field", "cart_t.n", 7, 7),
        ("field", "cart_t.p", 7, 7),
        ("struct", "node", 9, 9),
        ("field", "node.next", 9, 9),
        ("type", "node_t", 9, 9),
        ("type", "callback", 10, 10),
        ("enum", "kind", 11, 11),
        ("member", "kind.PLAIN", 11, 11),
        ("member", "kind.RICH", 11, 11),
        ("struct", "bits", 12, 12),
        ("field", "bits.a", 12, 12),
        ("constant", "most", 13, 13),
        ("variable", "outside", 14, 14),
        ("function", "run", 15, 15),
        ("variable", "table", 16, 16),
        ("variable", "hook", 16, 16),
        ("function", "help", 17, 23),
        ("struct", "help.local", 20, 20),
        ("field", "help.local.z", 20, 20),
    ]


def test_heads_comments_and_linkage_are_told() -> None:
    facts = read("""\
/* Copyright someone */

/*
 * Runs it.
 * And more.
 */
static inline char *run(const char *name,
                        int n) { return 0; }
int said(void);
int kept;  /* not of the next */
int next(void) { return 1; }
""")
    run, said, _, following = facts.symbols
    assert (run.doc, run.signature) == ("Runs it.", "static inline char *run(const char *name, int n)")
    assert [one.exported for one in facts.symbols] == [False, True, True, True]
    assert (run.modifiers, said.modifiers, following.doc) == ("static", "declared", "")
    assert [one.name for one in facts.exports] == ["said", "kept", "next"]


def test_a_guard_is_no_definition_and_words_of_macros_break_nothing() -> None:
    source = """\
#ifndef A_H
#define A_H
#ifdef __cplusplus
extern "C" {
#endif
APP_EXPORT int run(int n);
APP_EXPORT struct cart *
make(void) APP_NONNULL(1);
struct pool {
  APP_FIELDS
};
#ifdef __cplusplus
}
#endif
#endif
"""
    assert symbols(source) == [
        ("function", "run", 6, 6),
        ("function", "make", 7, 8),
        ("struct", "pool", 9, 11),
    ]
    assert read(source).error_line == 0


def test_words_before_parameters_and_attributes_with_figures_are_no_names() -> None:
    source = """\
static void printflike(2, 3)
say(__unused struct cart *cart, __unused const char *text, ...)
{
	run(cart);
}

int
main(__unused int argc, __unused char **argv)
{
	return 0;
}
"""
    assert symbols(source) == [("function", "say", 1, 5), ("function", "main", 7, 11)]
    assert read(source).error_line == 0


def test_a_file_of_several_headers_has_the_guards_of_them_all() -> None:
    source = """\
#ifndef ALL_H
#define ALL_H
#ifndef ONE_H_
#define ONE_H_
int one(void);
#endif
#ifndef TWO_INCLUDED
#define TWO_INCLUDED
#ifndef LIMIT
#define LIMIT 3
#endif
#ifndef QUIET
#define QUIET
#endif
#endif
#endif
"""
    assert [name for _, name, *_ in symbols(source)] == ["one", "LIMIT", "QUIET"]


def test_a_declaration_before_the_definition_in_one_file_is_not_told_twice() -> None:
    assert symbols("static int f(int n);\nint g(void) { return f(1); }\nstatic int f(int n) { return n; }\n") == [
        ("function", "g", 2, 2),
        ("function", "f", 3, 3),
    ]


def test_a_macro_is_meant_for_others_in_a_header_only() -> None:
    for path, is_meant in (("a.h", True), ("a.c", False)):
        facts = C().read(b"#define LIMIT 3\nint a = LIMIT;\n", path, is_final=True)
        assert [one.exported for one in facts.symbols if one.kind == "macro"] == [is_meant]


def test_a_type_is_meant_for_others_in_a_header_only_and_for_who_includes_the_file() -> None:
    source = b"typedef int word;\nstruct cart { int n; };\nenum { ONE };\nint run(void);\n"
    for path, meant in (("a.h", ["word", "cart", "n", "ONE", "run"]), ("a.c", ["run"])):
        facts = C().read(source, path, is_final=True)
        assert [one.name for one in facts.symbols if one.exported] == meant
        assert [one.name for one in facts.exports] == ["word", "cart", "ONE", "run"]


@pytest.mark.parametrize("end", [";", "{ return 1; }"])
def test_an_attribute_under_a_condition_leaves_the_function_before_it_whole(end: str) -> None:
    guarded = "#ifdef __GNUC__\n  __attribute__((format(printf, 1, 2)))\n#endif\n"
    source = f"int say(const char *text, ...)\n{guarded}{end}\nint x;\n"
    facts = C().read(source.encode(), "a.h", is_final=True)
    assert [(one.name, one.kind) for one in facts.symbols] == [("say", "function"), ("x", "variable")]
    assert facts.error_line == 0
