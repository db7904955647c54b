"""What Java files see without naming it, in the graph of a project."""

from __future__ import annotations

from pathlib import Path

from body_trees import leads, write

from aries_body.operations.codebase import Codebase


def test_a_type_within_a_type_of_the_package_is_not_seen_by_its_short_name(root: Path) -> None:
    files = {
        "A.java": "package p;\nclass A { static class Element {} }\n",
        "Element.java": "package p;\nclass Element {}\n",
        "B.java": "package p;\nclass B { Element it; }\n",
        "C.java": "package p;\nclass C { Other it; }\n",
        "D.java": "package p;\nclass D { static class Other {} }\n",
    }
    assert leads(root, files, "B.java") == {"Element.java"}
    assert leads(root, {}, "C.java") == set()


def test_a_type_of_the_package_comes_before_that_of_the_language(root: Path) -> None:
    files = {
        "Module.java": "package p;\npublic interface Module {}\n",
        "Error.java": "package p;\npublic class Error {}\n",
        "A.java": "package p;\nclass A implements Module { Error why; Thread what; }\n",
    }
    assert leads(root, files, "A.java") == {"Module.java", "Error.java"}


def test_an_import_of_a_whole_package_leads_to_the_files_of_which_something_is_used(root: Path) -> None:
    files = {
        "q/Used.java": "package q;\npublic class Used {}\n",
        "q/Idle.java": "package q;\npublic class Idle {}\n",
        "A.java": "package p;\nimport q.*;\nclass A { Used it; }\n",
    }
    assert leads(root, files, "A.java") == {"q/Used.java"}


def test_members_of_a_static_import_of_everything_are_used_by_their_short_names(root: Path) -> None:
    files = {
        "q/Ids.java": "package q;\npublic class Ids { public static final int ONE = 1; public static void go() {} }\n",
        "A.java": "package p;\nimport static q.Ids.*;\nclass A { int x = ONE; void a() { go(); } }\n",
    }
    write(root, dict(files))
    codebase = Codebase.open(root, cache_folder=None)
    try:
        for name in ("Ids.ONE", "Ids.go"):
            assert [(one.path, one.line) for one in codebase.callers(name)] == [("A.java", 3)]
    finally:
        codebase.close()


def test_what_a_class_inherits_is_used_by_its_bare_name_and_through_it(root: Path) -> None:
    base = "public class Base { public static int make() { return 1; } protected int count; protected void go() {} }"
    files = {
        "p/Base.java": f"package p;\n{base}\n",
        "p/Sub.java": "package p;\npublic class Sub extends Base {\n  void a() { go(); }\n  int b = count;\n}\n",
        "q/A.java": "package q;\nimport p.Sub;\nimport static p.Sub.make;\nclass A { int x = Sub.make(); }\n",
        "q/C.java": "package q;\nimport static p.Sub.make;\nclass C { int y = make(); }\n",
        "q/Ids.java": "package q;\npublic class Ids { public static void shared() {} public static void go() {} }\n",
        "q/B.java": "package q;\nimport p.Sub;\nimport static q.Ids.*;\nclass B extends Sub {\n{ shared(); go(); } }\n",
    }
    write(root, dict(files))
    codebase = Codebase.open(root, cache_folder=None)
    try:
        found = {name: [(one.path, one.line) for one in codebase.callers(name)] for name in ("Base.make", "Base.count")}
        assert found == {"Base.make": [("q/A.java", 4), ("q/C.java", 3)], "Base.count": [("p/Sub.java", 4)]}
        assert [(one.path, one.line) for one in codebase.callers("Base.go")] == [("p/Sub.java", 3), ("q/B.java", 5)]
        assert [(one.path, one.line) for one in codebase.callers("Ids.shared")] == [("q/B.java", 5)]
        assert [(one.path, one.line) for one in codebase.callers("Ids.go")] == []
    finally:
        codebase.close()


def test_a_type_that_a_class_inherits_is_seen_by_its_short_name(root: Path) -> None:
    files = {
        "p/Data.java": "package p;\npublic interface Data { enum Nature { ONE } }\n",
        "q/Base.java": "package q;\nimport p.Data;\npublic class Base implements Data {}\n",
        "r/A.java": "package r;\nimport q.Base;\nclass A extends Base { Nature it = Nature.ONE; Other b; }\n",
        "r/Other.java": "package r;\nclass Other {}\n",
    }
    assert leads(root, files, "r/A.java") == {"q/Base.java", "p/Data.java", "r/Other.java"}


def test_of_types_with_one_full_name_that_of_the_own_project_is_meant(root: Path) -> None:
    files = {
        "a/src/main/java/p/Made.java": "package p;\npublic class Made {}\n",
        "b/src/main/java/p/Made.java": "package p;\npublic class Made {}\n",
        "b/src/test/java/p/MadeTest.java": "package p;\nclass MadeTest { Made it; }\n",
    }
    assert leads(root, files, "b/src/test/java/p/MadeTest.java") == {"b/src/main/java/p/Made.java"}
