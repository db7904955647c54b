"""Macros that make definitions, loops and errors of the grammar."""

from __future__ import annotations

import pytest

from aries_kernel.testing.language_view import LanguageView
from aries_language_c.pack import C

VIEW = LanguageView(C(), "a.c")
read, symbols = VIEW.read, VIEW.symbols


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("TEST(Suite, works)", "Suite.works"),
        ("TEST_CASE(works)", "works"),
        ("START_TEST(works)\n", "works"),
        ("BOOST_FIXTURE_TEST_CASE(works, Fixture)", "works"),
        ("BENCHMARK_DEFINE_F(Fixture, works)(state *st)", "Fixture.works"),
        ("SYSCALL_DEFINE2(works, int, fd)", "works"),
    ],
)
def test_a_block_behind_a_macro_is_named_by_its_arguments(head: str, name: str) -> None:
    source = f"static int count;\n{head} {{\n  int local = 1;\n  use(local);\n}}\nint after(void) {{ return 1; }}\n"
    found = [(kind, name) for kind, name, _, _ in symbols(source)]
    assert found == [("variable", "count"), ("function", name), ("function", "after")]
    assert read(source).error_line == 0


def test_a_block_behind_a_macro_without_a_name_holds_no_definitions() -> None:
    source = 'TEST_CASE("adds", "[tag]") {\n  int local = 1;\n  use(local);\n}\nint after(void) { return 1; }\n'
    assert symbols(source) == [("function", "after", 5, 5)]


@pytest.mark.parametrize(
    "loop",
    [
        "  TAILQ_FOREACH(n, &head, entries) {\n    use(n);\n  }\n",
        "  TAILQ_FOREACH_SAFE(n, &head, entries, next)\n    use(n);\n",
        "  list_for_each_entry(n, head, entries) {\n    use(n);\n  }\n",
        "  if (timercmp(&n->a, &n->b, >))\n    use(n);\n",
    ],
)
def test_a_loop_of_a_macro_does_not_make_a_file_broken(loop: str) -> None:
    source = f"void f(struct item *n) {{\n{loop}}}\nint after(void) {{ return 1; }}\n"
    assert [row[1] for row in symbols(source)] == ["f", "after"]
    assert read(source).error_line == 0


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("int a;\nint broken(int a {\n  return a;\n}\n", 2),
        ("int a;\nint b = ;\n", 2),
        ("void f(struct item *n) {\n  TAILQ_FOREACH(n, &head) {\n    use(n;\n  }\n}\n", 2),
    ],
)
def test_what_is_wrong_whatever_macros_stand_for_is_told(source: str, line: int) -> None:
    assert read(source).error_line == line


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("typedef int APP_CALL(callback)(int n);\n", "callback"),
        ("static unsigned long APP_CALL run(int n) {\n  return 1;\n}\n", "run"),
        ("DWORD WINAPI run(void *data) {\n  return 1;\n}\n", "run"),
        ("static __dead void run(int n) {\n  exit(n);\n}\n", "run"),
        ("#define LIMIT (100 /* of them */)\nenum kind APP_PACKED { ONE };\n", "LIMIT"),
        ("typedef SSIZE_T ssize_t;\n", "ssize_t"),
    ],
)
def test_words_of_macros_around_a_name(source: str, name: str) -> None:
    assert name in [row[1] for row in symbols(source)]
    assert read(source).error_line == 0


def test_words_that_only_other_languages_keep_are_names() -> None:
    source = "struct page {\n  const char *template;\n  char *namespace;\n};\n"
    assert [row[1] for row in symbols(source)] == ["page", "page.template", "page.namespace"]
