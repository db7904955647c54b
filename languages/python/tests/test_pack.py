"""The pack against its contract, and what it says of a file's bytes and name."""

from __future__ import annotations

import pytest

from aries_kernel.contracts import LanguagePack
from aries_kernel.testing.language_suite import LanguageSuite
from aries_language_python.pack import Python

TREE = {
    "pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["src"]\n',
    "src/shop/__init__.py": "from .cart import Cart as Cart\n",
    "src/shop/cart.py": (
        "from __future__ import annotations\nfrom typing import TYPE_CHECKING\nfrom . import money\n"
        "if TYPE_CHECKING:\n    from shop.goods import Item\n\n\n"
        "class Cart(list):\n    def add(self, item: Item) -> None:\n        self.append(money.rounded(item.price))\n"
    ),
    "src/shop/money.py": "import decimal\n\n\ndef rounded(amount): return decimal.Decimal(amount)\n",
    "src/shop/goods.pyi": "class Item:\n    price: float\n",
    "tests/test_cart.py": "from shop import Cart\n\n\ndef test_it_is_empty():\n    assert Cart() == []\n",
}


class TestPython(LanguageSuite):
    edges = frozenset(
        {
            ("src/shop/__init__.py", "src/shop/cart.py"),
            ("src/shop/cart.py", "src/shop/__init__.py"),
            ("src/shop/cart.py", "src/shop/goods.pyi"),
            ("tests/test_cart.py", "src/shop/__init__.py"),
        }
    )

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return Python()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return TREE


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        (b"# -*- coding: latin-1 -*-\n", "latin-1"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n", "cp1252"),
        (b"import x\n# coding: latin-1\n", None),
        (b"x = 'coding: latin-1'\n", None),
        (b"\n\n# coding: latin-1\n", None),
        (b"", None),
    ],
)
def test_a_coding_line_counts_in_the_first_two_lines(head: bytes, encoding: str | None) -> None:
    assert Python().encoding(head) == encoding


@pytest.mark.parametrize("path", ["test_a.py", "pkg/a_test.py", "conftest.py", "tests/data.py", "pkg/test/run.py"])
def test_files_of_tests_are_told_by_name_and_folder(path: str) -> None:
    assert Python().is_test(path)


@pytest.mark.parametrize("path", ["testing.py", "pkg/testing/fakes.py", "latest.py", "contest_a.py"])
def test_names_that_only_sound_like_tests_are_none(path: str) -> None:
    assert not Python().is_test(path)
