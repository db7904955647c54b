"""Includes and uses of names in C files."""

from __future__ import annotations

from aries_kernel.testing.language_view import LanguageView
from aries_language_c.pack import C

VIEW = LanguageView(C(), "a.c")
read, uses = VIEW.read, VIEW.uses


def test_includes_in_lists_enums_and_structs_are_found_and_those_in_comments_are_not() -> None:
    source = (
        'const struct d t[] = {\n#define OP(a) {a},\n#include "ops.h"\n#undef OP\n};\n'
        'enum e {\n# include <names.h>\n A,\n#include LATER\n};\nstruct s { int a;\n#include "fields.h"\n};\n'
        'int f(void) {\n#include "body.h"\n  return 0;\n}\n'
        '/*\n#include "commented.h"\n*/\n// \\\n#include "too.h"\n#define M \\\n#include "made.h"\n'
    )
    found = [(one.line, one.module or one.text) for one in C().read(source.encode(), "a.c").imports]
    assert found == [(3, "ops.h"), (7, "names.h"), (9, "LATER"), (12, "fields.h"), (15, "body.h")]


def test_includes_are_rows_with_what_is_computed() -> None:
    source = '#include "a/b.h"\n#  include <sys/x.h> // why\n#include CONFIG_H\nint x;\n'
    assert [(one.line, one.module, one.name, one.text) for one in read(source).imports] == [
        (1, "a/b.h", "*", ""),
        (2, "sys/x.h", "*", "<sys/x.h>"),
        (3, "", "*", "CONFIG_H"),
    ]


def test_parameters_and_variables_hide_and_those_of_declarations_do_not() -> None:
    source = """\
int n, other;
int f(int n, int other);
int g(int n) { return n + other; }
int h(void) {
  int m = n, n = 1;
  for (int other = 0; other < n; other++) { use(other); }
  return other + m;
}
"""
    assert uses(source) == [
        (3, "use", "other", ""),
        (5, "use", "n", ""),
        (6, "call", "use?", ""),
        (7, "use", "other", ""),
    ]


def test_members_of_values_of_a_declared_type_lead_to_the_type() -> None:
    source = """\
#include "far.h"
struct conn { int fd; };
struct server { struct conn *conn; far_t far; };
int run(struct server *s, far_t *f, int n) {
  s->conn->fd = n;
  s->far.go(n);
  f->x = LIMIT;
  return s->n;
}
"""
    assert [row for row in uses(source) if row[0] > 4] == [
        (5, "use", "conn", "fd"),
        (6, "call", "far_t?", "go"),
        (7, "use", "far_t?", "x"),
        (7, "use", "LIMIT?", ""),
        (8, "use", "server", "n"),
    ]


def test_macros_and_members_of_enums_are_seen_in_the_whole_file() -> None:
    source = """\
enum kind { PLAIN };
int f(void) {
#define LOCAL 1
  return LOCAL + PLAIN;
}
int g(void) { return LOCAL; }
"""
    assert uses(source) == [
        (4, "use", "LOCAL", ""),
        (4, "use", "kind.PLAIN", ""),
        (6, "use", "LOCAL", ""),
    ]


def test_a_word_of_a_statement_that_the_parser_lost_is_no_type() -> None:
    source = "int g(void)\n{\n}\n  else\n    hp = dns->addr;\nint f(void) { return hp->x; }\n"
    assert [row for row in uses(source) if row[0] == 6] == [(6, "use", "hp", "x")]


def test_what_the_text_of_a_macro_calls_is_used_by_the_macro() -> None:
    source = """\
#define LIMIT 3
#define TWICE(x, step) ((x) * LIMIT + helper(x) + step(x) + (x)->helper + "LIMIT" /* LIMIT */)
#define GLUE(a) a##_run(1) + run_##a(2)
#define LOOP(el, head) \\
  for ((el) = (head)->first; el; el = next(el)) { int local = 1; }
static int helper(int n) { return n; }
static int next(int n) { return n; }
int local;
"""
    assert uses(source) == [(2, "use", "LIMIT", ""), (2, "call", "helper", ""), (5, "call", "next", "")]
