"""How many files use each symbol, from what is kept and counted anew."""

from __future__ import annotations

from collections.abc import Callable

from aries_body.graph.symbols import SymbolKey
from aries_body.graph.usage import used_symbols
from aries_body.index.project import Project

Open = Callable[..., Project]
FILES = {
    "core.toy": "class Core\n.start\ndef make\ncall Core.start\n",
    "app.toy": "from core import Core\ndef main\ncall Core\ncall Core.start\n",
    "more.toy": "from core import Core\nuse! Core\n",
}


def test_users_are_counted_by_file_and_the_own_one_apart(toys: Open) -> None:
    elsewhere, here = used_symbols(toys(dict(FILES)))
    assert elsewhere == {SymbolKey("core.toy", "Core"): 2, SymbolKey("core.toy", "Core.start"): 1}
    assert here == {SymbolKey("core.toy", "Core"), SymbolKey("core.toy", "Core.start")}


def test_what_a_definition_does_with_itself_is_no_use_of_it(toys: Open) -> None:
    text = "class Core\n.start\nuse Core\n.stop\nuse Core.start\ndef again\ncall again\n"
    elsewhere, here = used_symbols(toys({"core.toy": text, "app.toy": "from core import again\ncall again\n"}))
    assert elsewhere == {SymbolKey("core.toy", "again"): 1}
    assert here == {SymbolKey("core.toy", "Core.start")}


def test_what_was_kept_is_what_would_be_counted(toys: Open) -> None:
    first = toys(dict(FILES))
    counted = used_symbols(first)
    first.close()
    again = toys({})
    assert used_symbols(again) == counted
    again.close()
    changed = toys({"more.toy": "from core import make\nuse! make\n"})
    alone = toys({}, cache_folder=None)
    assert used_symbols(changed) == used_symbols(alone)


def test_what_is_kept_and_damaged_is_counted_anew(toys: Open) -> None:
    project = toys(dict(FILES))
    counted = used_symbols(project)
    for nonsense in (None, 3, ([], {"a": 1}), ("x", "y"), ([("a",)], {})):
        project.store.keep_value("used", nonsense)
        assert used_symbols(project) == counted
