"""The answer with ripgrep is byte for byte the answer without."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aries_kernel.contracts.tool import ToolContext
from aries_kernel.errors import ToolFailed
from aries_kernel.testing.workspaces import make_context
from aries_tool_files._prefilter import for_ripgrep

if TYPE_CHECKING:
    from conftest import Bench

pytestmark = pytest.mark.skipif(shutil.which("rg") is None, reason="ripgrep (rg) is missing: sameness is untested")

ATOMS = st.sampled_from(
    ["a", "b", "A", " ", "_", "-", ".", r"\.", r"\d", r"\w", r"\s", r"\S", r"\D", r"\W", r"\b", r"\B", "^", "$", r"\t",
     "[ab]", "[^a]", r"[\w-]", "[a-c]", r"[^\d]", "[.*]", "é", "\u212a", "ſ", "}", "]", "{", "(?=a)",
     r"(?<!b)", "#", "/", r"\/",
     "[[]", r"[^\s]", "(?i:a)", "&&", "[a&&b]", r"\A", r"\Z", "x{2}", "x{,1}", "%"]
)  # fmt: skip
REPEATS = st.sampled_from(["", "", "", "*", "+", "?", "*?", "+?", "{1,2}", "{0}", "{2,}"])
PATTERNS = st.recursive(
    st.tuples(ATOMS, REPEATS).map("".join),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("|".join),
        inner.map(lambda one: f"({one})"),
        inner.map(lambda one: f"(?:{one})?"),
    ),
    max_leaves=5,
)
PIECES = [b"a", b"b", b"A", b"K", b"k", b" ", b"_-", b".*", b"1", b"\n", b"\r", b"\r\n", b"\t", b"\x1c",
          b"\x0b", b"\x0c",
          b"{}[]", b"/#%", b"xx", b"\x7f", b"\xe9", "é".encode(), "\u212a".encode(), b"\0", b"\x1b[0m"]  # fmt: skip
CONTENTS = st.lists(st.sampled_from(PIECES), max_size=14).map(b"".join)
WIDE = CONTENTS.map(lambda data: ("\ufeff" + data.decode("latin-1")).encode("utf-16-le"))


@settings(max_examples=70, deadline=None)
@given(
    PATTERNS, st.lists(st.one_of(CONTENTS, CONTENTS, WIDE), min_size=2, max_size=6), st.booleans(), st.integers(0, 2)
)
def test_both_give_the_same_answer(
    make_bench: Callable[[ToolContext], Bench], pattern: str, contents: list[bytes], ignore_case: bool, context: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(contents):
            work = Path(folder, "work")
            work.mkdir(exist_ok=True)
            (work / f"{number}.txt").write_bytes(data)
        answers = []
        for path in (os.environ["PATH"], ""):
            bench = make_bench(make_context(Path(folder), environ={"PATH": path}))
            try:
                answers.append(bench.text("Grep", pattern=pattern, ignore_case=ignore_case, context=context))
            except ToolFailed as error:
                answers.append(str(error))
        assert answers[0] == answers[1]


@settings(max_examples=300, deadline=None)
@given(PATTERNS, st.lists(st.text(st.characters(max_codepoint=127), max_size=8), max_size=6), st.booleans())
def test_ripgrep_lets_through_all_that_python_matches_in_ascii(
    pattern: str, lines: list[str], ignore_case: bool
) -> None:
    given_to_ripgrep = for_ripgrep(pattern, ignore_case)
    if given_to_ripgrep is None:
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except (re.error, Warning):
        return
    text = "\n".join(lines)
    # Lines of one character of the pattern's own alphabet make matches likely.
    text += "\n" + "".join(char for char in pattern if char.isascii() and char.isprintable())
    expected = any(compiled.search(line) for line in re.split(r"\r\n|\n|\r", text))
    command = ["rg", "--no-config", "--text", "--quiet", "--encoding=none", "-e", given_to_ripgrep]
    found = subprocess.run(command, input=text.encode(), check=False, capture_output=True, timeout=20)
    assert found.returncode in ((0,) if expected else (0, 1)) or found.returncode == 2


def test_common_patterns_do_use_ripgrep() -> None:
    for pattern in (
        r"def \w+\(",
        "TODO|FIXME",
        r"^import (os|sys)$",
        r"class\s+Foo",
        "f() {".replace("()", r"\(\)"),
        "é",
    ):
        assert for_ripgrep(pattern, False) is not None
