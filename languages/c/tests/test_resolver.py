"""Where includes lead, and headers of which language they are."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import OtherLanguage
from aries_kernel.testing.language_view import LanguageView
from aries_language_c.pack import C

VIEW = LanguageView(C(), "a.c")
leads, tree = VIEW.leads, VIEW.tree


def test_an_include_is_looked_for_beside_the_file_then_in_folders_of_the_build() -> None:
    texts = {
        "src/main.c": (
            '#include "own.h"\n#include "../up.h"\n#include "app/api.h"\n#include <app/api.h>\n#include "made.h"\n'
        ),
        "src/own.h": "",
        "up.h": "",
        "include/app/api.h": "",
        "include/own.h": "",
        "gen/made.h": "",
        "CMakeLists.txt": "target_include_directories(app PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/gen)\n",
    }
    assert leads(texts, "src/main.c") == {
        "own.h": "src/own.h",
        "../up.h": "up.h",
        "app/api.h": "include/app/api.h",
        "made.h": "gen/made.h",
    }


def test_commands_of_a_compiler_name_folders() -> None:
    commands = '[{"directory": "/home/me/app/build", "command": "cc -I/home/me/app/deep/inc -I../near -c x.c"}]'
    texts = {
        "x.c": '#include "one.h"\n#include "two.h"\n',
        "deep/inc/one.h": "",
        "other/one.h": "",
        "near/two.h": "",
        "other/two.h": "",
        "build/x.h": "",
        "compile_commands.json": commands,
    }
    assert leads(texts, "x.c") == {"one.h": "deep/inc/one.h", "two.h": "near/two.h"}


def test_at_last_the_only_path_that_ends_so_is_meant() -> None:
    texts = {
        "a/x.c": (
            '#include "net/only.h"\n#include "twice.h"\n#include "gone.h"\n#include <string.h>\n#include <lonely.h>\n'
        ),
        "lib/net/only.h": "",
        "p/twice.h": "",
        "q/twice.h": "",
        "lib/string.h": "",
        "lib/lonely.h": "",
    }
    assert leads(texts, "a/x.c") == {
        "net/only.h": "lib/net/only.h",
        "twice.h": "not found",
        "gone.h": "not found",
        "string.h": "external",
        "lonely.h": "external",
    }


def test_a_computed_include_is_dynamic() -> None:
    assert leads({"x.c": "#include CONFIG\n"}, "x.c") == {"CONFIG": "dynamic"}


def test_bodies_of_what_a_header_declares_are_in_the_source_with_its_name() -> None:
    names = ("include/app/net.h", "src/net.c", "src/net.cc", "other/net.c", "src/alone.h")
    resolver = C().resolver(tree(dict.fromkeys(names, "")))
    assert resolver.definitions("include/app/net.h") == ["other/net.c"]
    assert resolver.definitions("src/alone.h") == []
    assert resolver.definitions("src/net.c") == []


@pytest.mark.parametrize(
    ("text", "is_other"),
    [
        ("namespace a { int x; }", True),
        ("template <typename T> T f(T x);", True),
        ("class A {\n public:\n};", True),
        ("#include <string>\nint f(void);", True),
        ("struct a { int class_id; };", False),
        ("/* class A { */ int f(void);", False),
        ("#ifdef __cplusplus\nnamespace a {\n#endif\nint f(void);\n", False),
        ("#include <string.h>\nint public;\n", False),
    ],
)
def test_a_header_of_cplusplus_is_told_by_what_it_holds(text: str, is_other: bool) -> None:
    try:
        C().read(text.encode(), "a.h")
    except OtherLanguage as other:
        assert is_other and other.suffix == "cpp"
    else:
        assert not is_other
