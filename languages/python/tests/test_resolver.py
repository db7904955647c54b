"""Where imports of Python files lead."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import FileFacts, Import, Missing
from aries_kernel.testing.language_suite import TreeProject
from aries_language_python.pack import Python
from aries_language_python.resolving import PythonResolver


def resolver(*paths: str, **texts: str) -> PythonResolver:
    settings = {
        name.replace("__", "/").replace("_toml", ".toml").replace("_cfg", ".cfg"): text for name, text in texts.items()
    }
    sources = [path for path in paths if path.endswith((".py", ".pyi"))]
    return PythonResolver(
        TreeProject({**dict.fromkeys(paths, ""), **settings}, dict.fromkeys(sources, FileFacts("python")))
    )


def lead(made: PythonResolver, path: str, statement: str) -> str:
    """File of the one import in `statement`, with `+` behind it for a whole module; the reason where there is none."""
    (item,) = Python().read(statement.encode(), "x.py").imports
    found = made.resolve(path, item)
    if isinstance(found, Missing):
        return found.reason
    return " ".join(found.files) + "+" * found.is_whole


def test_relative_imports_start_at_the_files_own_folder() -> None:
    made = resolver("pkg/__init__.py", "pkg/a.py", "pkg/sub/__init__.py", "pkg/sub/b.py", "util.py")
    assert lead(made, "pkg/sub/b.py", "from ..a import X") == "pkg/a.py"
    assert lead(made, "pkg/sub/b.py", "from .. import a") == "pkg/__init__.py"
    assert lead(made, "pkg/a.py", "from . import sub") == "pkg/__init__.py"
    assert lead(made, "pkg/__init__.py", "from .sub import b") == "pkg/sub/__init__.py"
    assert lead(made, "pkg/a.py", "from .gone import x") == "not found"
    assert lead(made, "pkg/a.py", "from ....far import x") == "not found"
    assert made.member("pkg/__init__.py", "a") == "pkg/a.py"
    assert made.member("pkg/__init__.py", "sub") == "pkg/sub/__init__.py"
    assert made.member("pkg/a.py", "sub") is None


def test_absolute_imports_are_found_in_the_source_layout() -> None:
    made = resolver("src/pkg/__init__.py", "src/pkg/core.py", "tests/test_core.py", "tests/helper.py", "docs/conf.py")
    assert lead(made, "tests/test_core.py", "import pkg.core") == "src/pkg/core.py+"
    assert lead(made, "src/pkg/core.py", "from pkg import core") == "src/pkg/__init__.py"
    assert lead(made, "tests/test_core.py", "import helper") == "tests/helper.py+"
    assert lead(made, "docs/conf.py", "import helper") == "external"
    assert lead(made, "tests/test_core.py", "import pkg.gone") == "not found"
    assert lead(made, "tests/test_core.py", "import numpy.linalg") == "external"


def test_settings_name_more_roots() -> None:
    found = '[tool.setuptools.packages.find]\nwhere = ["code"]\n[tool.pytest.ini_options]\npythonpath = "helpers"\n'
    made = resolver("code/a/__init__.py", "code/b.py", "helpers/h.py", "t/test_b.py", pyproject_toml=found)
    assert lead(made, "t/test_b.py", "import b") == "code/b.py+"
    assert lead(made, "t/test_b.py", "import h") == "helpers/h.py+"
    made = resolver("lib4/c.py", "t/test_c.py", setup_cfg="[options]\npackage_dir =\n    = lib4\n")
    assert lead(made, "t/test_c.py", "import c") == "lib4/c.py+"


@pytest.mark.parametrize(
    "text", ["[tool", "[tool]\nsetuptools = 3\n", '[tool.setuptools]\npackage-dir = {x = "../out"}\n']
)
def test_settings_that_cannot_be_read_count_as_absent(text: str) -> None:
    assert lead(resolver("src/a.py", "t/b.py", pyproject_toml=text), "t/b.py", "import a") == "src/a.py+"


def test_members_of_a_workspace_see_each_other() -> None:
    made = resolver(
        "core/src/kernel/__init__.py",
        "plugins/web/src/web/app.py",
        core__pyproject_toml="",
        plugins__web__pyproject_toml="",
    )
    assert lead(made, "plugins/web/src/web/app.py", "import kernel") == "core/src/kernel/__init__.py+"


def test_folders_without_init_are_namespace_packages() -> None:
    made = resolver("src/ns/one/__init__.py", "src/ns/two.py", "main.py")
    assert lead(made, "main.py", "import ns.two") == "src/ns/two.py+"
    assert lead(made, "main.py", "from ns import two") == "src/ns/two.py+"
    assert lead(made, "main.py", "from ns.one import x") == "src/ns/one/__init__.py"
    assert lead(made, "src/ns/one/__init__.py", "from .. import two") == "src/ns/two.py+"


def test_the_standard_library_stands_before_a_module_of_a_package_with_its_name() -> None:
    made = resolver("pkg/__init__.py", "pkg/json.py", "pkg/a.py", "types.py", "scripts/queue.py", "scripts/run.py")
    assert lead(made, "pkg/a.py", "import json") == "external"
    assert lead(made, "pkg/a.py", "import types") == "external"
    assert lead(made, "scripts/run.py", "import queue") == "scripts/queue.py+"


def test_a_package_stands_before_a_module_and_code_before_its_stub() -> None:
    made = resolver("a/__init__.py", "a.py", "b.py", "b.pyi", "c.pyi", "main.py")
    assert lead(made, "main.py", "import a") == "a/__init__.py+"
    assert lead(made, "main.py", "import b") == "b.py+"
    assert lead(made, "main.py", "import c") == "c.pyi+"
    assert made.definitions("b.pyi") == ("b.py",)


def test_two_programs_in_one_tree_keep_to_their_own_modules() -> None:
    made = resolver("one/app.py", "one/util.py", "two/app.py", "two/util.py", "three/app.py")
    assert lead(made, "one/app.py", "import util") == "one/util.py+"
    assert lead(made, "two/app.py", "import util") == "two/util.py+"
    assert lead(made, "three/app.py", "import util") == "external"


def test_a_computed_import_is_dynamic() -> None:
    assert resolver("a.py").resolve("a.py", Import(1, "dynamic", "")) == Missing("dynamic")


_BUILT = '[build-system]\nrequires = ["hatchling"]\n[tool.hatch.build.targets.wheel]\npackages = ["src/company"]\n'


def test_a_part_of_a_namespace_is_not_what_its_last_name_alone_means() -> None:
    part = "one/src/company/tools/grpc"
    made = resolver(
        f"{part}/__init__.py", f"{part}/chat/__init__.py", f"{part}/chat/client.py", "one/tests/test_client.py",
        "two/src/company/other/__init__.py", "two/src/company/other/a.py", "two/src/script/run.py",
        "two/src/script/b.py",
        one__pyproject_toml=_BUILT, two__pyproject_toml=_BUILT,
    )  # fmt: skip
    for path in (f"{part}/chat/client.py", "one/tests/test_client.py", "two/src/company/other/a.py"):
        assert lead(made, path, "import grpc") == "external"
        assert lead(made, path, "from grpc.chat import client") == "external"
        assert lead(made, path, "from company.tools.grpc.chat import client") == f"{part}/chat/__init__.py"
    assert lead(made, f"{part}/chat/client.py", "from company.other import a") == "two/src/company/other/__init__.py"
    assert lead(made, "two/src/script/run.py", "import b") == "two/src/script/b.py+"


def test_a_folder_of_programs_may_be_on_the_path_where_nothing_is_installed_from_it() -> None:
    made = resolver("src/app/models/__init__.py", "src/app/services/users.py", "src/app/main.py",
                    pyproject_toml='[project]\nname = "x"\n')  # fmt: skip
    assert lead(made, "src/app/services/users.py", "import models") == "src/app/models/__init__.py+"


def test_of_several_projects_a_file_means_first_what_its_own_one_holds() -> None:
    made = resolver("a/tests/__init__.py", "x/b/tests/__init__.py", "x/b/benchmarks/run.py", "x/c/benchmarks/run.py",
                    a__pyproject_toml="", x__b__pyproject_toml="", x__c__pyproject_toml="")  # fmt: skip
    assert lead(made, "x/b/benchmarks/run.py", "import tests") == "x/b/tests/__init__.py+"


@pytest.mark.parametrize(
    "text",
    [
        '[project]\ndependencies = ["Open-Tracing ~= 2.0"]\n',
        '[project]\noptional-dependencies = {all = ["open_tracing[x]>1"]}\n',
        '[tool.poetry.dependencies]\nopen-tracing = "^2"\n',
    ],
)
def test_what_a_project_declares_to_need_is_not_a_folder_of_the_tree_that_is_called_so(text: str) -> None:
    made = resolver("docs/examples/open_tracing/__init__.py", "shim/a.py", "other/b.py", shim__pyproject_toml=text)
    assert lead(made, "shim/a.py", "import open_tracing") == "external"
    assert lead(made, "other/b.py", "import open_tracing") == "docs/examples/open_tracing/__init__.py+"


@pytest.mark.parametrize(
    "text",
    [
        '[tool.hatch.build.targets.wheel]\npackages = ["flow"]\n',
        '[tool.poetry]\npackages = [{include = "flow"}]\n',
        '[tool.setuptools]\npackages = ["flow", "flow.inner"]\n',
    ],
)
def test_a_package_without_init_that_settings_name_is_no_folder_of_programs(text: str) -> None:
    made = resolver("a/flow/typing.py", "a/flow/types.py", "a/flow/inner/run.py", "a/flow/requests.py",
                    "b/flow/more.py", "scripts/queue.py", a__pyproject_toml=text, b__pyproject_toml=text)  # fmt: skip
    assert lead(made, "a/flow/types.py", "import typing") == "external"
    assert lead(made, "a/flow/types.py", "import requests") == "external"
    assert lead(made, "a/flow/inner/run.py", "import requests") == "external"
    assert lead(made, "a/flow/inner/run.py", "from flow.typing import X") == "a/flow/typing.py"
    assert lead(made, "a/flow/inner/run.py", "import flow.more") == "b/flow/more.py+"
    assert lead(made, "scripts/run.py", "import queue") == "scripts/queue.py+"


def test_a_module_that_is_built_from_another_language_is_external() -> None:
    made = resolver("p/__init__.py", "p/_fast.pyx", "p/_made.pyx.in", "p/a.py")
    assert lead(made, "p/a.py", "from ._fast import run") == "external"
    assert lead(made, "p/a.py", "from p._made import go") == "external"
    assert lead(made, "p/a.py", "from ._gone import x") == "not found"
