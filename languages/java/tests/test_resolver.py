"""Where imports of Java files lead."""

from __future__ import annotations

from aries_kernel.testing.language_view import LanguageView
from aries_language_java.pack import Java

VIEW = LanguageView(Java(), "A.java")
leads, tree = VIEW.leads, VIEW.tree


def test_packages_are_what_files_say_whatever_folders_they_lie_in() -> None:
    texts = {
        "app/src/main/java/a/Main.java": (
            "package a;\nimport a.b.Thing;\nimport a.b.Thing.Inner;\nimport static a.b.Thing.make;\nimport a.b.*;\n"
            "import a.b.Gone;\nimport java.util.List;\nimport static a.b.Thing.*;\n"
        ),
        "lib/odd/Thing.java": "package a.b;\npublic class Thing {}\n",
        "lib/odd/More.java": "package a.b;\npublic class More {}\n",
    }
    assert leads(texts, "app/src/main/java/a/Main.java") == {
        "a.b:Thing": "lib/odd/Thing.java",
        "a.b.Thing:Inner": "lib/odd/Thing.java",
        "a.b": "lib/odd/More.java lib/odd/Thing.java",
        "a.b:Gone": "not found",
        "java.util:List": "external",
        "a.b.Thing": "lib/odd/Thing.java",
    }


def test_of_types_with_one_name_the_nearest_is_meant() -> None:
    thing = "package a;\npublic class Thing {}\n"
    texts = {
        "one/src/a/Thing.java": thing,
        "two/src/a/Thing.java": thing,
        "two/src/b/User.java": "package b;\nimport a.Thing;\n",
    }
    assert leads(texts, "two/src/b/User.java") == {"a:Thing": "two/src/a/Thing.java"}


def test_files_of_one_package_see_each_other_those_of_the_same_folder_first() -> None:
    made = tree({f"{name}.java": "package a;\n" for name in ("main/a/A", "main/a/B", "test/a/ATest")})
    assert Java().resolver(made).ambient("test/a/ATest.java") == ["main/a/A.java", "main/a/B.java"]
    assert Java().resolver(made).ambient("main/a/B.java") == ["main/a/A.java", "test/a/ATest.java"]
