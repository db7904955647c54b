"""Where imports of Go files lead."""

from __future__ import annotations

from aries_kernel.testing.language_view import LanguageView
from aries_language_go.pack import Go

VIEW = LanguageView(Go(), "a.go")
leads, tree = VIEW.leads, VIEW.tree


def test_a_package_is_the_files_of_its_folder_without_tests_and_programs_beside_it() -> None:
    texts = {
        "go.mod": "module example.com/app // here\n",
        "main.go": (
            'package main\nimport (\n"example.com/app/util"\n"example.com/app/gone"\n'
            '"fmt"\n"example.com/application"\n)\n'
        ),
        "util/a.go": "package util\n",
        "util/b_windows.go": "package util\n",
        "util/a_test.go": "package util\n",
        "util/x_test.go": "package util_test\n",
        "util/gen.go": "package main\n",
        "vendor/fmt/fmt.go": "package fmt\n",
    }
    assert leads(texts, "main.go") == {
        "example.com/app/util": "util/a.go util/b_windows.go",
        "example.com/app/gone": "not found",
        "fmt": "external",
        "example.com/application": "external",
    }


def test_modules_of_one_tree_know_each_other_by_replace_and_by_path() -> None:
    imports = 'package b\nimport (\n"example.com/a/x"\n"old.example/c"\n"example.com/a/b/y"\n"example.com/b/inner"\n)\n'
    texts = {
        "a/go.mod": "module example.com/a\n",
        "a/x/x.go": "package x\n",
        "b/go.mod": "module example.com/b\n\nreplace (\n\told.example/c v1.2.3 => ../fork/c // ours\n)\n",
        "b/b.go": imports,
        "b/inner/go.mod": "module example.com/b/inner\n",
        "b/inner/i.go": "package inner\n",
        "fork/c/go.mod": "module new.example/c\n",
        "fork/c/c.go": "package c\n",
    }
    assert leads(texts, "b/b.go") == {
        "example.com/a/x": "a/x/x.go",
        "old.example/c": "fork/c/c.go",
        "example.com/a/b/y": "not found",
        "example.com/b/inner": "b/inner/i.go",
    }


def test_without_modules_packages_lie_below_the_folder_src() -> None:
    texts = {"src/app/main.go": 'package main\nimport "lib/util"\n', "src/lib/util/u.go": "package util\n"}
    assert leads(texts, "src/app/main.go") == {"lib/util": "src/lib/util/u.go"}


def test_files_of_one_package_see_each_other_but_only_tests_see_tests() -> None:
    made = tree(
        {
            "go.mod": "module m\n",
            "p/a_linux.go": "package p\n",
            "p/b_linux.go": "package p\n",
            "p/b_windows.go": "package p\n",
            "p/a_test.go": "package p\n",
            "p/out_test.go": "package p_test\n",
            "q/c.go": "package p\n",
        }
    )
    resolver = Go().resolver(made)
    assert resolver.ambient("p/a_linux.go") == ["p/b_linux.go", "p/b_windows.go"]
    assert resolver.ambient("p/a_test.go") == ["p/a_linux.go", "p/b_linux.go", "p/b_windows.go"]
    assert resolver.ambient("p/out_test.go") == []


def test_go_mod_that_says_nothing_counts_as_absent() -> None:
    texts = {"go.mod": "\x00 replace => (((\n", "a/a.go": 'package a\nimport "m/b"\n', "b/b.go": "package b\n"}
    assert leads(texts, "a/a.go") == {"m/b": "external"}
