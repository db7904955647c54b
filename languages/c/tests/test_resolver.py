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


def test_folders_that_a_build_keeps_in_variables_are_found_by_those_who_use_them() -> None:
    texts = {
        "tests/deep/x.c": '#include "core.h"\n#include "more.h"\n#include "sub.h"\n#include "not_for_you.h"\n',
        "src/core/core.h": "",
        "api/pub/core.h": "",
        "src/more/more.h": "",
        "api/pub/more.h": "",
        "src/core/below/sub.h": "",
        "api/pub/sub.h": "",
        "old/not_for_you.h": "",
        "api/pub/not_for_you.h": "",
        "src/CMakeLists.txt": (
            'set(CORE_INCLUDES\n  "${PROJECT_SOURCE_DIR}/src/core"  # "${PROJECT_SOURCE_DIR}/old"\n)\n'
            "list(APPEND CORE_INCLUDES more ${ROUND})\nset(ROUND ${CORE_INCLUDES})\n"
            "set(CORE_INCLUDES ${CORE_INCLUDES} PARENT_SCOPE)\nset(CORE ${CMAKE_CURRENT_SOURCE_DIR}/core)\n"
        ),
        "CMakeLists.txt": "",
        "tests/CMakeLists.txt": "target_include_directories(t PRIVATE ${CORE_INCLUDES} ${CORE}/below ${NOWHERE})\n",
    }
    assert leads(texts, "tests/deep/x.c") == {
        "core.h": "src/core/core.h",
        "more.h": "src/more/more.h",
        "sub.h": "src/core/below/sub.h",
        "not_for_you.h": "not found",
    }


def test_lists_that_grow_by_themselves_are_read_in_no_time() -> None:
    grown = "".join(f"set(A ${{A}} ${{B}} a{number})\nset(B ${{B}} ${{A}} b{number})\n" for number in range(60))
    texts = {
        "x.c": '#include "one.h"\n#include "two.h"\n',
        **dict.fromkeys(("a7/one.h", "b59/two.h", "z/one.h", "z/two.h"), ""),
        "CMakeLists.txt": f"{grown}include_directories(${{B}})\n",
    }
    assert leads(texts, "x.c") == {"one.h": "a7/one.h", "two.h": "b59/two.h"}


def test_a_project_in_a_project_has_folders_of_its_own() -> None:
    texts = {
        "x.c": '#include "one.h"\n#include "two.h"\n#include "three.h"\n',
        "part/a/one.h": "",
        "a/two.h": "",
        "part/c/three.h": "",
        **dict.fromkeys(("z/one.h", "z/two.h", "z/three.h"), ""),
        "CMakeLists.txt": "project(Top)\ninclude_directories(${Part_SOURCE_DIR}/a ${PROJECT_SOURCE_DIR}/a)\n",
        "part/CMakeLists.txt": "project(Part)\ninclude_directories(${PROJECT_SOURCE_DIR}/c)\n",
    }
    assert leads(texts, "x.c") == {"one.h": "part/a/one.h", "two.h": "a/two.h", "three.h": "part/c/three.h"}


def test_of_headers_of_one_name_the_build_of_the_file_says_which() -> None:
    texts = {
        **dict.fromkeys(("tests/x.c", "tests/deep/y.c", "tool/z.c", "else/w.c"), '#include "common.h"\n'),
        **dict.fromkeys(("a/common.h", "src/core/common.h", "tool/inc/common.h", "vendored/common.h"), ""),
        "CMakeLists.txt": "project(Top)\ninclude_directories(a)\n",
        "tests/CMakeLists.txt": "target_include_directories(t PRIVATE ../src/core ../vendored)\n",
        "tool/CMakeLists.txt": "target_include_directories(z PRIVATE ../vendored inc)\n",
    }
    assert leads(texts, "tests/x.c") == leads(texts, "tests/deep/y.c") == {"common.h": "src/core/common.h"}
    assert leads(texts, "tool/z.c") == {"common.h": "tool/inc/common.h"}
    assert leads(texts, "else/w.c") == {"common.h": "a/common.h"}


def test_folders_that_meson_is_told_are_found() -> None:
    texts = {
        "app/x.c": '#include "one.h"\n#include "two.h"\n',
        "lib/inner/one.h": "",
        "other/one.h": "",
        "lib/two.h": "",
        "other/two.h": "",
        "lib/meson.build": "lib_inc = include_directories('inner', '.', is_system: true)\n",
    }
    assert leads(texts, "app/x.c") == {"one.h": "lib/inner/one.h", "two.h": "lib/two.h"}


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


def test_a_header_that_the_build_makes_is_no_other_one_of_its_name() -> None:
    texts = {
        "src/x.c": '#include "config.h"\n#include "made.h"\n#include "given.h"\n',
        "src/made.h.in": "",
        **dict.fromkeys(("web/config.h", "web/made.h", "web/given.h"), ""),
        "web/y.c": '#include "config.h"\n#include "made.h"\n',
    }
    assert leads(texts, "src/x.c") == {"config.h": "not found", "made.h": "not found", "given.h": "web/given.h"}
    assert leads(texts, "web/y.c") == {"config.h": "web/config.h", "made.h": "web/made.h"}


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
