"""Where something belongs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aries_body.operations.codebase import Codebase
from aries_kernel.errors import BadArguments

Ask = Callable[[dict[str, str | bytes]], Codebase]
CONFIG = '''"""Settings of the shop."""


def read_config(path):
    """Read the configuration file."""
    return parse(open_text(path))


def parse(text):
    return text


def open_text(path):
    return path
'''
ORDERS = '''from shop.money import rounded, with_tax


def total(order):
    """Sum up an order."""
    return rounded(with_tax(order.amount))
'''
MONEY = '''"""Amounts and taxes."""


def rounded(amount):
    return amount


def with_tax(amount):
    return amount
'''
TEST = """from shop.config import read_config


def test_config():
    read_config('configuration')
"""
FILES: dict[str, str | bytes] = {
    "shop/__init__.py": "",
    "shop/config.py": CONFIG,
    "shop/orders.py": ORDERS,
    "shop/money.py": MONEY,
    "shop/screens/menu.py": 'def draw_menu(screen):\n    """Draw the menu on the screen."""\n    return screen\n',
    "web/app.js": "function drawMenu(screen) {\n  return screen;\n}\n",
    "tests/test_config.py": TEST,
}


@pytest.mark.parametrize(
    ("description", "path"),
    [
        ("parse the configuration file", "shop/config.py"),
        ("compute taxes on an amount", "shop/money.py"),
        ("sums of orders", "shop/orders.py"),
    ],
)
def test_a_description_leads_to_the_file_that_is_about_it(ask: Ask, description: str, path: str) -> None:
    rows = ask(FILES).suggest_location(description)
    assert rows[0].path == path and rows[0].reasons[0].startswith("is about ")
    assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)
    assert all(0 < row.score <= 1 for row in rows)


def test_tests_are_left_out_unless_a_test_is_looked_for(ask: Ask) -> None:
    codebase = ask(FILES)
    assert "tests/test_config.py" not in {row.path for row in codebase.suggest_location("read config")}
    assert codebase.suggest_location("test of the config")[0].path == "tests/test_config.py"


def test_code_leads_to_files_that_use_the_same_names(ask: Ask) -> None:
    snippet = "def refund(order):\n    return rounded(with_tax(order.amount)) * -1\n"
    rows = ask(FILES).suggest_location(snippet)
    assert rows[0].path in ("shop/orders.py", "shop/money.py")
    assert {row.path for row in rows[:2]} == {"shop/orders.py", "shop/money.py"}
    assert any("uses" in reason and "with_tax" in reason for reason in rows[0].reasons)


def test_code_stays_in_its_own_language(ask: Ask) -> None:
    rows = ask(FILES).suggest_location("function drawButton(screen) {\n  return drawMenu(screen);\n}\n")
    assert [row.path for row in rows] == ["web/app.js"]


def test_what_nothing_has_to_do_with_is_told(ask: Ask) -> None:
    rows = ask(FILES).suggest_location("quantum chromodynamics")
    assert rows.items == () and "no file has anything to do with it" in rows.note


@pytest.mark.parametrize("description", ["", "\n", 3])
def test_nothing_is_told_so(ask: Ask, description: object) -> None:
    with pytest.raises(BadArguments, match="nothing to find a place for"):
        ask(FILES).suggest_location(description)  # type: ignore[arg-type]


def test_a_file_that_changed_is_known_at_once(ask: Ask, root: object) -> None:
    codebase = ask(FILES)
    assert codebase.suggest_location("quantum fields").items == ()
    place = codebase.project.root / "shop/physics.py"
    place.write_text('def field():\n    """A quantum field."""\n', encoding="utf-8")
    codebase.touched(["shop/physics.py"])
    assert codebase.suggest_location("quantum fields")[0].path == "shop/physics.py"


def test_what_nothing_here_is_about_makes_every_place_less_sure(ask: Ask) -> None:
    codebase = ask({"shop/config.py": CONFIG, "shop/orders.py": ORDERS, "shop/money.py": MONEY})
    known, *_ = codebase.suggest_location("read the configuration")
    unknown, *_ = codebase.suggest_location("read the configuration of the quantum spectrometer")
    assert known.path == unknown.path == "shop/config.py"
    assert unknown.score < 0.7 * known.score
