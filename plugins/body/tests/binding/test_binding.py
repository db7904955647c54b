"""What a name means, in a language whose rules are those of the contract and no more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from body_trees import TOYS
from toy import Toy, ToyResolver

from aries_body.index.packs import Packs
from aries_body.index.project import Project
from aries_kernel.contracts import Project as Tree

Open = Callable[..., Project]


def uses(project: Project, path: str) -> list[tuple[str, str, str, bool]]:
    return [(one.kind, one.file, one.symbol, one.is_indirect) for one in project.linker.uses(path)]


def imports(project: Project, path: str) -> list[str]:
    return [edge.target for edge in project.linker.links[path].edges if edge.is_import]


def test_a_name_is_bound_through_its_import_and_to_no_namesake(toys: Open) -> None:
    project = toys(
        {
            "a.toy": "from util import run\ncall run\ncall run.more\n",
            "util.toy": "def run\n",
            "other/util.toy": "def run\n",
            "third.toy": "class T\n.run\n",
        }
    )
    assert uses(project, "a.toy") == [("call", "util.toy", "run", False), ("use", "util.toy", "run", False)]
    assert [edge.target for edge in project.linker.links["a.toy"].edges] == ["util.toy"] * 3


def test_names_that_look_alike_make_no_edge_without_an_import(toys: Open) -> None:
    project = toys({"a.toy": "call print\ncall d.get\n", "b.toy": "class Box\n.get\n", "c.toy": "def print\n"})
    assert project.linker.links["a.toy"].edges == ()


def test_no_edge_leads_to_another_family_of_languages(toys: Open) -> None:
    project = toys({"a.toy": "import render\ncall render.render\n", "render.brick": "def render\n"})
    assert project.linker.links["a.toy"].edges == ()
    assert project.linker.where("a.toy")[0].reason == "not found"


def test_a_use_by_a_reexport_leads_to_the_definition_and_is_marked(toys: Open) -> None:
    project = toys(
        {
            "pkg/__init__.toy": "from pkg.core import Core as Kernel\n",
            "pkg/core.toy": "class Core\n.run\n",
            "test_core.toy": "from pkg import Kernel as K\nimport pkg\ncall K\ncall pkg.Kernel.run\n",
        }
    )
    assert imports(project, "test_core.toy") == ["pkg/__init__.toy"]
    assert imports(project, "pkg/__init__.toy") == ["pkg/core.toy"]
    assert uses(project, "test_core.toy") == [
        ("call", "pkg/core.toy", "Core", True),
        ("call", "pkg/core.toy", "Core.run", True),
    ]


def test_exports_that_go_round_in_circles_end(toys: Open) -> None:
    project = toys(
        {
            "a.toy": "from b import x\nfrom b import *\nfrom a import x as y\n",
            "b.toy": "from a import x\nfrom a import *\nfrom c import *\n",
            "c.toy": "from b import *\ndef z\n",
            "u.toy": "import a\ncall a.x\ncall a.z\ncall a.y\nfrom a import z\ncall z\n",
        }
    )
    assert uses(project, "u.toy") == [
        ("use", "a.toy", "", False), ("call", "c.toy", "z", True), ("use", "a.toy", "", False),
        ("call", "c.toy", "z", True),
    ]  # fmt: skip


def test_a_star_brings_public_names_and_a_name_that_is_asked_for_comes_though_it_is_private(toys: Open) -> None:
    project = toys(
        {
            "lib.toy": "def open\ndef _shut\n",
            "hub.toy": "from lib import *\n",
            "by_star.toy": "from hub import *\ncall open\ncall _shut\n",
            "by_name.toy": "from lib import _shut\ncall _shut\n",
        }
    )
    assert uses(project, "by_star.toy") == [("call", "lib.toy", "open", True)]
    assert uses(project, "by_name.toy") == [("call", "lib.toy", "_shut", False)]


def test_of_two_stars_the_later_one_hides_the_earlier(toys: Open) -> None:
    project = toys({"a.toy": "def x\n", "b.toy": "def x\n", "u.toy": "from a import *\nfrom b import *\ncall x\n"})
    assert uses(project, "u.toy") == [("call", "b.toy", "x", False)]


def test_a_member_is_found_in_the_bases_of_other_files(toys: Open) -> None:
    project = toys(
        {
            "base.toy": "class Root\n.close\nclass Middle(Root)\n.open\n",
            "leaf.toy": "from base import Middle\nclass Leaf(Middle)\n.open\n",
            "use.toy": "from leaf import Leaf\ncall Leaf.open\ncall Leaf.close\ncall Leaf.nothing\n",
        }
    )
    assert uses(project, "use.toy") == [
        ("call", "leaf.toy", "Leaf.open", False), ("call", "base.toy", "Root.close", True),
        ("use", "leaf.toy", "Leaf", False),
    ]  # fmt: skip


@pytest.mark.parametrize("bases", [("B", "A"), ("B.X", "A.X"), ("A", "B")])
def test_classes_that_inherit_in_circles_end(toys: Open, bases: tuple[str, str]) -> None:
    project = toys(
        {
            "a.toy": f"from b import B\nclass A({bases[0]})\n",
            "b.toy": f"from a import A\nclass B({bases[1]})\n.m\n",
            "u.toy": "from a import A\nfrom b import B\ncall A.m\ncall B.gone\n",
        }
    )
    assert len(uses(project, "u.toy")) == 2


def test_a_submodule_is_meant_where_a_package_has_no_such_name(toys: Open) -> None:
    project = toys(
        {
            "pkg/__init__.toy": "import pkg.own as own\n",
            "pkg/own.toy": "def f\n",
            "pkg/inner.toy": "def g\n",
            "u.toy": "import pkg\ncall pkg.own.f\ncall pkg.inner.g\n",
        }
    )
    assert uses(project, "u.toy") == [("call", "pkg/own.toy", "f", True), ("call", "pkg/inner.toy", "g", True)]


def test_files_of_one_package_see_each_other_without_an_import(toys: Open) -> None:
    project = toys(
        {
            "one.toy": "@package p\nclass T\ncall help\n",
            "two.toy": "@package p\ndef help\ncall T\n",
            "three.toy": "@package q\ndef help\ncall T\n",
        }
    )
    assert uses(project, "one.toy") == [("call", "two.toy", "help", False)]
    assert uses(project, "two.toy") == [("call", "one.toy", "T", False)]
    assert uses(project, "three.toy") == []


def test_a_declaration_leads_to_the_file_with_the_body(toys: Open) -> None:
    project = toys(
        {"api.toi": "def f\ndef declared\n", "api.toy": "def f\n", "u.toy": "import api\ncall api.f\n", "toy.cfg": ""}
    )
    assert uses(project, "u.toy") == [("call", "api.toy", "f", False)]


def test_an_import_that_cannot_be_resolved_says_why(toys: Open) -> None:
    project = toys({"a.toy": "import ext.lib\nimport gone\ndynamic\ncall lib.x\n"})
    assert [one.reason for one in project.linker.where("a.toy")] == ["external", "not found", "dynamic"]
    assert project.linker.links["a.toy"].unresolved == 2
    assert project.linker.links["a.toy"].edges == ()


def test_a_resolver_that_raises_costs_its_imports_and_is_named(toys: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    from toy import ToyResolver

    def fails(self: ToyResolver, path: str, item: object) -> None:
        raise RuntimeError("lost")

    monkeypatch.setattr(ToyResolver, "resolve", fails)
    project = toys({"a.toy": "import b\n", "b.toy": ""})
    assert project.linker.links["a.toy"].edges == ()
    assert "its resolver fails: RuntimeError: lost" in project.notes[0]


def test_an_edit_of_a_body_binds_one_file_and_an_edit_of_a_name_those_who_asked_for_it(toys: Open) -> None:
    files = {f"u{number}.toy": f"from lib import f{number}\ncall f{number}\n" for number in range(4)}
    project = toys({**files, "lib.toy": "def f0\ndef f1\ndef f2\ndef f3\n", "far.toy": "def x\n"})
    (project.root / "lib.toy").write_text("def f0\n# more\ndef f1\ndef f2\ndef f3\ncall f0\n", encoding="utf-8")
    assert project.refresh(["lib.toy"]).bound == ["lib.toy"]
    (project.root / "lib.toy").write_text("def f0\ndef f1\ndef g2\ndef f3\n", encoding="utf-8")
    assert project.refresh(["lib.toy"]).bound == ["lib.toy", "u2.toy"]
    assert uses(project, "u2.toy") == []


def test_a_settings_file_that_a_resolver_read_leads_imports_elsewhere(toys: Open) -> None:
    project = toys({"a.toy": "import b\ncall b.f\n", "b.toy": "def f\n", "src/b.toy": "def f\n"})
    assert imports(project, "a.toy") == ["b.toy"]
    (project.root / "toy.cfg").write_text("src", encoding="utf-8")
    project.refresh(["toy.cfg"])
    assert imports(project, "a.toy") == ["src/b.toy"]
    (project.root / "toy.cfg").unlink()
    project.refresh()
    assert imports(project, "a.toy") == ["b.toy"]


def test_packs_are_only_loaded_for_files_that_are_there(toys: Open) -> None:
    project = toys({"a.toy": "def x\n"}, packs=Packs({**TOYS, "none": "no_such_module:Pack"}))
    assert project.notes == ()


def link(place: Path, target: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        place.symlink_to(target)
    except OSError as error:
        pytest.skip(f"no links here: {error}")


def test_an_import_through_a_link_leads_to_the_file_behind_it(root: Path, toys: Open) -> None:
    link(root / "near.toy", "far/real.toy")
    link(root / "box", "far/deep")
    link(root / "far/deep/round", "..")
    link(root / "gone.toy", "nowhere.toy")
    project = toys(
        {
            "a.toy": "from near import run\ncall run\nimport box.inner\nimport box.round.real\nimport gone\n",
            "far/real.toy": "def run\n",
            "far/deep/inner.toy": "def deep\n",
        },
    )
    assert set(imports(project, "a.toy")) == {"far/real.toy", "far/deep/inner.toy"}
    assert [one.reason for one in project.linker.where("a.toy")] == ["", "", "", "not found"]
    assert ("call", "far/real.toy", "run", False) in uses(project, "a.toy")


def test_a_link_that_is_set_anew_moves_what_was_imported_through_it(root: Path, toys: Open) -> None:
    link(root / "near.toy", "one.toy")
    project = toys({"a.toy": "from near import run\ncall run\n", "one.toy": "def run\n", "two.toy": "def run\n"})
    assert imports(project, "a.toy") == ["one.toy"]
    (root / "near.toy").unlink()
    link(root / "near.toy", "two.toy")
    project.refresh()
    assert imports(project, "a.toy") == ["two.toy"]
    (root / "near.toy").unlink()
    project.refresh(["near.toy"])
    assert imports(project, "a.toy") == []


def test_packs_of_one_family_with_the_same_rules_share_a_resolver(tmp_path: Path) -> None:
    made: list[str] = []

    class Counted(Toy):
        def resolver(self, project: Tree) -> ToyResolver:
            made.append(self.name)
            return super().resolver(project)

    ways = {
        "toy": {"rules": "shared"},
        "tile": {"name": "tile", "rules": "shared"},
        "slab": {"name": "slab"},
        "brick": {"name": "brick", "family": "bricks", "rules": "shared"},
    }
    packs = {suffix: type(suffix, (Counted,), said)() for suffix, said in ways.items()}
    for suffix in packs:
        (tmp_path / f"a.{suffix}").write_text("import b\ncall b.b\n", encoding="utf-8")
    (tmp_path / "b.toy").write_text("def b\n", encoding="utf-8")
    found = Packs({suffix: f"a:{suffix}" for suffix in packs}, packs.__getitem__)
    project = Project.open(tmp_path, cache_folder=None, packs=found, processes=1)
    assert made == ["brick", "slab", "tile"]
    assert {path: imports(project, path) for path in project.sources} == {
        "a.brick": [], "a.slab": ["b.toy"], "a.tile": ["b.toy"], "a.toy": ["b.toy"], "b.toy": []
    }  # fmt: skip
