"""A grammar that is missing is named."""

from __future__ import annotations

import pytest

from aries_kernel.errors import UserError
from aries_language_syntax.grammar import grammar


def test_a_missing_grammar_is_an_error_that_names_its_package() -> None:
    with pytest.raises(UserError, match=r"Lua files cannot be read: .*pip install tree-sitter tree-sitter-lua"):
        grammar("Lua", "tree_sitter_lua", "aries_language_syntax")
